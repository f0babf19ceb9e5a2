// SQL of the size of the database.
import type { Tx } from './database.ts';
import { forDialect } from './dialect.ts';

/** The engine of the database, and its bytes with all indexes. */
export async function describeDatabase(tx: Tx): Promise<{ engine: Tx['dialect']; bytes: number }> {
  const sql = forDialect(tx, {
    sqlite: 'SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()',
    postgres: 'SELECT pg_database_size(current_database()) AS n',
  });
  return { engine: tx.dialect, bytes: Number((await tx.get<{ n: number }>(sql))?.n ?? 0) };
}
