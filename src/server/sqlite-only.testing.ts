// Registers tests about what only SQLite has: the file of its database, or its query plans.
import { type TestFunction, test } from 'vitest';
import { isPostgresTest } from './storage/postgres/testing.ts';

/** Like `test`; on PostgreSQL there is no such test. */
export function testOnSqlite(name: string, work: TestFunction): void {
  if (!isPostgresTest()) test(name, work);
}
