// Chooses the texts of mails about answers, and of the page of their links, in all languages of the widget.
import { chooseLocale, directionOf } from '../choose-locale.ts';
import type { AnswerTexts } from './answer-texts.ts';
import { eastern } from './eastern.ts';
import { western } from './western.ts';

export type { AnswerTexts } from './answer-texts.ts';

export const answerTexts: Readonly<Record<string, AnswerTexts>> = { ...western, ...eastern };

/** Returns the texts in the first of these languages that is known, with its tag and its direction; otherwise English. */
export function answerTextsFor(tags: readonly string[]): {
  texts: AnswerTexts;
  language: string;
  direction: 'ltr' | 'rtl';
} {
  const { name } = chooseLocale(Object.keys(answerTexts), tags);
  const texts = answerTexts[name] ?? western.en;
  if (!texts) throw new Error('There are no English texts.');
  return { texts, language: name, direction: directionOf(name) };
}
