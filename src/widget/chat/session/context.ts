// The context that the parts of a session share, in this bundle and in the extras bundle. Types only.
import type { ChatClientBase } from '../../../client/chat/caller.ts';
import type { PlatformError } from '../../../protocol/error.ts';
import type { UserFields } from '../../../protocol/user.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import type { Store } from '../store/store.ts';
import type { ConversationConnection } from './conversation/connection-interface.ts';
import type { Incoming } from './conversation/incoming.ts';

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
  /** Loads the names of the authors of messages, unless they are known. Never rejects. The background bundle sets it. */
  nameAuthors?: (messages: readonly Parameters<Store['personOf']>[0][]) => Promise<void>;
  /** Shows the stored draft in the present composer. Set while that must stay, because the visitor records in it. */
  takeDraft?: (() => void) | undefined;
  /** Announces a text to screen readers. */
  announce(text: string): void;
}

/** The visitor's user on the server (user/identity.ts). */
export interface Identity {
  /** The visitor's id on the server; undefined before `ensure`. */
  readonly userId: string | undefined;
  /** User fields that were not sent to the server yet. */
  fields: UserFields;
  /**
   * Ensures that the user exists on the server and that the client has the user key. Returns the id of a conversation that
   * was created together with the user: only if `needsConversation`, and if the server supports it.
   */
  ensure(needsConversation?: boolean): Promise<string | undefined>;
  /** Reads user key and id from the browser's record. Returns whether it contains both. */
  syncFromStorage(): boolean;
  /** Discards pending fields and a pending creation, because another user becomes active. */
  reset(): void;
  /** Stashes the record of an identified user: it is not resumed until the page identifies that user again. */
  stashNamedUser(): void;
  /** Removes an anonymous user from the record, so that `ensure` creates another. Returns false for an identified one. */
  forget(): boolean;
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
  /** Adds the unsent messages of the stored record to the transcript, and sends them. */
  restoreUnsent(): void;
  /** Ends the present scope; `start` creates the next one. */
  endScope(options: { keepUnsent?: boolean; isOtherVisitor?: boolean }): void;
  /** Reads the record in the browser's storage again. @param isLogout there is no user, whatever the record contains. */
  syncFromStorage(isLogout?: boolean): void;
}
