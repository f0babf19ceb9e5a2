// Assigns conversations that wait in the queues of teams to members, one after the other, each to whose turn it is.
import type { Logger } from 'pino';
import { limits } from '../../protocol/limits.ts';
import { isPermitted, roles } from '../../protocol/permissions.ts';
import { personOfMember, type Transcript } from '../chat/index.ts';
import type { Processes, Worker } from '../jobs/processes.ts';
import { createScheduledWorker } from '../jobs/scheduled-worker.ts';
import { holdMember } from '../storage/admin/workspaces.ts';
import { conversationById } from '../storage/chat/conversations.ts';
import type { Database } from '../storage/database.ts';
import { findHandling } from '../storage/inbox/handlings.ts';
import { nextAssignee, recordTurn, setAvailability } from '../storage/inbox/members.ts';
import {
  automaticTeams,
  changedPlaces,
  firstWaiting,
  unanswered,
  workspacesToRoute,
} from '../storage/inbox/routing.ts';
import { findTeam } from '../storage/inbox/teams.ts';

/** The roles whose members answer visitors. */
export const answeringRoles = roles.filter((role) => isPermitted(role, 'inbox.write'));

export interface Routing {
  /** Assigns what waits in a workspace soon, after something has changed that can matter. Never throws. */
  wake(workspaceId: string): void;
  /** Does it now, and resolves when nothing more can be assigned. `db`: of the worker that asks. */
  route(workspaceId: string, db?: Database): Promise<void>;
  /** Ends; resolves when nothing is written any more. */
  close(): Promise<void>;
}

interface RoutingOptions {
  db: Database;
  transcript: Pick<Transcript, 'handlings'>;
  logger: Logger;
  now(): number;
}

export function createRouting({ db: ownDb, transcript, logger, now }: RoutingOptions): Routing {
  let isClosed = false;
  /** The run of each workspace; true if it has to look again afterwards. */
  const runs = new Map<string, { again: boolean; done: Promise<void> }>();

  /** Assigns the first conversation of a team. Returns false if nobody can take it, or nothing waits. */
  async function assignFirst(db: Database, workspaceId: string, teamId: string): Promise<boolean> {
    const id = await db.read((tx) => firstWaiting(tx, teamId));
    if (id === undefined) return false;
    return db.write(async (tx) => {
      // The lock of the workspace's routing comes last: its holder counts what members have, and nobody else assigns.
      await tx.lock(`conversation:${id}`, `routing:${workspaceId}`);
      const handling = await findHandling(tx, id);
      const conversation = await conversationById(tx, id);
      const team = await findTeam(tx, workspaceId, teamId);
      // It was taken, moved or deleted meanwhile: another one is the first now.
      if (!conversation || !team || handling?.state !== 'waiting' || handling.teamId !== teamId)
        return team !== undefined;
      if (team.mode === 'manual') return false;
      const seenAfter = now() - limits.inbox.reachable;
      const memberId = await nextAssignee(tx, team, answeringRoles, seenAfter);
      const member = memberId === undefined ? undefined : await holdMember(tx, workspaceId, memberId);
      if (!member) return false;
      await transcript.handlings.route(tx, conversation, {
        memberId: member.id,
        person: personOfMember(member),
      });
      await recordTurn(tx, teamId, member.id, now());
      return true;
    });
  }

  async function run(workspaceId: string, db: Database): Promise<void> {
    for (const { id } of await db.read((tx) => automaticTeams(tx, workspaceId)))
      while (!isClosed && (await assignFirst(db, workspaceId, id)));
  }

  /** Runs once at a time for each workspace. Requests during a run cause one more run. */
  function route(workspaceId: string, db = ownDb): Promise<void> {
    if (isClosed) return Promise.resolve();
    const running = runs.get(workspaceId);
    if (running) {
      running.again = true;
      return running.done;
    }
    const started = { again: false, done: Promise.resolve() };
    started.done = (async () => {
      try {
        do {
          started.again = false;
          await run(workspaceId, db);
        } while (started.again && !isClosed);
      } finally {
        runs.delete(workspaceId);
      }
    })();
    runs.set(workspaceId, started);
    return started.done;
  }

  return {
    route,
    wake(workspaceId) {
      route(workspaceId).catch((error: unknown) => {
        // The worker tries again.
        if (!isClosed) logger.error({ err: error }, 'assigning conversations failed');
      });
    },
    async close() {
      isClosed = true;
      await Promise.allSettled([...runs.values()].map(({ done }) => done));
    },
  };
}

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

/**
 * Assigns unanswered conversations again, also after a lost trigger, and notifies visitors of new places in the queue. One
 * process of a server does it.
 */
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
      transcript.handlings.publishMembers(tx, found.workspaceId, found.memberId);
    });
  const notifyPlace = (id: string) =>
    db.write(async (tx) => {
      await tx.lock(`conversation:${id}`);
      const conversation = await conversationById(tx, id);
      if (conversation) await transcript.handlings.notifyPlace(tx, conversation);
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
        if (!isClosed()) await notifyPlace(id);
      return true;
    },
    nextTime: async () => undefined,
    failure: 'assigning conversations failed',
    logger,
    now,
  });
}
