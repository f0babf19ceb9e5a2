// Checks whether each connection to an address has its own session, as with PostgreSQL, or whether a connection pooler
// shares sessions between transactions, as PgBouncer does in transaction mode.
import pg from 'pg';

export interface ConnectionSessions {
  /** True if consecutive transactions can use different sessions: locks, settings and LISTEN are then lost. */
  areShared: boolean;
  /** False if a prepared statement can be missing, or belong to another process. */
  keepsStatements: boolean;
}

/**
 * The number of checks on both connections. An idle pooler gives one connection the session of the other at the first
 * check.
 */
const rounds = 20;

/**
 * The same name and text in all processes: a statement that another process has left shows that sessions are shared.
 * Nothing else is left in the session.
 */
const question = { name: 'webchat_session', text: 'SELECT pg_backend_pid() AS pid' };

/** duplicate_prepared_statement, invalid_sql_statement_name. */
const statementErrors = new Set<unknown>(['42P05', '26000']);

/** Two connections compare the ids of their sessions. Rejects when the database cannot be reached. */
export async function inspectSessions(url: string): Promise<ConnectionSessions> {
  const clients = [0, 1].map(
    () => new pg.Client({ connectionString: url, application_name: 'platform-webchat sessions' }),
  );
  try {
    for (const client of clients) {
      client.on('error', () => {});
      await client.connect();
    }
    const sessions: ConnectionSessions = { areShared: false, keepsStatements: true };
    /** The session of each client at its last check. */
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
