// The ids that an agent has given to its answers. An agent that keeps the thread itself (LangGraph) adds messages whose ids it does not
// know, so that each answer would be in its thread twice.
import { createHash } from 'node:crypto';
import type { HistoryMessage } from '../../protocol.ts';
import { idOf } from '../shared/values.ts';

/** The id of an answer, and the digest of its text. */
export type KnownAnswer = [id: string, digest: string];

/** Answers whose ids are kept, and characters of an id. */
const maxAnswers = 20;
const maxId = 64;

/** The digest of a text without its white space: the texts of an answer are stored with paragraphs between them. */
const digestOf = (text: string): string =>
  createHash('sha256').update(text.replace(/\s+/g, '')).digest('base64url').slice(0, 12);

export const knownAnswersOf = (value: unknown): KnownAnswer[] =>
  Array.isArray(value)
    ? value.flatMap((one: unknown): KnownAnswer[] => {
        const [id, digest] = (Array.isArray(one) ? one : []) as unknown[];
        const known = idOf(id);
        return known !== undefined && typeof digest === 'string' ? [[known, digest]] : [];
      })
    : [];

/** Adds an answer, which consists of these messages of the agent. The last one gives it its id. */
export function withAnswer(
  known: readonly KnownAnswer[],
  texts: readonly { id: string; text: string }[],
): KnownAnswer[] {
  const last = texts.at(-1);
  if (!last || last.id.length > maxId) return [...known];
  return [...known, [last.id, digestOf(texts.map(({ text }) => text).join(''))] as KnownAnswer].slice(
    -maxAnswers,
  );
}

/** The id of a message for the agent: its own id of an answer, otherwise ours. */
export function idForAgent({ id, role, text }: HistoryMessage, known: readonly KnownAnswer[]): string {
  if (role !== 'assistant' || known.length === 0) return id;
  const digest = digestOf(text);
  return known.findLast(([, one]) => one === digest)?.[0] ?? id;
}
