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
 * The chosen values, by the key of the question's row, and null for a question that can no longer be answered. Our own
 * answers contain the id of their question. Answers of other clients contain only a value, and belong to the newest
 * question without an answer that has that value. A message of the visitor ends all questions before it; an answer, only
 * those before its question: a bot can ask several at once. A person who takes over ends those of the bot.
 */
export function chosenValues(rows: readonly Row[]): Map<string, string | null> {
  const chosen = new Map<string, string | null>();
  const questions: Row[] = [];
  /** The questions that can be answered, and whether the visitor has written since the newest one. */
  let open: Row[] = [];
  let isReplied = false;
  for (const row of rows) {
    if (row.side === 'bot' && optionsOf(row.payload).length > 0) {
      questions.unshift(row);
      open = isReplied ? [row] : [...open, row];
      isReplied = false;
    }
    if (isOfPerson(row)) open = open.filter(isOfPerson);
    if (row.side !== 'visitor') continue;
    const { value } = row.payload as { value?: unknown };
    const question =
      typeof value === 'string' &&
      questions.find(({ id, key, payload }) =>
        row.answers
          ? id === row.answers
          : !chosen.has(key) && optionsOf(payload).some((option) => option.value === value),
      );
    if (question && !chosen.has(question.key)) chosen.set(question.key, value);
    // The server does not have it.
    if (row.status === 'failed') continue;
    isReplied = true;
    open = question ? open.slice(open.indexOf(question) + 1) : [];
  }
  for (const row of questions) if (!chosen.has(row.key) && !open.includes(row)) chosen.set(row.key, null);
  return chosen;
}

/** Whether a person has written it, or it says that one has joined. */
const isOfPerson = ({ author, payload }: Row): boolean =>
  author?.kind === 'person' ||
  (payload as { activity?: { type?: unknown } }).activity?.type === 'person_joined';

/** Whether a person answers, or will: the bot, which has asked the questions, is silent. */
export const isBotSilent = (handling: ShownHandling | undefined): boolean =>
  handling?.state === 'waiting' || handling?.state === 'assigned';

/** True while the newest message is a question that can only be answered by its options. */
export function isFreeTextOff(rows: readonly Row[]): boolean {
  const newest = rows.at(-1);
  if (newest?.side !== 'bot' || optionsOf(newest.payload).length === 0) return false;
  return (newest.payload as { disableFreeText?: unknown }).disableFreeText === true;
}
