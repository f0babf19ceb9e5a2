// The canned answers that a member can use: read when they are first needed, and again when they are opened.
import { type ReadonlySignal, signal } from '@preact/signals';
import type { CannedAnswer, CannedAnswerScope } from '../../../../protocol/handling/inbox.ts';
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
