// The connection to one conversation, which conversation-connection.ts implements, and the tabs that share it. Types only.
import type { ChatMethods } from '../../../../client/operations/chat.ts';
import type { Signal } from '../../../../protocol/signal.ts';

export interface ConversationConnection {
  id: string;
  /** Aborts when the connection ends. */
  signal: AbortSignal;
  /** The token of the page before the oldest message; undefined if there is none. */
  olderToken: string | undefined;
  /** Returns one page of messages; without a token the newest. Rejects as the request does. */
  listPage(token: string | undefined): ReturnType<ChatMethods['listMessages']>;
  /** Lists messages that are newer than the known ones. Rejects as the request does. */
  refresh(): Promise<void>;
  /** The number of the last signal, from which a stream continues; undefined if it is unknown. */
  position: string | undefined;
  /** Processes a signal that was received by another tab's stream. */
  handleSignal(signal: Signal): void;
  /** Lists messages that may have been missed. Later signals are processed after it. */
  resync(): void;
  /** Called with every signal of this tab's stream, and its id (see `listen`). */
  onSignal?: (signal: Signal, id: string) => void;
  /** Called when this tab's stream was opened. */
  onOpen?: (isResumed: boolean) => void;
  /** Closes this tab's stream: another tab's stream replaces it. */
  suspend(): void;
  /** Opens this tab's stream after `position`. Does nothing while it is open. */
  resume(): void;
  /** Reconnects at once if the stream waits for its next attempt or its connection may be dead. */
  wake(): void;
  /** Another request has reached the server. */
  reached(): void;
}

/** The tabs of the visitor that show one conversation. */
export interface Tabs {
  /** The conversation. */
  readonly id: string;
  /** Resolves when a leader has answered, or after `askMs`. */
  readonly asked: Promise<void>;
  /** Leads with this connection, or returns true if another tab leads: then its signals replace the stream. A second call does nothing. */
  attach(conversation: ConversationConnection): boolean;
}
