// Keeps the connections of the tests to PostgreSQL open: a pool that ends leaves them to the next one that needs the same
// database. A new connection is a new process of PostgreSQL, which reads the catalogue again for each table.
import pg from 'pg';

/** The most connections that a process of the tests keeps while nothing uses them. All share a limit of the server. */
const keptConnections = 24;

/**
 * `DISCARD ALL` without prepared statements, whose names are derived from their texts. So they are planned seldom, as those of
 * a server that runs for long.
 */
const reset =
  'CLOSE ALL; RESET ALL; UNLISTEN *; SELECT pg_advisory_unlock_all(); DISCARD SEQUENCES; DISCARD TEMP';

/** Fields of the client of `pg` about its connection, which its types leave out. */
interface Internals {
  connection: { stream: { destroyed: boolean; writableCorked: number; ref(): void; unref(): void } };
  _queryable: boolean;
  _ending: boolean;
  _ended: boolean;
  /** `I` outside of a transaction. */
  _txStatus: string | null;
  _activeQuery: unknown;
  _queryQueue: unknown[];
  _sentQueryQueue: unknown[];
}

/** The free connections of all test files of this process, which share their modules (scripts/vitest/setup.ts). */
const free: KeptClient[] = [];

/** Whether an address is that of the PostgreSQL of this run, not of a proxy before it or of another one. */
const isOfRun = (url: string) =>
  new URL(url).host === new URL(process.env.TEST_DATABASE_URL ?? 'postgres://none').host;

/** A client that is connected already when an earlier one has left its connection. */
export class KeptClient extends pg.Client {
  private readonly url: string;
  /** The common options of interchangeable connections. */
  private readonly key: string;
  private wasUsed = false;

  constructor(config: pg.ClientConfig) {
    super(config);
    this.url = config.connectionString ?? '';
    this.key = `${config.application_name} ${this.url}`;
    const index = free.findIndex(
      ({ key, internals }) => key === this.key && !internals.connection.stream.destroyed,
    );
    const [other] = index < 0 ? [] : free.splice(index, 1);
    // biome-ignore lint/correctness/noConstructorReturn: a pool creates its clients with `new`.
    if (other) return other;
  }

  // biome-ignore lint/suspicious/noExplicitAny: pg declares one type for a call with a callback, and one for a call without it.
  override connect(callback?: any): any {
    if (!this.wasUsed) {
      this.wasUsed = true;
      return callback ? super.connect(callback) : super.connect();
    }
    this.removeAllListeners('error');
    this.internals.connection.stream.ref();
    if (!callback) return Promise.resolve();
    process.nextTick(callback);
  }

  // biome-ignore lint/suspicious/noExplicitAny: as above.
  override end(callback?: any): any {
    if (!this.isClean()) return callback ? super.end(callback) : super.end();
    const leaving = this.leave();
    if (!callback) return leaving;
    leaving.then(() => callback(), callback);
  }

  /** Resets the session and keeps it for the next client, or ends it. */
  private async leave(): Promise<void> {
    for (const event of ['error', 'drain', 'notice', 'notification', 'end']) this.removeAllListeners(event);
    this.on('error', () => {});
    try {
      await this.query(reset);
    } catch {
      return super.end();
    }
    this.internals.connection.stream.unref();
    free.push(this);
    this.once('end', () => {
      const index = free.indexOf(this);
      if (index >= 0) free.splice(index, 1);
    });
    if (free.length > keptConnections) await free.shift()?.close();
  }

  private close(): Promise<void> {
    return super.end();
  }

  private isClean(): boolean {
    const { connection, _queryable, _ending, _ended, _txStatus, ...queues } = this.internals;
    return (
      this.wasUsed &&
      isOfRun(this.url) &&
      !connection.stream.destroyed &&
      connection.stream.writableCorked === 0 &&
      _queryable &&
      !_ending &&
      !_ended &&
      _txStatus === 'I' &&
      !queues._activeQuery &&
      queues._queryQueue.length + queues._sentQueryQueue.length === 0
    );
  }

  private get internals(): Internals {
    return this as unknown as Internals;
  }
}

/** Lets all pools of this process keep their connections. */
export function keepConnections(): void {
  const { prototype } = pg.Pool as unknown as {
    prototype: { Client: unknown; newClient(item: unknown): void };
  };
  const { newClient } = prototype;
  prototype.newClient = function (this: { Client: unknown }, item) {
    this.Client = KeptClient;
    return newClient.call(this as never, item);
  };
}
