// What the parts of a session share: those of this bundle, and those of the extras bundle. Types only.
import type { ChatClientBase } from '../../../client/chat/caller.ts';
import type { PlatformError } from '../../../protocol/error.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import type { Store } from '../store/store.ts';
import type { ConversationConnection } from './conversation-connection.ts';
import type { Identity } from './identity.ts';
import type { Incoming } from './incoming.ts';

/** What a part needs that sends requests for the visitor: uploads, feedback, the download of the conversation. */
export interface SessionContext {
  client: ChatClientBase;
  store: Store;
  /** The signal of the present scope. */
  getSignal(): AbortSignal;
  /** The id of the conversation, once messages can be received there. */
  getConversationId(): Promise<string>;
  /** Reports an error to the page, and returns it as the page sees it. */
  report(error: unknown): PlatformError;
  /** Announces a sentence to screen readers. */
  announce(text: string): void;
}

/** What the parts of the session itself need. */
export interface SessionInternals extends SessionContext {
  widget: Widget;
  identity: Identity;
  incoming: Incoming;
  /** The conversation that is joined, if one is. */
  getConversation(): ConversationConnection | undefined;
  start(): Promise<void>;
  /** Whether a conversation was requested. */
  isRequested(): boolean;
  createConversation(signal: AbortSignal, idempotencyKey?: string): Promise<string>;
  /** Defers sending until the next conversation has been created, or could not be. */
  deferSending(next: Promise<unknown>): void;
  /** Removes a message that the server does not have from the transcript and from the stored record. */
  discard(key: string): void;
  /** Ends the present scope; `start` begins the next one. */
  endScope(options: { keepUnsent: boolean }): void;
  /** Follows the record in the browser's storage. @param isLogout there is no user any more, whatever the record says. */
  syncFromStorage(isLogout?: boolean): void;
}
