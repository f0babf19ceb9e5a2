// Canned answers of the page: list, search, and their variables.
import { type ReadonlySignal, signal } from '@preact/signals';
import type { CannedAnswer, CannedAnswerScope } from '../../../../protocol/inbox.ts';
import { partsOf } from '../../../../protocol/locale/word-splitting.ts';
import type { InboxApi } from '../api/inbox-api.ts';

export interface CannedAnswers {
  /** By name; undefined until they were read. */
  readonly all: ReadonlySignal<readonly CannedAnswer[] | undefined>;
  /** Each rejects as the request does. */
  load(): Promise<void>;
  create(answer: { scope: CannedAnswerScope; name: string; text: string }): Promise<void>;
  update(id: string, answer: { name: string; text: string }): Promise<void>;
  remove(id: string): Promise<void>;
}

export function createCannedAnswers({ inbox, listCannedAnswers }: InboxApi): CannedAnswers {
  const all = signal<readonly CannedAnswer[] | undefined>(undefined);
  const put = (answers: readonly CannedAnswer[]) => {
    all.value = [...answers].sort((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1));
  };
  const others = (id: string) => (all.peek() ?? []).filter((answer) => answer.id !== id);
  const replace = (answer: CannedAnswer) => put([...others(answer.id), answer]);
  return {
    all,
    load: async () => put(await listCannedAnswers()),
    create: async (answer) => replace((await inbox.createCannedAnswer(answer)).cannedAnswer),
    update: async (id, answer) => replace((await inbox.updateCannedAnswer({ id, ...answer })).cannedAnswer),
    async remove(id) {
      await inbox.deleteCannedAnswer({ id });
      put(others(id));
    },
  };
}

/** The answers that have all words of a search, each at the beginning of a word; those with the words in their names first. */
export function findAnswers(answers: readonly CannedAnswer[], search: string): CannedAnswer[] {
  const terms = partsOf(search);
  const has = (text: string) => {
    const words = partsOf(text);
    return terms.every((term) => words.some((word) => word.startsWith(term)));
  };
  const named = answers.filter(({ name }) => has(name));
  return [
    ...named,
    ...answers.filter((answer) => !named.includes(answer) && has(`${answer.name} ${answer.text}`)),
  ];
}

/** A variable of a canned answer: `{{name}}` or `{{name|fallback}}`. */
const variable = /\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*(?:\|([^{}]*))?\}\}/gu;

/** The value of a variable by its name; undefined or blank if there is none. */
export type ValueOf = (name: string) => string | undefined;

/**
 * Fills in the variables of a text, each once: what a value contains is not read again. One without a value becomes its
 * fallback, and without a fallback it stays as `{{name}}`.
 */
export const fillAnswer = (text: string, lookUp: ValueOf): string =>
  text.replace(
    variable,
    (_, name: string, fallback = '') => lookUp(name)?.trim() || fallback.trim() || `{{${name}}}`,
  );

/** A variable in a text that nothing was filled in for, with its place. */
export interface EmptyVariable {
  text: string;
  from: number;
  to: number;
}

export const emptyVariables = (text: string): EmptyVariable[] =>
  [...text.matchAll(variable)].map(({ 0: match, index }) => ({
    text: match,
    from: index,
    to: index + match.length,
  }));

/** Values for the variables of an answer. */
export interface AnswerContext {
  visitorName: string | undefined;
  /** As visitors see it: never an e-mail address. */
  memberName: string | undefined;
  /** The page on which the visitor is, if it is known. */
  page?: string | undefined;
  /** The fields of the profile of the visitor. */
  fields: readonly (readonly [name: string, value: string])[];
}

/** Returns the values of the variables. A field of the profile has no part in the names that begin with another noun. */
export function valuesOf({ visitorName, memberName, page, fields }: AnswerContext): ValueOf {
  const entries: [string, string | undefined][] = [
    ...fields.map(([name, value]): [string, string] => [name, value]),
    ['visitor.name', visitorName],
    ['member.name', memberName],
    ['conversation.page', page],
  ];
  const values = new Map(entries);
  return (name) => values.get(name);
}
