// Pushes answers of persons to the browsers of visitors who have not read them. One process of a server does it.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Processes, Worker } from '../jobs/processes.ts';
import { createScheduledWorker } from '../jobs/scheduled-worker.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import {
  beginAttempt,
  deleteNotification,
  dueNotifications,
  insertNextNotification,
  type NotificationRow,
  nextNotification,
  postpone,
  setSent,
  unseenAnswers,
  waitingNotification,
} from '../storage/notifications/answers.ts';
import {
  deletePushSubscription,
  hasPushSubscription,
  type PushSubscriptionRow,
  pushSubscriptionsOf,
  setPushSent,
} from '../storage/notifications/push-subscriptions.ts';
import { answerOf } from './answer-mail-text.ts';
import { type AnswerNotice, lockDue } from './due-answers.ts';
import { type PushRequest, pushRequest } from './push-message.ts';
import { type PushSender, pushLifetimeSeconds } from './push-sender.ts';
import { createReturnLink } from './return-links.ts';

const minuteMs = 60_000;
/** The numbers of notifications that are read at once, and whose pushes are sent at once. */
const batchSize = 50;
const atOnce = 8;
/** Attempts for each notification. */
const maxAttempts = 6;
/** The time until a push whose result is unknown is sent again: longer than the push service may take. */
const sendTimeoutMs = minuteMs;
/** Milliseconds before each further attempt. */
const delays = [0.5, 2, 10, 60, 240].map((minutes) => minutes * minuteMs);

export interface AnswerPushOptions {
  db: Database;
  processes: Pick<Processes, 'assign'>;
  sender: PushSender;
  /** Whether notifications show the text of an answer. */
  hasText: boolean;
  /** The address of the server, with which links begin. */
  address: string;
  /** Milliseconds after an answer until it is pushed. */
  delay: number;
  logger: Logger;
  now(): number;
}

/** Begins to push answers with the start of `processes`. Returns a function that looks for what is due. */
export function assignAnswerPushes({ processes, ...options }: AnswerPushOptions): () => void {
  const role = processes.assign('push answers', (db) => createPushWorker({ ...options, db }));
  return () => role.worker?.wake?.(false);
}

/** A notification whose attempt has begun, and a request for each browser that has not got it. */
interface Prepared {
  row: NotificationRow;
  /** The sequence number of the answer. */
  seq: number;
  pushes: { subscription: PushSubscriptionRow; request: PushRequest }[];
}

