// Tells members that visitors wait while nobody who could answer has the inbox open: by mail, by push, and in the chat tool of the
// workspace. One process of a server does it.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import { limits } from '../../../protocol/limits.ts';
import { hoursStatus } from '../../../protocol/opening-hours.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import type { Worker } from '../../jobs/processes.ts';
import { createScheduledWorker } from '../../jobs/scheduled-worker.ts';
import type { Mail, Mailer, MailOutcome } from '../../notifications/mailer.ts';
import type { PushSender } from '../../notifications/push-sender.ts';
import { findMember, findWorkspace } from '../../storage/admin/workspaces.ts';
import type { Database, Tx, WriteTx } from '../../storage/database.ts';
import {
  alertSubscriptionsOf,
  deleteAlertSubscription,
  deleteEndedSubscriptions,
  findAlertSubscription,
} from '../../storage/inbox/alert-subscriptions.ts';
import {
  type AlertRoles,
  type AlertRow,
  type Answerer,
  beginAlert,
  dueAlerts,
  dueMembers,
  insertAlert,
  mailsOf,
  markAlerted,
  memberAlerts,
  membersWhoCouldAnswer,
  nextAlert,
  nextWait,
  presentAlert,
  setAlertDue,
  setAlertProblem,
  setMemberAlerts,
  teamAlerts,
  type Wait,
  waitsToAlert,
} from '../../storage/inbox/alerts.ts';
import { findHandling } from '../../storage/inbox/handlings.ts';
import { findInboxRecord, type InboxRecord } from '../../storage/inbox/lists.ts';
import { openingHoursOf } from '../../storage/inbox/teams.ts';
import { answeringRoles } from '../routing.ts';
import type { AlertHook } from './alert-hook.ts';
import { alertMail, alertMessage, alertPush, type WaitingVisitor } from './alert-texts.ts';

const minuteMs = 60_000;
/** Rows that are read at once, and pushes and messages that are sent at once. */
const batchSize = 100;
const atOnce = 8;
/** Visitors that wait and are counted in one mail. */
const maxMailed = 500;
/** Milliseconds between two mails to a member. */
const betweenMailsMs = 15 * minuteMs;
/** Milliseconds before each further attempt. */
const delaysMs = [10_000, minuteMs, 5 * minuteMs, 15 * minuteMs, 30 * minuteMs];
/** The time until what has an unknown result is sent again: longer than a mail server or a chat tool may take. */
const sendTimeoutMs = 5 * minuteMs;

const roles: AlertRoles = {
  answering: answeringRoles,
  seeingAll: answeringRoles.filter((role) => isPermitted(role, 'inbox.assign')),
};

export interface AlertWorkerOptions {
  db: Database;
  /** Milliseconds that a visitor waits before anybody is told. */
  delay: number;
  /** Undefined if the server sends no mails. */
  mailer: Pick<Mailer, 'sendOnce'> | undefined;
  /** Undefined if the server sends no pushes. */
  sender: PushSender | undefined;
  hook: AlertHook;
  /** The address of the server, with which links begin. */
  address(): string;
  logger: Logger;
  now(): number;
}

/** A conversation that waits, and who could answer it. */
interface Waiting {
  record: InboxRecord;
  answerers: Answerer[];
}

/** The result of an attempt. */
interface Outcome {
  /** Sent, or another attempt cannot succeed. */
  isOver: boolean;
  /** Milliseconds until the next attempt, at least. */
  wait: number;
  /** Stores further results. */
  store?(tx: WriteTx): Promise<void>;
}

/** An attempt that has begun. */
interface Prepared {
  row: AlertRow;
  send(): Promise<Outcome>;
}

