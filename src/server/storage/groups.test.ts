// Tests of entries that are gathered: each gets its own result, in groups whose size and number are limited.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Tx } from './database.ts';
import { createGroups, createReads } from './groups.ts';

/** Groups that end when they are told to. */
function held(options: { maxSize?: number; gatherTime?: number; maxRunning?: number } = {}) {
  const groups: { entries: string[]; end(error?: Error): void }[] = [];
  const add = createGroups(
    (entries: string[]) =>
      new Promise<string[]>((resolve, reject) => {
        const end = (error?: Error) =>
          error ? reject(error) : resolve(entries.map((entry) => entry.toUpperCase()));
        groups.push({ entries, end });
      }),
    { weigh: (entry) => entry.length, ...options },
  );
  const sizes = () => groups.map(({ entries }) => entries.join(' '));
  const untilGroups = (expected: string[]) => expect.poll(sizes).toEqual(expected);
  return { add, groups, untilGroups };
}

describe('groups', () => {
  test('what comes in one turn is one group, and each entry gets its own result', async () => {
    const { add, groups, untilGroups } = held();
    const results = Promise.all(['a', 'b', 'c'].map(add));
    await untilGroups(['a b c']);
    groups[0]?.end();
    expect(await results).toEqual(['A', 'B', 'C']);
  });

  test('with one group at a time, all that comes meanwhile is the next one, in the order of the calls', async () => {
    const { add, groups, untilGroups } = held({ maxRunning: 1, gatherTime: 0 });
    const first = add('a');
    await untilGroups(['a']);
    const others = [add('b')];
    await new Promise(setImmediate);
    others.push(add('c'), add('d'));
    await new Promise(setImmediate);
    expect(groups).toHaveLength(1);
    groups[0]?.end();
    await untilGroups(['a', 'b c d']);
    groups[1]?.end();
    expect(await Promise.all([first, ...others])).toEqual(['A', 'B', 'C', 'D']);
  });

  test('a group that fails rejects its own entries, and the next one runs', async () => {
    const { add, groups, untilGroups } = held({ maxRunning: 1 });
    const failed = Promise.allSettled([add('a'), add('b')]);
    await untilGroups(['a b']);
    const next = add('c');
    groups[0]?.end(new Error('no'));
    expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await untilGroups(['a b', 'c']);
    groups[1]?.end();
    expect(await next).toBe('C');
  });

  test('at most as many entries as allowed are in a group', async () => {
    const { add, groups, untilGroups } = held({ maxSize: 2, maxRunning: 1 });
    const results = Promise.all(['a', 'b', 'c'].map(add));
    await untilGroups(['a b']);
    groups[0]?.end();
    await untilGroups(['a b', 'c']);
    groups[1]?.end();
    expect(await results).toEqual(['A', 'B', 'C']);
  });
});

test('reads that are gathered get the answers of each alone, also beside one that cannot be answered', async () => {
  const db = { read: <T>(work: (tx: Tx) => Promise<T>) => work({} as Tx) };
  const answer = (question: number) => {
    if (question === 0) throw new Error('There is no answer.');
    return question * 2;
  };
  let together = 0;
  const read = createReads(
    db,
    async (_, questions: readonly number[]) => {
      together += 1;
      return questions.map(answer);
    },
    async (question) => answer(question),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5), { minLength: 1, maxLength: 20 }), async (questions) => {
      together = 0;
      const answers = await Promise.allSettled(questions.map(read));
      expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : undefined))).toEqual(
        questions.map((question) => (question === 0 ? undefined : question * 2)),
      );
      expect(together).toBe(1);
    }),
  );
});
