// The plans of SQLite for the statements of some work, for tests that they use an index.
import type { Database, WriteTx } from '../storage/database.ts';

/**
 * Returns the steps of the plans of all statements that `work` sends, which do not run: `SEARCH … USING INDEX …: the statement`.
 * `rowOf`: the row that a statement seems to return, so that work that reads first continues.
 */
export function plansOf(
  db: Database,
  work: (tx: WriteTx) => Promise<unknown>,
  rowOf: (sql: string) => object | undefined = () => undefined,
): Promise<string[]> {
  return db.read(async (tx) => {
    const plans: string[] = [];
    const explain = async (sql: string, values: unknown[]) => {
      const steps = await tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`, ...(values as never[]));
      plans.push(...steps.map(({ detail }) => `${detail}: ${sql}`));
      return rowOf(sql);
    };
    await work({
      dialect: tx.dialect,
      get: (sql, ...values) => explain(sql, values) as never,
      all: async (sql, ...values) => [(await explain(sql, values)) ?? []].flat() as never,
      run: async (sql, ...values) => ((await explain(sql, values)) ? 1 : 0),
      async lock() {},
      afterCommit() {},
    });
    return plans;
  });
}
