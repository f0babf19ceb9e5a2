// Registers tests about what only SQLite has, such as the file of its database or its query plans, and long tests of what does not
// depend on the database.
import { type TestFunction, test } from 'vitest';
import { isPostgresTest } from '../storage/postgres/testing.ts';

/** Like `test`; on PostgreSQL there is no such test. */
export function testOnSqlite(name: string, work: TestFunction): void {
  if (!isPostgresTest()) test(name, work);
}
