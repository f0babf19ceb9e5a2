// Reads the processor time that processes and their threads have used, from Linux.
import { readdirSync, readFileSync } from 'node:fs';

/** The seconds in the text of a `schedstat`; 0 for a process that has ended. */
function secondsIn(path: string): number {
  try {
    return Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

/** Seconds of processor time of a process: of its main thread, and of all others. */
export interface ThreadSeconds {
  main: number;
  others: number;
}

export function threadSeconds(pid: number): ThreadSeconds {
  const main = secondsIn(`/proc/${pid}/schedstat`);
  const threads = readdirSync(`/proc/${pid}/task`).filter((thread) => Number(thread) !== pid);
  const others = threads.reduce((sum, thread) => sum + secondsIn(`/proc/${pid}/task/${thread}/schedstat`), 0);
  return { main, others };
}

/** Seconds of processor time of the processes that a PostgreSQL has now; `postmaster`: its first process. */
export function postgresSeconds(postmaster: number): number {
  const children = readFileSync(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return children
    .trim()
    .split(' ')
    .reduce((sum, pid) => sum + secondsIn(`/proc/${pid}/schedstat`), 0);
}
