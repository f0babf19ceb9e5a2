// The invariants of the stress tests beyond those of the crash test (../../stress/crash/invariants.ts).
import type { Guest } from './load.ts';

/** A line that the bot has recorded. */
export interface Step {
  id: string;
  conversationId: string;
  pid: number;
  step: 'begin' | 'end';
}

/** Milliseconds in which a removal reaches every process, also when its notification is lost, and a process is frozen. */
const removalLimit = 60_000;

/** Removed participants stop listening everywhere. */
export const removedGuestsThatHear = (
  guests: readonly Pick<Guest, 'name' | 'removedAt' | 'heardAt'>[],
): string[] =>
  guests
    .filter(({ removedAt, heardAt }) => heardAt > removedAt + removalLimit)
    .map(
      ({ name, removedAt, heardAt }) =>
        `${name} heard the conversation ${Math.round(heardAt - removedAt)} ms after the removal`,
    );

/**
 * Two events of one conversation are never handled at the same time. A process that was killed or frozen has lost its events,
 * so that only those of processes that were not are compared: `pids` of others are left out.
 */
export function simultaneousEvents(steps: readonly Step[], disturbed: ReadonlySet<number>): string[] {
  const running = new Map<string, Step>();
  const faults: string[] = [];
  for (const step of steps) {
    const other = running.get(step.conversationId);
    if (step.step === 'end') {
      if (other?.id === step.id) running.delete(step.conversationId);
      continue;
    }
    if (other && !disturbed.has(other.pid)) {
      faults.push(`${step.conversationId}: ${step.id} began while ${other.id} was handled`);
    }
    running.set(step.conversationId, step);
  }
  return faults;
}

/** The last numbers of everything in a conversation follow each other, each once. `seq`: how many there have to be. */
export const sequenceFaults = (
  rows: readonly { id: string; seq: number; rows: number; distinct: number }[],
): string[] =>
  rows
    .filter(({ seq, rows: count, distinct }) => count !== distinct || distinct !== seq)
    .map(
      ({ id, seq, rows: count, distinct }) =>
        `${id}: ${count} entries with ${distinct} numbers instead of ${seq}`,
    );

/** Rows that sequenceFaults compares, for PostgreSQL: the last thousand, because the log drops older signals than these. */
export const sequenceQuery = `
  SELECT c.id, LEAST(c.seq, 1000)::int AS seq, count(e.seq)::int AS rows, count(DISTINCT e.seq)::int AS distinct
  FROM conversations c LEFT JOIN (
    SELECT conversation_id, seq FROM messages UNION ALL SELECT conversation_id, seq FROM events
    UNION ALL SELECT conversation_id, seq FROM signals s WHERE NOT EXISTS (
      SELECT 1 FROM messages m WHERE m.conversation_id = s.conversation_id AND m.seq = s.seq
      UNION ALL SELECT 1 FROM events v WHERE v.conversation_id = s.conversation_id AND v.seq = s.seq)
  ) e ON e.conversation_id = c.id AND e.seq > c.seq - 1000
  GROUP BY c.id, c.seq`;

/** A file that was acknowledged has its bytes. */
export const fileFault = (url: string, status: number, expected: Buffer, received: Buffer): string[] =>
  status === 200 && received.equals(expected)
    ? []
    : [`${url}: ${status}, ${received.length} of ${expected.length} bytes, or other ones`];
