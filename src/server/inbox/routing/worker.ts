// Assigns again what nobody answers, and what waits after a trigger was lost, and tells visitors that their places in the queue
// have changed. One process of a server does it.
import type { Logger } from 'pino';
import { limits } from '../../../protocol/limits.ts';
import type { Transcript } from '../../chat/index.ts';
import type { Processes, Worker } from '../../jobs/processes.ts';
import { createScheduledWorker } from '../../jobs/scheduled-worker.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import type { Database } from '../../storage/database.ts';
import { setAvailability } from '../../storage/inbox/members.ts';
import { changedPlaces, unanswered, workspacesToRoute } from '../../storage/inbox/routing.ts';
import type { Routing } from './routing.ts';

/** Conversations that are read at once. */
const batchSize = 100;

interface RoutingWorkerOptions {
  processes: Pick<Processes, 'assign'>;
  transcript: Pick<Transcript, 'handlings'>;
  routing: Pick<Routing, 'route'>;
  logger: Logger;
  now(): number;
}

/** Begins to look every 30 seconds, with the start of `processes`. */
export function assignRouting({ processes, ...options }: RoutingWorkerOptions): void {
  processes.assign('route conversations', (db) => createRoutingWorker({ ...options, db }));
}

type WorkerOptions = Omit<RoutingWorkerOptions, 'processes'> & { db: Database };

function createRoutingWorker({ db, transcript, routing, logger, now }: WorkerOptions): Worker {
  /** Puts a conversation back, if it is still unanswered. */
  const putBack = (id: string, lateBefore: number) =>
    db.write(async (tx) => {
      await tx.lock(`conversation:${id}`);
      const conversation = await conversationById(tx, id);
      const [found] = await unanswered(tx, lateBefore, 1, id);
      if (!conversation || !found) return;
      await transcript.handlings.release(tx, conversation, 'system');
      if (!found.isLate) return;
      await setAvailability(tx, found.memberId, 'away', 'no_answer');
      transcript.handlings.tellMembers(tx, found.workspaceId, found.memberId);
    });
  const tellPlace = (id: string) =>
    db.write(async (tx) => {
      await tx.lock(`conversation:${id}`);
      const conversation = await conversationById(tx, id);
      if (conversation) await transcript.handlings.tellPlace(tx, conversation);
    });
  return createScheduledWorker({
    async run(isClosed) {
      const lateBefore = now() - limits.inbox.noAnswerAfter;
      for (const { conversationId } of await db.read((tx) => unanswered(tx, lateBefore, batchSize)))
        if (!isClosed()) await putBack(conversationId, lateBefore);
      for (const workspaceId of await db.read(workspacesToRoute))
        if (!isClosed()) await routing.route(workspaceId, db);
      for (const id of await db.read((tx) =>
        changedPlaces(tx, now() - limits.inbox.placeInterval, batchSize),
      ))
        if (!isClosed()) await tellPlace(id);
      return true;
    },
    nextTime: async () => undefined,
    failure: 'assigning conversations failed',
    logger,
    now,
  });
}
