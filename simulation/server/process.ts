// One process of the server: the whole composition on the shared database. It can be stopped, killed, frozen, and started again.
import type { Relay } from '../../src/server/cluster/relay/relay.ts';
import type { Composition, Wiring } from '../../src/server/composition/options.ts';
import type { Settings } from '../../src/server/composition/settings.ts';
import type { Database } from '../../src/server/storage/database.ts';
import type { Realm } from '../engine/realm.ts';
import type { ServerExports } from '../product/evaluate.ts';
import { type KillPoint, ofProcess, type ProcessDatabase } from './database.ts';

export interface ProcessOptions {
  exports: ServerExports;
  db: Database;
  /** Connects the process with others; undefined when there is only one. */
  connect: (() => Relay) | undefined;
  createRealm(): Realm;
  /** Sets the realm of the evaluated modules. */
  setRealm(realm: Realm): void;
  settings: Settings;
  wiring: Omit<Wiring, 'db' | 'relay' | 'now'>;
  /** Called when its connections break. */
  onGone(): void;
}

export class ServerProcess {
  realm: Realm;
  state: 'down' | 'starting' | 'running' | 'frozen' = 'down';
  #composition: Composition | undefined;
  #database: ProcessDatabase | undefined;
  #relay: Relay | undefined;
  #thaw = () => {};
  #onGone = () => {};

  readonly name: string;
  readonly parts: ProcessOptions;

  constructor(name: string, parts: ProcessOptions) {
    this.name = name;
    this.parts = parts;
    this.realm = parts.createRealm();
  }

  get isRunning(): boolean {
    return this.state === 'running';
  }

  get workspaceId(): string {
    return this.#composition?.workspaceId ?? '';
  }

  async start(): Promise<void> {
    if (this.state !== 'down') return;
    const { parts } = this;
    this.realm = parts.createRealm();
    parts.setRealm(this.realm);
    this.state = 'starting';
    const own = ofProcess(parts.db, () => this.#gone());
    this.#database = own;
    this.#relay = parts.connect && heardBy(this.realm, parts.connect());
    const composition = await parts.exports.composeServer(parts.settings, {
      ...parts.wiring,
      db: own.db,
      relay: this.#relay,
      now: this.realm.now,
    });
    await composition.start();
    if (this.#database !== own) return;
    this.#composition = composition;
    this.state = 'running';
  }

  /** As SIGTERM: streams end, and what was begun is finished or given up. */
  async stop(): Promise<void> {
    const composition = this.#composition;
    if (this.state !== 'running' || !composition) return;
    this.state = 'starting';
    const killed = new Promise<void>((resolve) => {
      this.#onGone = resolve;
    });
    const stop = async () => {
      composition.announceStop();
      await composition.drain({ timeLimit: 1_000, closingTime: 100 });
      await composition.close();
      this.#gone();
    };
    // It can be killed by one of its own last statements.
    await Promise.race([stop(), killed]);
  }

  /** As SIGKILL, now or at a point of its work with the database. */
  kill(point?: KillPoint, count = 1): void {
    if (point) this.#database?.killAt(point, count);
    else this.#database?.kill();
  }

  /** It will not be killed at a point any more. */
  spare(): void {
    this.#database?.killAt('commit', Number.POSITIVE_INFINITY);
  }

  /** As SIGSTOP and SIGCONT. */
  freeze(): void {
    if (this.state !== 'running') return;
    this.state = 'frozen';
    this.realm.freeze();
    this.#thaw = this.#database?.freeze() ?? this.#thaw;
  }

  thaw(): void {
    if (this.state !== 'frozen') return;
    this.state = 'running';
    this.#thaw();
    this.realm.thaw();
  }

  async fetch(path: string, init: RequestInit): Promise<Response> {
    if (!this.#composition) throw new TypeError('The connection was refused.');
    return this.#composition.app.request(path, init);
  }

  #gone(): void {
    this.#onGone();
    this.state = 'down';
    this.realm.end();
    void this.#relay?.close();
    this.#composition = undefined;
    this.#database = undefined;
    this.parts.onGone();
  }
}

/** A frozen process hears what others say when it goes on; one that has ended hears nothing. */
const heardBy = (realm: Realm, relay: Relay): Relay => ({
  ...relay,
  subscribe: (topic, listener) => relay.subscribe(topic, (message) => realm.run(() => listener(message))),
  onGap: (listener) => relay.onGap(() => realm.run(listener)),
});
