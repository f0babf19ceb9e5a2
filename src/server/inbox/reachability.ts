// Stores which members have their inbox open: only they are assigned conversations.
import type { Logger } from 'pino';
import { limits } from '../../protocol/limits.ts';
import type { Database } from '../storage/database.ts';
import { setSeen } from '../storage/inbox/members.ts';

/** Milliseconds for which it is not stored again. */
const storedForMs = limits.inbox.reachable / 3;

export interface Reachability {
  /** The inbox of a member is open now. Never throws. */
  see(member: { workspaceId: string; memberId: string }): void;
  close(): Promise<void>;
}

interface ReachabilityOptions {
  db: Database;
  logger: Logger;
  now(): number;
  /** A member could not be reached, and can now. */
  onReachable(workspaceId: string): void;
}

export function createReachability({ db, logger, now, onReachable }: ReachabilityOptions): Reachability {
  /** When each member was stored. */
  const stored = new Map<string, number>();
  const writing = new Set<Promise<void>>();
  let isClosed = false;
  return {
    see({ workspaceId, memberId }) {
      const at = now();
      // An operator does not belong to the workspace.
      if (
        isClosed ||
        memberId === '' ||
        at - (stored.get(memberId) ?? Number.NEGATIVE_INFINITY) < storedForMs
      )
        return;
      stored.set(memberId, at);
      const work = db
        .write((tx) => setSeen(tx, memberId, at, at - storedForMs / 2))
        .then(
          (isNew) => {
            if (isNew) onReachable(workspaceId);
          },
          (error: unknown) => {
            stored.delete(memberId);
            if (!isClosed) logger.error({ err: error }, 'the presence of a member was not stored');
          },
        )
        .finally(() => writing.delete(work));
      writing.add(work);
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(writing);
    },
  };
}
