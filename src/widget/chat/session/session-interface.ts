// The methods of the session (session.ts) that the window calls. Types only.
import type { Chat } from '../../launcher-chat-interface.ts';
import type { SessionInternals } from './context.ts';
import type { Outbox } from './conversation/outbox.ts';

export interface Session {
  /** Creates or resumes user and conversation. Can be called repeatedly. Resolves when messages can be received. */
  start(): Promise<void>;
  send: Outbox['send'];
  /** Retries a message that was refused, or that waits for its next attempt. */
  retry(key: string): void;
  /** Removes a message that the server does not have from the transcript. */
  discard(key: string): void;
  /** Never rejects. */
  loadOlder(): Promise<void>;
  /** The methods of `window.platform`, and one that forgets the user of the page. */
  readonly methods: Chat['methods'] & { forget(): Promise<void> };
  /** Reports whether the visitor is writing. */
  setTyping(isTyping: boolean): void;
  /** Ends the answer that the bot is writing; the part that was received stays. */
  stop(): void;
  /** Records that the visitor has seen the newest message. */
  markRead(): void;
  saveDraft(text: string): void;
  useHooks(): Promise<void>;
  /** For the lazy bundles. */
  readonly context: SessionInternals;
}
