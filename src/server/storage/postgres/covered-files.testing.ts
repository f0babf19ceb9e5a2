// Notes which files of `storage` have sent a statement to PostgreSQL in a run of the tests, because only a part of the tests runs
// there: a file that none of them reaches would be noticed by an operator first.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Database, Tx, WriteTx } from '../database.ts';

const storage = resolve(import.meta.dirname, '..');
const prefix = 'covered-';

/** Files of SQLite alone, and those of `platform-webchat move`, which move.test.ts starts as a process. */
const exempt = /^(?:migrations\.ts|sqlite\.ts|(?:copy|move)\.ts)$/;

/** The statements that test files of this process have sent. */
const seen = new Set<string>();

/** The files of `storage` that called this function, by the stack. */
function callers(): string[] {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = 30;
  Error.prepareStackTrace = (_, frames) => frames;
  const frames = new Error().stack as unknown as NodeJS.CallSite[];
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return frames.flatMap((frame) => {
    const [, name] = (frame.getFileName() ?? '').split(`${storage}/`);
    return name === undefined || name.includes('.testing.') ? [] : name;
  });
}

/** Returns the same database. `folder` belongs to the run; a file in it receives the names. */
export function noteCovered(db: Database, folder: string): Database {
  const note = (sql: string) => {
    if (seen.has(sql)) return;
    seen.add(sql);
    appendFileSync(join(folder, `${prefix}${process.pid}`), `${callers().join('\n')}\n`);
  };
  const reads = (tx: Tx): Tx => ({
    dialect: tx.dialect,
    get(sql, ...values) {
      note(sql);
      return tx.get(sql, ...values);
    },
    all(sql, ...values) {
      note(sql);
      return tx.all(sql, ...values);
    },
  });
  const writes = (tx: WriteTx): WriteTx => ({
    ...tx,
    ...reads(tx),
    run(sql, ...values) {
      note(sql);
      return tx.run(sql, ...values);
    },
  });
  return {
    ...db,
    read: (work) => db.read((tx) => work(reads(tx))),
    write: (work) => db.write((tx) => work(writes(tx))),
  };
}

/** The files of `storage` with statements that no test of the run has sent. */
export function uncoveredFiles(folder: string): string[] {
  const covered = new Set(
    readdirSync(folder)
      .filter((name) => name.startsWith(prefix))
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')),
  );
  return readdirSync(storage, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      /^(?!postgres\/).*(?<!\.test|\.testing|\.contract)\.ts$/.test(name) &&
      !exempt.test(name) &&
      !covered.has(name) &&
      /\btx\s*\.\s*(?:get|all|run)\b/.test(readFileSync(join(storage, name), 'utf8')),
  );
}
