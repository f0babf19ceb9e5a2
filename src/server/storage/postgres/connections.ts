// Connections to PostgreSQL, statements on them, and named locks.
import type { Writable } from 'node:stream';
import pg from 'pg';
import { publish } from '../../startup/events.ts';
import type { Parameter, Tx, WriteTx } from '../database.ts';
import { arrayText } from '../dialect.ts';
import { type LockName, sortLocks } from '../locks.ts';
import { fieldOf, rowOf } from '../table.ts';
import { type Availability, destroy, unavailable } from './availability.ts';
import { isConnectionLost, isPoolEnded, pauseAfter, retryCode } from './failures.ts';
import { checkedValues, columnTypes, type Statement } from './statements.ts';

/** Time limit in milliseconds for opening a connection, and for waiting for a free one. */
const connectTimeoutMs = 5_000;
/** Milliseconds after which an idle connection is closed: a new one has to prepare and plan all statements again. */
const idleTimeMs = 5 * 60_000;

/**
 * The database ends a transaction whose process sends nothing for 10 seconds. This is less than a lease: a frozen
 * process must not keep the locks that others need to take over its work. Not a parameter of the connection, because
 * poolers reject unknown ones.
 */
const idleLimit = (scope: '' | 'LOCAL ') => `SET ${scope}idle_in_transaction_session_timeout = 10000;`;

/** The same for one transaction, for poolers that share sessions. */
export const idleLimitOfTransaction = idleLimit('LOCAL ');

/** `areShared`: see sessions.ts. */
export function createPool(url: string, max: number, areShared = false): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleTimeMs,
    keepAlive: true,
    // A statement is sent without waiting for the response to the one before.
    pipeline: true,
    application_name: 'platform-webchat',
    types: columnTypes as pg.CustomTypesConfig,
  });
  // Without a listener, a closed connection would end the process. Its statements fail, and the pool opens another
  // connection.
  pool.on('error', () => {});
  const open = new Set<pg.PoolClient>();
  opened.set(pool, open);
  pool.on('connect', (client) => {
    client.on('error', () => {});
    if (!areShared) client.query(idleLimit('')).catch(() => {});
    open.add(client);
  });
  pool.on('remove', (client) => open.delete(client));
  return pool;
}

/** The connections of each pool. */
const opened = new WeakMap<pg.Pool, Set<pg.PoolClient>>();

/**
 * Closes all connections of a pool whose database does not respond: their statements fail, and the pool opens others.
 */
export function endConnections(pool: pg.Pool): void {
  for (const client of opened.get(pool) ?? []) destroy(client);
}

/**
 * Takes a connection of the pool. Rejects with DatabaseUnavailable if the database has not responded since `since` for
 * too long.
 */
export async function connect(
  pool: pg.Pool,
  availability: Availability,
  since: number,
): Promise<pg.PoolClient> {
  const connecting = pool.connect();
  try {
    return await availability.orLost(since, connecting);
  } catch (error) {
    // A connection that arrives later is returned to the pool.
    connecting.then(
      (client) => client.release(),
      () => {},
    );
    throw error;
  }
}

/** A connection, or the pool, which takes any connection for each statement. */
type Connection = Pick<pg.ClientBase, 'query'> | pg.Pool;

/** Each row as a list. */
type Result = pg.QueryArrayResult<unknown[]>;

function run(connection: Connection, { text, name }: Statement, values: Parameter[]): Promise<Result> {
  const config = { text, values: checkedValues(values), rowMode: 'array' as const };
  return connection.query(name === undefined ? config : { ...config, name });
}

/** The names of columns in rows. There are few, because texts of statements contain no values of requests. */
const fields = new Map<string, string>();

function fieldNamed(column: string): string {
  const cachedField = fields.get(column);
  if (cachedField !== undefined) return cachedField;
  const field = fieldOf(column);
  fields.set(column, field);
  return field;
}

function rowsOf<Row>(result: Result): Row[] {
  const names = result.fields.map(({ name }) => fieldNamed(name));
  return result.rows.map((row) => rowOf<Row>(names, row));
}

/**
 * Reads on any connection; each statement is retried if its connection was lost. `isClosed`: whether the pool is closed
 * or closing, so that waiting statements get no connection.
 */
