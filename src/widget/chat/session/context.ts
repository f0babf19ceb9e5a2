// The context that the parts of a session share, in this bundle and in the extras bundle. Types only.
import type { ChatClientBase } from '../../../client/chat/caller.ts';
import type { PlatformError } from '../../../protocol/error.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import type { Store } from '../store/store.ts';
import type { ConversationConnection } from './conversation/conversation-connection.ts';
import type { Incoming } from './conversation/incoming.ts';
import type { Identity } from './user/identity.ts';

/** For parts that send requests for the visitor: uploads, feedback, the download of the conversation. */
export interface SessionContext {
  widget: Widget;
  client: ChatClientBase;
  store: Store;
  /** Returns the signal of the present scope. */
  getSignal(): AbortSignal;
  /** Resolves to the id of the conversation when messages can be received there. */
  getConversationId(): Promise<string>;
  /** Reports an error to the page, and returns it as the page sees it. */
  report(error: unknown): PlatformError;
  /** Announces a text to screen readers. */
  announce(text: string): void;
}

/** For the parts of the session itself. */
export interface SessionInternals extends SessionContext {
  identity: Identity;
  incoming: Incoming;
  /** Returns the conversation if it is joined. */
  getConversation(): ConversationConnection | undefined;
  start(): Promise<void>;
  /** Returns whether a conversation was requested. */
  isRequested(): boolean;
  createConversation(signal: AbortSignal, idempotencyKey?: string): Promise<string>;
  /** Defers sending until the next conversation was created, or its creation has failed. */
  deferSending(next: Promise<unknown>): void;
  /** Removes a message that the server does not have from the transcript and from the stored record. */
  discard(key: string): void;
  /** Ends the present scope; `start` creates the next one. */
  endScope(options: { keepUnsent: boolean }): void;
  /** Reads the record in the browser's storage again. @param isLogout there is no user, whatever the record contains. */
  syncFromStorage(isLogout?: boolean): void;
}
