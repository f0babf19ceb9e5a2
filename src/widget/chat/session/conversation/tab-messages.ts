// The messages between the visitor's tabs.
import type { Signal } from '../../../../protocol/signal.ts';
import type { ConnectionStatus } from '../../store/store.ts';

/** A message between tabs. The term increases with each leader: the one with the higher term leads. */
export type TabMessage = { from: string; term: number } & TabMessageBody;
/** The content of a message, without its sender and term. */
export type TabMessageBody =
  /** Asks who leads. `isAwake`: the visitor looks at this tab, so the stream must not be dead. */
  | { type: 'hello'; isAwake: boolean }
  /** The state of the leader's stream, at each change and as a reply to each hello. */
  | { type: 'leading'; connection: ConnectionStatus; position: string | undefined; isHidden: boolean }
  /** The leader's stream was opened again. */
  | { type: 'opened'; isResumed: boolean; position: string | undefined }
  | { type: 'signal'; signal: Signal; id: string }
  /** This tab was closed, or the browser stops it. */
  | { type: 'leaving' };