function createPushWorker(options: Omit<AnswerPushOptions, 'processes'>): Worker {
  const { db, sender, hasText, address, delay, logger, now } = options;
  const closing = new AbortController();
  // Each push that is being sent listens.
  setMaxListeners(0, closing.signal);

  /** Begins the attempt to push a notification; undefined if none is pushed now. */
  async function prepare(tx: WriteTx, due: NotificationRow): Promise<Prepared | undefined> {
    const { row, conversation, bot } = (await lockDue(tx, due, now())) ?? {};
    if (!row) return undefined;
    const [answer] = await unseenAnswers(tx, row, 1);
    const subscriptions = answer ? await usableSubscriptions(tx, row, answer.seq) : [];
    // Deleted, switched off, or read.
    if (!bot || !answer || conversation?.ownerId !== row.target || subscriptions.length === 0) {
      await deleteNotification(tx, row);
      return undefined;
    }
    const attempts = await beginAttempt(tx, row, now(), now() + sendTimeoutMs);
    const pushes: Prepared['pushes'] = [];
    for (const subscription of subscriptions) {
      const { conversationId } = row;
      const contact = { userId: row.target, addressHash: '' };
      const url =
        subscription.pageUrl ??
        (await createReturnLink(tx, { bot, conversationId, contact }, { address, now: now() }));
      const message = { subscription, conversationId, answer: answerOf(answer), hasText, url };
      pushes.push({ subscription, request: pushRequest(message, sender.encrypt) });
    }
    return { row: { ...row, attempts, firstAt: row.firstAt ?? now() }, seq: answer.seq, pushes };
  }

  /** The subscriptions of the user that have not got the push of an answer. Those that have expired are deleted. */
  async function usableSubscriptions(
    tx: WriteTx,
    row: NotificationRow,
    seq: number,
  ): Promise<PushSubscriptionRow[]> {
    const usable: PushSubscriptionRow[] = [];
    for (const subscription of await pushSubscriptionsOf(tx, row.target)) {
      const { expiresAt, lastSent } = subscription;
      if (expiresAt !== null && expiresAt <= now()) await deletePushSubscription(tx, subscription);
      else if (lastSent !== markOf(row, seq)) usable.push(subscription);
    }
    return usable;
  }

  async function pushOne({ row, seq, pushes }: Prepared): Promise<void> {
    const sent = await Promise.all(
      pushes.map(async (push) => ({ ...push, outcome: await sender.send(push.request, closing.signal) })),
    ).catch((error: unknown) => {
      if (closing.signal.aborted) return undefined;
      throw error;
    });
    // The server ends: nobody knows what has arrived, so the attempt is repeated.
    if (!sent) return;
    await db.write(async (tx) => {
      await tx.lock(`conversation:${row.conversationId}`);
      const present = await waitingNotification(tx, row);
      for (const { subscription, outcome } of sent) {
        if (outcome.state === 'gone') await deletePushSubscription(tx, subscription);
        if (outcome.state === 'sent') await setPushSent(tx, subscription, markOf(row, seq));
      }
      // Another process has begun another attempt, or the conversation was deleted.
      if (present?.attempts !== row.attempts) return;
      const waits = sent.flatMap(({ outcome }) => (outcome.state === 'failed' ? [outcome.wait] : []));
      const next = now() + Math.max(...waits, delays[row.attempts - 1] ?? 0);
      const isOver =
        row.attempts >= maxAttempts || next > (row.firstAt ?? now()) + pushLifetimeSeconds * 1_000;
      if (waits.length > 0 && !isOver) return postpone(tx, row, next);
      await setSent(tx, row, now());
      await insertNextNotification(tx, row, { seq, delay });
    });
  }

  const worker = createScheduledWorker({
    async run(isClosed) {
      const rows = await db.read((tx) => dueNotifications(tx, ['push'], now(), batchSize));
      for (let at = 0; at < rows.length && !isClosed(); at += atOnce) {
        const prepared: Prepared[] = [];
        for (const due of rows.slice(at, at + atOnce)) {
          const one = await db.write((tx) => prepare(tx, due));
          if (one) prepared.push(one);
        }
        await Promise.all(prepared.map(pushOne));
      }
      return true;
    },
    nextTime: () => db.read((tx) => nextNotification(tx, ['push'])),
    leastWaitMs: Math.min(1_000, delay),
    failure: 'pushing answers failed',
    logger,
    now,
  });
  return {
    ...worker,
    async close() {
      closing.abort();
      await worker.close();
    },
  };
}

/** The mark of a subscription that has got the push of an answer. */
const markOf = ({ conversationId }: NotificationRow, seq: number): string => `${conversationId} ${seq}`;

export interface PushOptions {
  /** An address of the operator, `mailto:` or `https:`, which push services get. */
  subject: string;
  /** The address of the server, with which links begin. */
  address: string;
  /** Host names of other push services, with a port if it is not the default one. */
  ownHosts: readonly string[];
  /** Whether notifications show the text of an answer. */
  hasText: boolean;
  /** Milliseconds after an answer until it is pushed. */
  delay: number;
}

/** Begins to push answers of persons to visitors who have gone. Returns what follows from an answer, for the transcript. */
export function createAnswerPushes(
  { hasText, address, delay }: PushOptions,
  options: Omit<AnswerPushOptions, 'hasText' | 'address' | 'delay'>,
): AnswerNotice {
  const onNotice = assignAnswerPushes({ ...options, hasText, address, delay });
  return { channel: 'push', delay, isReachable: hasPushSubscription, onNotice };
}