export function reading(
  pool: pg.Pool,
  statementOf: (sql: string) => Statement,
  availability: Availability,
  isClosed: () => boolean = () => false,
): Tx {
  const query = async (sql: string, values: Parameter[]) => {
    const statement = statementOf(sql);
    if (!statement.isQuery) throw new Error('A read cannot write.');
    const since = availability.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await availability.orLost(since, run(pool, statement, values));
        availability.answered();
        return result;
      } catch (error) {
        const isEnded = isClosed() && (isPoolEnded(error) || isConnectionLost(error));
        if (!isEnded && !isConnectionLost(error)) throw error;
        if (isEnded || availability.isLost(since)) throw unavailable(error);
        publish('databaseRetry', { code: retryCode(error) });
        await pauseAfter(attempt, error);
      }
    }
  };
  return {
    dialect: 'postgres',
    get: async <Row>(sql: string, ...values: Parameter[]) => rowsOf<Row>(await query(sql, values))[0],
    all: async <Row>(sql: string, ...values: Parameter[]) => rowsOf<Row>(await query(sql, values)),
  };
}

/** The statements of a transaction on one connection. */
export interface Writing {
  tx: WriteTx;
  /** Resolves when all statements that were sent without waiting have succeeded. */
  settled(): Promise<unknown>;
}

/**
 * Returns the statements of a transaction. `begun`: the response to its first statement, which was sent. The beginning
 * and the locks are sent together with the statement after them, without waiting for their responses. PostgreSQL
 * executes the statements in order, so the statement runs with the locks.
 */
export function writing(
  client: pg.ClientBase,
  statementOf: (sql: string) => Statement,
  begun: Promise<unknown>,
  afterCommit: WriteTx['afterCommit'],
): Writing {
  let unanswered = begun;
  begun.catch(() => {});
  const query = async (sql: string, values: Parameter[]) => {
    const before = unanswered;
    sendTogether(client);
    const sent = run(client, statementOf(sql), values);
    // After a failed statement all later ones fail, too; the first error has the reason.
    sent.catch(() => {});
    await before;
    return sent;
  };
  const tx: WriteTx = {
    dialect: 'postgres',
    get: async <Row>(sql: string, ...values: Parameter[]) => rowsOf<Row>(await query(sql, values))[0],
    all: async <Row>(sql: string, ...values: Parameter[]) => rowsOf<Row>(await query(sql, values)),
    run: async (sql, ...values) => (await query(sql, values)).rowCount ?? 0,
    async lock(...names) {
      for (const { sql, values } of statementsOf(names)) {
        unanswered = query(sql, values);
        unanswered.catch(() => {});
      }
    },
    afterCommit,
  };
  return { tx, settled: () => unanswered };
}

/** Sends what is written to a connection from now on at once, when the code that runs now has ended. */
export function sendTogether(client: pg.ClientBase): void {
  // Not in the types of `pg`.
  const { stream } = (client as pg.ClientBase & { connection: { stream: Writable } }).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

const prefix = 'conversation:';

/** A statement that takes some of the locks, and its parameter. */
interface Taking {
  sql: string;
  values: [string];
}

/**
 * The statements that take these locks in their order. The lock of a conversation is that of its row, which a new
 * sequence number takes, too. All others are advisory locks with a 64-bit hash of the name: two names with the same
 * hash only wait for each other.
 */
export function statementsOf(names: readonly LockName[]): Taking[] {
  const sorted = sortLocks(names);
  const first = sorted.findIndex((name) => name.startsWith(prefix));
  if (first === -1) return advisory(sorted);
  const end = sorted.findLastIndex((name) => name.startsWith(prefix)) + 1;
  const ids = sorted.slice(first, end).map((name) => name.slice(prefix.length));
  const rows: Taking = {
    sql: 'SELECT 1 FROM conversations WHERE id = ANY (?) ORDER BY id FOR UPDATE',
    values: [arrayText(ids)],
  };
  return [...advisory(sorted.slice(0, first)), rows, ...advisory(sorted.slice(end))];
}

function advisory(names: LockName[]): Taking[] {
  if (names.length === 0) return [];
  // The rows of unnest have the order of the array.
  const sql =
    'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM unnest(CAST(? AS text[])) AS names (name)';
  return [{ sql, values: [arrayText(names)] }];
}
