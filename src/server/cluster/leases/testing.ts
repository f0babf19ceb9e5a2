// Servers of one test cluster that can be frozen, killed and replaced. Their leases are ended by hand, so that no test
// waits for a clock. And a record of what their bots handle.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Bot, BotEvent, BotHandler } from '../../../protocol/bot.ts';
import type { Database } from '../../storage/database.ts';
import { isPostgresTest, releaseTestDatabase } from '../../storage/postgres/testing.ts';
import {
  openTestDatabase,
  pollOptions,
  startTestServer,
  type TestOptions,
  type TestServer,
} from '../../testing.ts';
import { createMemoryRelayHub, type MemoryRelayHub } from '../relay/memory-relay.testing.ts';
import { createUnreliableProcess, type UnreliableProcess } from './unreliable-process.testing.ts';

/** A server that is one of several processes. */
export type UnreliableServer = TestServer & { process: UnreliableProcess };

export interface UnreliableCluster {
  servers: UnreliableServer[];
  hub: MemoryRelayHub;
  /** A connection that no fault concerns. */
  db: Database;
  /** Starts a further server. */
  add(options?: TestOptions): Promise<UnreliableServer>;
  /** The lease of the server is over, by the clock of the database. */
  expire(server: UnreliableServer): Promise<void>;
  close(): Promise<void>;
}

export async function startUnreliableCluster(
  count: number,
  optionsOf: (n: number) => TestOptions,
): Promise<UnreliableCluster> {
  const home = await mkdtemp(join(tmpdir(), 'webchat-test-'));
  const hub = createMemoryRelayHub();
  const db = await openTestDatabase(home);
  const connections = [db];
  const servers: UnreliableServer[] = [];

  async function add(options: TestOptions = {}): Promise<UnreliableServer> {
    const own = isPostgresTest() ? await openTestDatabase(home) : db;
    if (own !== db) connections.push(own);
    const process = createUnreliableProcess(own, hub.connect());
    const all = { ...optionsOf(servers.length), ...options };
    const started = await startTestServer({ ...all, db: process.db, relay: process.relay }, home);
    const server = Object.assign(started, { process });
    servers.push(server);
    return server;
  }

  // The first one creates what others find.
  for (let n = 0; n < count; n += 1) await add();
  return {
    servers,
    hub,
    db,
    add,
    async expire({ process: { lease = '' } }) {
      await db.write((tx) => tx.run('UPDATE delivery_leases SET leased_until = 0 WHERE id = ?', lease));
    },
    async close() {
      for (const { process } of servers) process.thaw();
      for (const { composition } of servers) await composition.close().catch(() => {});
      for (const connection of connections.reverse()) await connection.close();
      await releaseTestDatabase(home);
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** One run of a handler that recordRuns has created. */
export interface Run {
  /** The number of the server. */
  server: number;
  text: string;
  event: BotEvent;
  bot: Bot;
  /** Lets the handler return, or throw. */
  end(error?: Error): void;
}

export interface Runs {
  list: Run[];
  /** While true, which is the default, a handler returns only when its run is ended. */
  isHeld: boolean;
  /** The handler of a server, which records texts of visitors. */
  handlerOf(server: number): BotHandler;
  /** The run with this number; throws when there is none. */
  at(n: number): Run;
  /** The server and the text of each run. */
  handled(): string[];
  /** Waits until these were handled: the server and the text of each. */
  until(expected: string[]): Promise<void>;
}

/** Records what the handlers of several servers do, and holds them until they are ended. */
export function recordRuns(): Runs {
  const list: Run[] = [];
  const runs: Runs = {
    list,
    isHeld: true,
    handlerOf: (server) => async (event, bot) => {
      if (event.type !== 'text') return;
      let end = (_?: Error) => {};
      const ended = new Promise<void>((resolve, reject) => {
        end = (error) => (error ? reject(error) : resolve());
      });
      ended.catch(() => {});
      list.push({ server, text: event.preview, event, bot, end });
      if (runs.isHeld) await ended;
    },
    at(n) {
      const found = list[n];
      if (!found) throw new Error(`There is no run ${n}.`);
      return found;
    },
    handled: () => list.map(({ server, text }) => `${server} ${text}`),
    until: (expected) => expect.poll(runs.handled, pollOptions).toEqual(expected),
  };
  return runs;
}

/** The attempts, owners and states of the events of an unreliable cluster. */
export const storedDeliveries = ({ db }: Pick<UnreliableCluster, 'db'>) =>
  db.read((tx) =>
    tx.all<{ attempts: number; owner: string | null; state: string }>(
      'SELECT attempts, owner, state FROM deliveries ORDER BY seq',
    ),
  );
