// What the hands of the session work with: those in this chunk, and those in the tools and visit chunks. Types only.
import type { ChatCaller } from '../../../client/caller.ts';
import type { PlatformError } from '../../../protocol/error.ts';
import type { Shell } from '../../launcher-chat-interface.ts';
import type { Store } from '../store/store.ts';
import type { Room } from './conversation-connection.ts';
import type { News } from './incoming.ts';
import type { persist } from './retry.ts';
import type { Identity } from './user.ts';

/** What a tool that talks to the server needs: the tools chunk holds a part of the session. */
export interface Hands {
  client: ChatCaller;
  store: Store;
  /** The present visit. */
  getSignal(): AbortSignal;
  /** The id of the conversation, once messages can be received there. */
  getConversation(): Promise<string>;
  /** Tells the page of an error; gives it as the page sees it. */
  report(error: unknown): PlatformError;
  /** Says a sentence to screen readers. */
  say(text: string): void;
}

/** What the visit chunk works with: it holds what the session can do beyond the first message. */
export interface Inner extends Hands {
  shell: Shell;
  identity: Identity;
  news: News;
  /** The conversation that is entered, if one is. */
  getRoom(): Room | undefined;
  persist: typeof persist;
  start(): Promise<void>;
  /** Somebody has asked for a conversation. */
  isWanted(): boolean;
  createConversation(signal: AbortSignal, idempotencyKey: string): Promise<string>;
  /** Nothing is sent until the next conversation is made, or could not be. */
  turn(next: Promise<unknown>): void;
  /** Takes a message that the server does not have out of transcript and record. */
  discard(key: string): void;
  /** An id for a request that may be repeated. */
  newId(): string;
  /** Ends the visit, with all it has under way; the next one is begun by `start`. */
  leave(options: { keepUnsent: boolean }): void;
  /** Is where the browser's record is. @param isLogout nobody is here any more, wherever the record is. */
  follow(isLogout?: boolean): void;
}
