// Groups reads that arrive at the same time, so that one statement answers them.
import type { Database, Tx } from '../database.ts';
import { createGroups, withoutFaultOfOthers } from './groups.ts';

/**
 * Returns a function that reads something together with the same reads of others. `readAll` answers several of them in
 * their order. If it fails for another reason than the database, `readOne` answers each of them, so that one failing
 * read does not affect the others. A single read is not delayed.
 */
export function createReads<Question, Answer>(
  db: Pick<Database, 'read'>,
  readAll: (tx: Tx, questions: readonly Question[]) => Promise<Answer[]>,
  readOne: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  type Result = { answer: Answer } | undefined;
  const read = createGroups(
    (questions: Question[]): Promise<Result[]> =>
      withoutFaultOfOthers(questions, async () =>
        (await db.read((tx) => readAll(tx, questions))).map((answer) => ({ answer })),
      ),
    { weigh: () => 0, gatherTime: 0, maxRunning: 1 },
  );
  return async (question) => {
    const found = await read(question);
    return found ? found.answer : readOne(question);
  };
}
