// Connects a process with the other processes on the same database, as the settings say.
import { randomUUID } from 'node:crypto';
import { StartError } from '../../startup/start-error.ts';
import type { Database } from '../../storage/database.ts';
import { ensureStoreId } from '../../storage/files/uploads.ts';
import type { Relay } from './relay.ts';

export interface RelayAddresses {
  DATABASE_URL: string | undefined;
  RELAY_DATABASE_URL: string | undefined;
  RELAY_URL: string | undefined;
}

/** Returns the relay; undefined for a server with SQLite, which is one process. Throws StartError. */
export async function connectRelay(addresses: RelayAddresses, db: Database): Promise<Relay | undefined> {
  const { DATABASE_URL: url, RELAY_DATABASE_URL: direct, RELAY_URL: redis } = addresses;
  if (url === undefined) {
    const name = redis === undefined ? 'RELAY_DATABASE_URL' : 'RELAY_URL';
    if ((redis ?? direct) === undefined) return undefined;
    throw new StartError(`${name}: set DATABASE_URL, too, because several processes need PostgreSQL.`);
  }
  if (redis === undefined) {
    const { connectPostgresRelay } = await import('./postgres-relay.ts');
    return connectPostgresRelay(direct ?? url, direct === undefined ? 'DATABASE_URL' : 'RELAY_DATABASE_URL');
  }
  const { connectRedisRelay } = await import('./redis-relay.ts');
  // An id of this database, which all processes have, and no other server.
  return connectRedisRelay(redis, await db.write((tx) => ensureStoreId(tx, randomUUID())));
}
