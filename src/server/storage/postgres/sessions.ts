// Asks whether an address gives each connection a session of its own, as PostgreSQL does, or whether a connection pooler
// shares sessions between transactions, as PgBouncer does in transaction mode.
import pg from 'pg';

export interface Sessions {
  /** True when a transaction can be in another session than the one before: locks, settings and LISTEN are lost. */
  areShared: boolean;
  /** False when a prepared statement can be missing, or belong to another process. */
  keepsStatements: boolean;
}

/** How often both connections ask. A pooler that is idle gives one the session of the other at the first question. */
const rounds = 20;

/**
 * The same name and text in all processes: one that another process has left shows that sessions are shared, and nothing
 * else is left there.
 */
const question = { name: 'webchat_session', text: 'SELECT pg_backend_pid() AS pid' };

/** duplicate_prepared_statement, invalid_sql_statement_name. */
const statementErrors = new Set<unknown>(['42P05', '26000']);

/** Two connections compare the ids of their sessions. Rejects when the database cannot be reached. */
export async function inspectSessions(url: string): Promise<Sessions> {
  const clients = [0, 1].map(
    () => new pg.Client({ connectionString: url, application_name: 'platform-webchat sessions' }),
  );
  try {
    for (const client of clients) {
      client.on('error', () => {});
      await client.connect();
    }
    const sessions: Sessions = { areShared: false, keepsStatements: true };
    /** The session of each client at its last question. */
    const pids: number[] = [];
    for (let round = 0; round < rounds && sessions.keepsStatements; round += 1) {
      for (const [index, client] of clients.entries()) {
        const pid = await sessionOf(client);
        if (pid === undefined) return { areShared: true, keepsStatements: false };
        const isOther = pids[index] !== undefined && pids[index] !== pid;
        if (isOther || pids[1 - index] === pid) sessions.areShared = true;
        pids[index] = pid;
      }
    }
    return sessions;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {})));
  }
}

/** Undefined when the session does not know its prepared statement, or knows one of another process. */
async function sessionOf(client: pg.Client): Promise<number | undefined> {
  try {
    return (await client.query<{ pid: number }>(question)).rows[0]?.pid;
  } catch (error) {
    if (statementErrors.has((error as { code?: unknown }).code)) return undefined;
    throw error;
  }
}
