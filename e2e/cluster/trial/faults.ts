// The faults of a trial, which affect the processes and their services. Each function resolves after its fault has
// ended.
import { setTimeout as pause } from 'node:timers/promises';
import type { ServerProcess } from '../../support/processes/server-process.ts';
import type { Random } from '../../support/random.ts';
import type { TrialDatabase } from './database.ts';

export interface Fixture {
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
  /** From now on, streams that were being written may be lost. */
  setDatabaseReplaced(): void;
  /** The entry point of the built server that processes are upgraded to. */
  main: string;
  /** Every exit code of a drained process. */
  exits: (number | null)[];
}

/** Any of the processes. */
const one = ({ processes, random }: Fixture): ServerProcess =>
  processes[random.below(processes.length)] as ServerProcess;

const outage = ({ random }: Fixture) => pause(random.between(500, 3_000));

export const faults = {
  async kill(fixture) {
    const process = one(fixture);
    fixture.disturbed(process);
    await process.kill();
    // With others, visitors go on meanwhile.
    if (fixture.processes.length > 1) await fixture.progress();
    await process.start();
  },

  async freeze(fixture) {
    const process = one(fixture);
    fixture.disturbed(process);
    process.freeze();
    await pause(fixture.freezeMs);
    process.thaw();
  },

  async rolling(fixture) {
    for (const process of fixture.processes) {
      fixture.exits.push(await process.drain());
      await process.start();
    }
  },

  /** A rolling restart with another build: meanwhile two versions run, and a killed process of either comes back. */
  async upgrade(fixture) {
    for (const process of fixture.processes) {
      fixture.exits.push(await process.drain());
      process.replace(fixture.main);
      await process.start();
      await fixture.progress();
      await faults.kill(fixture);
    }
  },

  async database(fixture) {
    for (const process of fixture.processes) fixture.disturbed(process);
    await fixture.database.restart();
  },

  async statements(fixture) {
    for (const process of fixture.processes) fixture.disturbed(process);
    fixture.database.statements.disconnect();
    await outage(fixture);
    fixture.database.statements.reconnect();
  },

  async relay(fixture) {
    fixture.database.relay.disconnect();
    await outage(fixture);
    fixture.database.relay.reconnect();
  },

  async store(fixture) {
    fixture.setStoreRefusing(true);
    await outage(fixture);
    fixture.setStoreRefusing(false);
  },

  async failover(fixture) {
    for (const process of fixture.processes) fixture.disturbed(process);
    fixture.setDatabaseReplaced();
    await fixture.database.failOver();
  },
} satisfies Record<string, (fixture: Fixture) => Promise<void>>;

export type FaultName = keyof typeof faults;
