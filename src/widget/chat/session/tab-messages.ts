// The messages between the visitor's tabs, and the part of an answer that a tab has missed which joins in its middle.
import type { Signal } from '../../../protocol/signal.ts';
import type { ConnectionStatus } from '../store/store.ts';

/** A message between tabs. The term increases with each leader: the one with the higher term leads. */
export type TabMessage = { from: string; term: number } & TabWord;
export type TabWord =
  /** Asks who leads. `isAwake`: the visitor looks at this tab, so the stream must not be dead. */
  | { type: 'hello'; isAwake: boolean }
  /** The state of the leader's stream, at each change and as a reply to each hello. */
  | { type: 'leading'; connection: ConnectionStatus; position: string | undefined; isHidden: boolean }
  /** The leader's stream was opened again. */
  | { type: 'opened'; isResumed: boolean; position: string | undefined }
  | { type: 'signal'; signal: Signal; id: string }
  /** This tab was closed, or the browser stops it. */
  | { type: 'leaving' };

type Delta = Extract<Signal, { type: 'message_stream_delta' }>;
/** The whole text so far: it replaces what a tab has of the answer. */
type WholeAnswer = Delta & { data: { isWhole: true } };

/** The answers that the bot is writing. */
export interface WrittenAnswers {
  /** Records a signal of the stream. */
  add(signal: Signal): void;
  /** One signal for each answer, with its text so far. */
  signals(): Iterable<Signal>;
  /** The stream was opened again: the next delta of each answer contains its whole text. */
  clear(): void;
}

export function createWrittenAnswers(): WrittenAnswers {
  const answers = new Map<string, WholeAnswer>();
  return {
    add(signal) {
      if (signal.type === 'message_stream_delta') {
        const { streamId, delta } = signal.data;
        const before = answers.get(streamId)?.data.delta ?? '';
        answers.set(streamId, { ...signal, data: { ...signal.data, delta: before + delta, isWhole: true } });
      } else if (signal.type === 'message_stream_complete' || signal.type === 'message_stream_abort') {
        answers.delete(signal.data.streamId);
      }
    },
    signals: () => answers.values(),
    clear: () => answers.clear(),
  };
}
