// What the hands of the session work with: those in this chunk, and those in the tools chunk. Types only.
import type { ChatCaller } from '../../client/caller.ts';
import type { PlatformError } from '../../protocol/error.ts';
import type { Store } from './store.ts';

/** What a tool that talks to the server needs: the tools chunk holds the rest of the session. */
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
