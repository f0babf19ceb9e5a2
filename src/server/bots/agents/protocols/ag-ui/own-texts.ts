// The texts of the agent's own messages in one turn.
import { createAnswerTexts } from '../shared/answer-texts.ts';
import type { Emit } from '../shared/event-reader.ts';
import { idOf, type JsonObject, textOf } from '../shared/values.ts';
import { contentText } from './content.ts';
import type { RunMessages } from './saved-run.ts';
import { createShownTexts, type ShownText } from './snapshot.ts';

export interface OwnTexts {
  /** A piece of a message. `isRest`: of one that may have ended; otherwise text after its end is another message of the same id. */
  write(id: string | undefined, delta: unknown, emit: Emit, isRest?: boolean): void;
  /** The message has ended. */
  close(id: string, emit: Emit): void;
  closeAll(emit: Emit): void;
  /** Whether this run has written something that can be read. */
  readonly isAnswered: boolean;
  /** The texts of this run, in their order. */
  ofRun(): readonly ShownText[];
  /** The texts of the turn, in their order. */
  readonly shown: readonly ShownText[];
}

/** `earlier`: the messages of earlier runs of the turn. */
export function createOwnTexts(earlier: readonly JsonObject[], messages: RunMessages): OwnTexts {
  const texts = createAnswerTexts();
  const shown = createShownTexts();
  /** Messages that have ended, and how often their ids were used again. */
  const ended = new Set<string>();
  const uses = new Map<string, number>();
  let isAnswered = false;
  for (const { id, role, content } of earlier)
    if (role === 'assistant') shown.add(idOf(id) ?? '', contentText(content) ?? '');
  const firstOfRun = shown.all.length;
  const keyOf = (id: string): string => (uses.has(id) ? `${id} ${uses.get(id)}` : id);

  return {
    write(id, delta, emit, isRest = false) {
      const text = textOf(delta);
      if (id === undefined || text === undefined || text === '') return;
      isAnswered ||= text.trim() !== '';
      const isReused = ended.delete(id) && !isRest;
      if (isReused) {
        uses.set(id, (uses.get(id) ?? 0) + 1);
        messages.text(id, '\n\n');
      }
      messages.text(id, text);
      shown.add(id, text, isReused);
      texts.write(keyOf(id), text, emit);
    },
    close(id, emit) {
      texts.close(keyOf(id), emit);
      if (texts.has(keyOf(id))) ended.add(id);
    },
    closeAll: texts.closeAll,
    get isAnswered() {
      return isAnswered;
    },
    ofRun: () => shown.all.slice(firstOfRun).filter(({ text }) => text.trim() !== ''),
    shown: shown.all,
  };
}
