// What happens to the processes and their services during a trial. Each fault ends before it resolves.
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../support/random.ts';
import type { TrialDatabase } from './database.ts';
import type { ServerProcess } from './server-process.ts';

export interface Scene {
  processes: ServerProcess[];
  database: TrialDatabase;
  random: Random;
  /** Lets the object store refuse everything with 503, or answer again. */
  setStoreRefusing(isRefusing: boolean): void;
  /** Resolves when visitors have made progress. */
  progress(): Promise<void>;
  /** Milliseconds that a process is frozen: longer than a lease. */
  freezeMs: number;
  /** A process whose events may be handled a second time while it still runs them. */
  disturbed(process: ServerProcess): void;
  /** Every exit code of a drained process. */
  exits: (number | null)[];
}

/** Any of the processes. */
const one = ({ processes, random }: Scene): ServerProcess =>
  processes[random.below(processes.length)] as ServerProcess;

const outage = ({ random }: Scene) => pause(random.between(500, 3_000));

export const faults = {
  async kill(scene) {
    const process = one(scene);
    scene.disturbed(process);
    await process.kill();
    // With others, visitors go on meanwhile.
    if (scene.processes.length > 1) await scene.progress();
    await process.start();
  },

  async freeze(scene) {
    const process = one(scene);
    scene.disturbed(process);
    process.freeze();
    await pause(scene.freezeMs);
    process.thaw();
  },

  async rolling(scene) {
    for (const process of scene.processes) {
      scene.exits.push(await process.drain());
      await process.start();
    }
  },

  async database(scene) {
    for (const process of scene.processes) scene.disturbed(process);
    await scene.database.restart();
  },

  async statements(scene) {
    for (const process of scene.processes) scene.disturbed(process);
    scene.database.statements.cut();
    await outage(scene);
    scene.database.statements.heal();
  },

  async relay(scene) {
    scene.database.relay.cut();
    await outage(scene);
    scene.database.relay.heal();
  },

  async store(scene) {
    scene.setStoreRefusing(true);
    await outage(scene);
    scene.setStoreRefusing(false);
  },

  async failover(scene) {
    for (const process of scene.processes) scene.disturbed(process);
    await scene.database.failOver();
  },
} satisfies Record<string, (scene: Scene) => Promise<void>>;

export type FaultName = keyof typeof faults;
