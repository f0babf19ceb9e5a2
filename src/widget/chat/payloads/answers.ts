// Determines the chosen option of each question from the rows, so that it is known after a reload. Pure.
import { type Option, type Payload, readButtons } from '../../../protocol/message.ts';
import type { ShownHandling } from '../store/state.ts';
import type { Row } from '../store/store.ts';
import { describe } from './descriptors.ts';

/** The options of a question that can be shown, with their extra keys: the component of a new question may need them. */
export function optionsOf(payload: Payload): Option[] {
  if (!describe(payload.type)?.question) return [];
  const { options } = payload as { options?: unknown };
  return readButtons(options as Option[] | undefined);
}

/**
 * The chosen values, by the key of the question's row. Our own answers contain the id of their question. Answers of other
 * clients contain only a value, and belong to the newest open question with that value.
 */
export function chosenValues(rows: readonly Row[]): Map<string, string> {
  const chosen = new Map<string, string>();
  const questions: Row[] = [];
  for (const row of rows) {
    if (row.side === 'bot') {
      if (optionsOf(row.payload).length > 0) questions.unshift(row);
      continue;
    }
    const { value } = row.payload as { value?: unknown };
    if (typeof value !== 'string') continue;
    const question = questions.find(({ id, key, payload }) =>
      row.answers
        ? id === row.answers
        : !chosen.has(key) && optionsOf(payload).some((option) => option.value === value),
    );
    if (question && !chosen.has(question.key)) chosen.set(question.key, value);
  }
  return chosen;
}

/** Whether a person answers, or will: the bot, which has asked the questions, is silent. */
export const isBotSilent = (handling: ShownHandling | undefined): boolean =>
  handling?.state === 'waiting' || handling?.state === 'assigned';

/** True while the newest message is a question that can only be answered by its options. */
export function isFreeTextOff(rows: readonly Row[]): boolean {
  const newest = rows.at(-1);
  if (newest?.side !== 'bot' || optionsOf(newest.payload).length === 0) return false;
  return (newest.payload as { disableFreeText?: unknown }).disableFreeText === true;
}
