// The things that a worker prepares once: the evaluated server, and a database with a workspace, its members and their tokens, with
// which each run begins.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../../src/server/composition/settings.ts';
import type { Database } from '../../src/server/storage/database.ts';
import { Clock } from '../engine/clock.ts';
import { createRandom } from '../engine/random.ts';
import { epoch, Realm } from '../engine/realm.ts';
import type { Scripts } from '../product/bundle.ts';
import { evaluateServer, type ServerExports } from '../product/evaluate.ts';
import { rowsOf } from './sqlite.ts';

export const memberNames = ['Ada', 'Ben'];
export const secret = 'a secret of the simulation only';
export const base = '/chat/demo';
export const origin = 'https://chat.example';

/** Evaluated modules, with the realm for which they run now. */
export interface Slot {
  exports: ServerExports;
  realm: Realm;
}

export class Engine {
  /** The time at which the copied data was written. */
  startTime = 0;
  memberTokens: string[] = [];
  workspaceId = '';
  clock = new Clock();

  #opened: { db: Database; restore: () => void } | undefined;

  readonly scripts: Scripts;
  readonly folder: string;

  /** The database, and each process. */
  readonly slots: Slot[];

  private constructor(scripts: Scripts, folder: string, slots: Slot[]) {
    this.scripts = scripts;
    this.folder = folder;
    this.slots = slots;
  }

  static async create(scripts: Scripts, folder: string): Promise<Engine> {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const slots: Slot[] = [];
    const engine = new Engine(scripts, folder, slots);
    for (let n = 0; n < 3; n++) {
      const slot: Slot = { exports: undefined as unknown as ServerExports, realm: engine.realm(`slot ${n}`) };
      slot.exports = await evaluateServer(
        scripts,
        () => slot.realm,
        () => epoch + engine.clock.time,
      );
      slots.push(slot);
    }
    await engine.#prepare();
    return engine;
  }

  /** A realm of the present clock. */
  realm(name: string, seed = 0, onError: Realm['onError'] = () => {}): Realm {
    return new Realm(name, this.clock, createRandom(seed).fork(name), onError);
  }

  slot(n: number): Slot {
    return this.slots[n] as Slot;
  }

  /** Opens the prepared data. It must be closed before it is opened again. */
  async open(): Promise<Database> {
    const file = join(this.folder, 'prepared.db');
    this.#opened ??= { db: await this.slot(0).exports.openSqlite(file), restore: rowsOf(file) };
    const { db, restore } = this.#opened;
    restore();
    let isClosed = false;
    const ask = <T>(question: () => Promise<T>): Promise<T> =>
      isClosed ? Promise.reject(new Error('The database is closed.')) : question();
    return {
      ...db,
      read: (work) => ask(() => db.read(work)),
      write: (work) => ask(() => db.write(work)),
      isReady: () => ask(() => db.isReady()),
      purge: () => ask(() => db.purge()),
      // After everything that was begun.
      close: async () => {
        isClosed = true;
        await db.write(async () => {});
      },
    };
  }

  async #prepare(): Promise<void> {
    const { exports } = this.slot(0);
    const db = await this.clock.until(exports.openSqlite(join(this.folder, 'prepared.db')));
    const composition = await this.clock.until(
      exports.composeServer(this.settings(), { ...this.wiring(), db, bot: exports.inProcess(() => {}) }),
    );
    await this.clock.until(composition.start());
    const { workspaceId } = composition;
    this.workspaceId = workspaceId;
    for (const [n, displayName] of memberNames.entries()) {
      const id = `member_0000000000000000000000000${n}`;
      const { token } = await this.clock.until(
        db.write(async (tx) => {
          const email = `${displayName}@example.com`;
          await exports.insertMember(tx, {
            id,
            workspaceId,
            email,
            displayName,
            role: 'support',
            createdAt: 1,
          });
          return exports.issueToken(tx, {
            ...{ workspaceId, memberId: id, botId: null, integration: null },
            ...{ kind: 'personal', name: 'Simulation', createdAt: 1, expiresAt: null },
          });
        }),
      );
      this.memberTokens.push(token);
    }
    await this.clock.advance(60_000);
    await this.clock.until(composition.close());
    await this.clock.until(db.close());
    this.startTime = this.clock.time;
  }

  /** The settings of every process. */
  settings(): Settings {
    return { ...this.slot(0).exports.unlimitedSettings(), DATA_DIR: this.folder };
  }

  /** The parts of every process. */
  wiring() {
    return {
      secret,
      dist: join(this.folder, 'dist'),
      botTimeLimit: 20_000,
      logger: this.slot(0).exports.createLogger('silent', { write: () => {} }),
    };
  }
}