export function createAlertWorker(options: AlertWorkerOptions): Worker {
  const { db, delay, mailer, sender, hook, address, logger, now } = options;
  const closing = new AbortController();
  // Each request that is being sent listens.
  setMaxListeners(0, closing.signal);
  const { signal } = closing;

  /** The conversation, if it still has the same wait and nobody who could answer has the inbox open; undefined otherwise. */
  async function findWaiting(tx: Tx, { conversationId, waitingSince }: Wait): Promise<Waiting | undefined> {
    const handling = await findHandling(tx, conversationId);
    if (handling?.waitingSince !== waitingSince || !['waiting', 'assigned'].includes(handling.state))
      return undefined;
    const record = await findInboxRecord(tx, handling.workspaceId, conversationId);
    if (!record) return undefined;
    const answerers = await membersWhoCouldAnswer(tx, conversationId, roles);
    const seenAfter = now() - limits.inbox.reachable;
    return answerers.some(({ seenAt }) => seenAt > seenAfter) ? undefined : { record, answerers };
  }

  /**
   * Outside of the opening hours, only visitors whose requests were accepted wait for somebody now: all others have left a message,
   * and wait from the opening on.
   */
  async function isExpected(
    tx: Tx,
    { workspaceId, requestedAt, waitingSince }: InboxRecord,
  ): Promise<boolean> {
    const hours = await openingHoursOf(tx, workspaceId);
    const isOpenAt = (at: number) => hoursStatus(hours, at).isOpen;
    return isOpenAt(requestedAt ?? waitingSince ?? 0) || (isOpenAt(now()) && isOpenAt(now() - delay));
  }

  /** Stores what is to be sent about a wait. */
  const alert = (wait: Wait) =>
    db.write(async (tx) => {
      await tx.lock(`conversation:${wait.conversationId}`);
      const found = await findWaiting(tx, wait);
      if (!found || !(await isExpected(tx, found.record)) || !(await markAlerted(tx, wait))) return;
      const { record, answerers } = found;
      const { botId, workspaceId } = record;
      const add = (channel: AlertRow['channel'], target: string) =>
        insertAlert(tx, { ...wait, botId }, { channel, target }, now());
      for (const { memberId, alertMail } of mailer ? answerers : [])
        if (alertMail === 1) await add('mail', memberId);
      const ids = answerers.map(({ memberId }) => memberId);
      for (const { id } of sender ? await alertSubscriptionsOf(tx, ids) : []) await add('push', id);
      if ((await teamAlerts(tx, workspaceId)).url !== null) await add('webhook', '');
    });

  async function alertAll(isClosed: () => boolean): Promise<void> {
    let after: Wait = { waitingSince: -1, conversationId: '' };
    for (;;) {
      const times = { waitingBefore: now() - delay, seenAfter: now() - limits.inbox.reachable };
      const waits = await db.read((tx) => waitsToAlert(tx, { ...times, roles, after, limit: batchSize }));
      for (const wait of waits) if (!isClosed()) await alert(wait);
      const last = waits.at(-1);
      if (!last || waits.length < batchSize || isClosed()) return;
      after = last;
    }
  }

  /** Begins an attempt to send a push or a message; undefined if it is not sent now. */
  async function prepare(tx: WriteTx, due: AlertRow): Promise<Prepared | undefined> {
    await tx.lock(`conversation:${due.conversationId}`);
    const row = await presentAlert(tx, due);
    if (!row || (row.dueAt ?? 0) > now()) return undefined;
    const waiting = await findWaiting(tx, row);
    const send = waiting && (await sendOf(tx, row, waiting));
    if (!send) {
      await setAlertDue(tx, row, null);
      return undefined;
    }
    return { row: await beginAlert(tx, row, now() + sendTimeoutMs), send };
  }

  /** The function that sends it; undefined if there is nobody to send it to. */
  async function sendOf(
    tx: Tx,
    { channel, target }: AlertRow,
    { record, answerers }: Waiting,
  ): Promise<Prepared['send'] | undefined> {
    const visitor = visitorOf(record);
    if (channel === 'push') {
      const subscription = await findAlertSubscription(tx, target);
      const isOfAnswerer = answerers.some(({ memberId }) => memberId === subscription?.memberId);
      if (!sender || !subscription || !isOfAnswerer) return undefined;
      if (subscription.expiresAt !== null && subscription.expiresAt <= now()) return undefined;
      const request = sender.encrypt(subscription, alertPush(visitor, address()));
      return async () => {
        const outcome = await sender.send(request, signal);
        return {
          isOver: outcome.state !== 'failed',
          wait: outcome.state === 'failed' ? outcome.wait : 0,
          ...(outcome.state === 'gone' && { store: (tx) => deleteAlertSubscription(tx, target) }),
        };
      };
    }
    const { workspaceId } = record;
    const { url } = await teamAlerts(tx, workspaceId);
    if (url === null) return undefined;
    const body = alertMessage(visitor, address());
    return async () => {
      const { problem, isFinal, wait } = await hook.send({ workspaceId, url, body, signal });
      if (problem)
        logger.warn({ reason: problem.reason, status: problem.status }, 'a chat tool was not told');
      return {
        isOver: problem === undefined || isFinal,
        wait,
        store: (tx) => setAlertProblem(tx, workspaceId, url, problem),
      };
    };
  }

  async function sendOne({ row, send }: Prepared): Promise<void> {
    const outcome = await send().catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    });
    // The server ends: nobody knows what has arrived, so the attempt is repeated.
    if (!outcome) return;
    await db.write(async (tx) => {
      await tx.lock(`conversation:${row.conversationId}`);
      await outcome.store?.(tx);
      await setAlertDue(tx, row, outcome.isOver ? null : nextAttempt(row, outcome.wait));
    });
  }

  /** When the next attempt begins; null: there is none. */
  function nextAttempt({ attempts }: AlertRow, wait: number): number | null {
    const delayMs = delaysMs[attempts - 1];
    return delayMs === undefined ? null : now() + Math.max(wait, delayMs);
  }

  async function sendDue(isClosed: () => boolean): Promise<void> {
    const rows = await db.read((tx) => dueAlerts(tx, now(), batchSize));
    for (let at = 0; at < rows.length && !isClosed(); at += atOnce) {
      const prepared: Prepared[] = [];
      for (const due of rows.slice(at, at + atOnce)) {
        const one = await db.write((tx) => prepare(tx, due));
        if (one) prepared.push(one);
      }
      await Promise.all(prepared.map(sendOne));
    }
  }

  /** A mail whose attempt has begun, with when the one before was sent. */
  interface PreparedMail {
    rows: AlertRow[];
    mail: Mail;
    before: number | null;
  }

  /** Begins the attempt to mail a member who waits; undefined if no mail is sent now. */
  async function prepareMail(tx: WriteTx, memberId: string): Promise<PreparedMail | undefined> {
    // Of two processes one sends it.
    await tx.lock(`owner:${memberId}`);
    const rows = await mailsOf(tx, memberId, maxMailed);
    // One time for all of them: they are in one mail, or wait for one.
    const at = now();
    if (!rows.some(({ dueAt }) => dueAt !== null && dueAt <= at)) return undefined;
    const { alertMail: isOn, alertedAt } = await memberAlerts(tx, memberId);
    const earliest = (alertedAt ?? Number.NEGATIVE_INFINITY) + betweenMailsMs;
    const present: { row: AlertRow; visitor: WaitingVisitor }[] = [];
    let workspaceId = '';
    for (const row of rows) {
      const waiting = isOn === 1 && mailer ? await findWaiting(tx, row) : undefined;
      if (!waiting?.answerers.some((answerer) => answerer.memberId === memberId)) {
        await setAlertDue(tx, row, null);
      } else if (earliest > at) {
        await setAlertDue(tx, row, earliest);
      } else {
        workspaceId = waiting.record.workspaceId;
        present.push({ row, visitor: visitorOf(waiting.record) });
      }
    }
    const member = await findMember(tx, workspaceId, memberId);
    const workspace = await findWorkspace(tx, workspaceId);
    if (present.length === 0 || !member || !workspace) return undefined;
    const begun: AlertRow[] = [];
    for (const { row } of present) begun.push(await beginAlert(tx, row, at + sendTimeoutMs));
    await setMemberAlerts(tx, memberId, { alertMail: isOn, alertedAt: at });
    const waiting = present.map(({ visitor }) => visitor);
    const content = { to: member.email, memberId, workspaceName: workspace.name, waiting };
    return { rows: begun, mail: alertMail({ ...content, address: address() }), before: alertedAt };
  }

  /** Sends a mail. Returns whether the mail server has answered. */
  async function sendMail(memberId: string, { rows, mail, before }: PreparedMail): Promise<boolean> {
    const outcome: MailOutcome = (await mailer?.sendOnce(mail)) ?? { state: 'refused' };
    // The server ends: nobody knows whether the mail was sent, so the attempt is repeated.
    if (outcome.state === 'failed' && signal.aborted) return true;
    await db.write(async (tx) => {
      await tx.lock(`owner:${memberId}`);
      for (const row of rows)
        await setAlertDue(tx, row, outcome.state === 'failed' ? nextAttempt(row, 0) : null);
      if (outcome.state !== 'failed') return;
      const { alertMail } = await memberAlerts(tx, memberId);
      await setMemberAlerts(tx, memberId, { alertMail, alertedAt: before });
    });
    return outcome.state !== 'failed' || !outcome.isUnreachable;
  }

  async function mailDue(isClosed: () => boolean): Promise<boolean> {
    for (const memberId of await db.read((tx) => dueMembers(tx, now(), batchSize))) {
      if (isClosed()) break;
      const prepared = await db.write((tx) => prepareMail(tx, memberId));
      // The others would wait for the mail server, too.
      if (prepared && !(await sendMail(memberId, prepared))) return false;
    }
    return true;
  }

  const worker = createScheduledWorker({
    async run(isClosed) {
      if (sender) await db.write(deleteEndedSubscriptions);
      await alertAll(isClosed);
      await sendDue(isClosed);
      return mailDue(isClosed);
    },
    async nextTime() {
      const since = now() - delay;
      const [due, wait] = await db.read(async (tx) => [await nextAlert(tx), await nextWait(tx, since)]);
      const times = [due, wait === undefined ? undefined : wait + delay].filter((at) => at !== undefined);
      return times.length === 0 ? undefined : Math.min(...times);
    },
    leastWaitMs: 1_000,
    failure: 'telling members of waiting visitors failed',
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

const visitorOf = ({ conversationId, visitorName, waitingSince }: InboxRecord): WaitingVisitor => ({
  conversationId,
  name: visitorName,
  waitingSince: waitingSince ?? 0,
});
