// Refuses a database that cannot hold the data.
import type pg from 'pg';
import { StartError } from '../../startup/start-error.ts';

/** The oldest version of PostgreSQL that is tested. */
const oldestVersion = 14;

/** Throws StartError for an old version, and for a database that is not in UTF-8. */
export async function checkServer(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Record<'version' | 'encoding', string>>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding`,
  );
  const [{ version = '0', encoding = '' } = {}] = rows;
  const major = Math.floor(Number(version) / 10_000);
  if (major < oldestVersion) {
    throw new StartError(
      `DATABASE_URL: PostgreSQL ${oldestVersion} or later is necessary, and this is version ${major}.`,
    );
  }
  if (encoding !== 'UTF8') {
    throw new StartError(
      `DATABASE_URL: the encoding of the database is ${encoding}; create it with ENCODING 'UTF8'.`,
    );
  }
}
