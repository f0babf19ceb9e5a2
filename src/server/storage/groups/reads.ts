// Gathers reads that come at the same time, so that one statement answers them.
import type { Database, Tx } from '../database.ts';
import { createGroups, withoutFaultOfOthers } from './groups.ts';

/**
 * Returns a function that reads something together with the same reads of others. `readAll` answers several of them in their
 * order; if it fails for another reason than the database, each is answered by `readOne`, so that one that cannot be
 * answered is not the fault of the others. One read alone is not delayed.
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
