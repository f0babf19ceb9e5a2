// Mails answers of persons to visitors who have not read them, and the transcripts that visitors ask for. One process of a server does it.
import type { Logger } from 'pino';
import type { Processes, Worker } from '../jobs/processes.ts';
import { createScheduledWorker } from '../jobs/scheduled-worker.ts';
import type { TeamChange } from '../realtime/team-bus.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { findHandling, touchHandling } from '../storage/inbox/handlings.ts';
import {
  beginAttempt,
  deleteNotification,
  dueNotifications,
  hasLaterNotification,
  insertNextNotification,
  lastSentAt,
  type NotificationRow,
  nextNotification,
  postpone,
  setSent,
  unseenAnswers,
  waitingNotification,
} from '../storage/notifications/answers.ts';
import { contactStateOf, findContact } from '../storage/notifications/contacts.ts';
import { countMail, mailedAddress, setUndeliverable } from '../storage/notifications/return-links.ts';
import { answerMail } from './answer-mail-text.ts';
import { type AnswerNotice, lockDue } from './due-answers.ts';
import { createMailer, type Mail, type Mailer, type MailOptions } from './mailer.ts';
import { createReturnLink } from './return-links.ts';
import { createTranscriptMails, type TranscriptMails, transcriptContent } from './transcript-mails.ts';
import { type MailContent, mailLimits } from './visitor-mail.ts';

const { minuteMs, dayMs, betweenMailsMs, mostUnconfirmed, mostInDay } = mailLimits;
/** The channels of this worker. */
const channels = ['mail', 'transcript'] as const;
/** Notifications that are read at once. */
const batchSize = 50;
/** Answers in one mail. */
const maxAnswers = 10;
/** The time until a mail whose result is unknown is sent again: longer than the mail server may take. */
const sendTimeoutMs = 5 * minuteMs;
/** Milliseconds until the attempts to send a mail end. */
const maxDelayMs = dayMs;
/** Milliseconds before each further attempt, the last one again and again. */
const delaysMs = [1, 5, 15, 60, 240].map((minutes) => minutes * minuteMs);

export interface AnswerMailOptions {
  db: Database;
  processes: Pick<Processes, 'assign'>;
  mailer: Pick<Mailer, 'sendOnce'>;
  /** The address of the server, with which links begin. */
  address: string;
  /** Milliseconds after an answer until it is mailed. */
  answerDelay: number;
  onTeamChange(workspaceId: string, change: TeamChange): void;
  logger: Logger;
  now(): number;
}

/** Begins to mail answers with the start of `processes`. Returns a function that looks for what is due. */
export function assignAnswerMails({ processes, ...options }: AnswerMailOptions): () => void {
  const role = processes.assign('mail answers', (db) => createMailWorker({ ...options, db }));
  return () => role.worker?.wake?.(false);
}

/** A mail whose attempt has begun. */
interface Prepared {
  row: NotificationRow;
  mail: Mail;
  upTo: number | undefined;
  addressHash: string;
  isUnconfirmed: boolean;
}

function createMailWorker(options: Omit<AnswerMailOptions, 'processes'>): Worker {
  const { db, mailer, address, answerDelay, onTeamChange, logger, now } = options;
  const site = new URL(address).hostname;

  /** Begins the attempt to send a mail; undefined if none is sent now. */
  async function prepare(tx: WriteTx, due: NotificationRow): Promise<Prepared | undefined> {
    const { row, conversation, bot } = (await lockDue(tx, due, now())) ?? {};
    if (!row) return undefined;
    // The later transcript contains this one, whose attempts have failed.
    if (row.channel === 'transcript' && (await hasLaterNotification(tx, row))) {
      await deleteNotification(tx, row);
      return undefined;
    }
    const contact = await findContact(tx, row.target);
    const isReachable = contact && ['new', 'confirmed'].includes(contactStateOf(contact));
    const isOwner = conversation?.ownerId === row.target;
    const content = bot && isReachable && isOwner && (await contentOf(tx, { row, bot, contact, site }));
    // Deleted, without an address, or read.
    if (!content) {
      await deleteNotification(tx, row);
      return undefined;
    }
    const today = Math.floor(now() / dayMs);
    const isUnconfirmed = contact.confirmedAt === null;
    const { addressHash } = contact;
    const mailed = await mailedAddress(tx, { addressHash, botId: bot.id, day: today });
    // An attempt of which nothing was heard has been counted already.
    const counted = row.attempts > 0 ? 1 : 0;
    if (isUnconfirmed && mailed.unconfirmed >= mostUnconfirmed + counted) {
      await deleteNotification(tx, row);
      return undefined;
    }
    const next = mailed.sent >= mostInDay ? (today + 1) * dayMs : content.earliest;
    if (row.attempts === 0 && next > now()) {
      await postpone(tx, row, next);
      return undefined;
    }
    await countMail(tx, addressHash, { by: 1, isUnconfirmed });
    const attempts = await beginAttempt(tx, row, now(), now() + sendTimeoutMs);
    const { conversationId } = row;
    const returnUrl = content.hasLink
      ? await createReturnLink(tx, { bot, conversationId, contact }, { address, now: now() })
      : '';
    const unsubscribeUrl = `${address}/c/unsubscribe/${mailed.unsubscribeToken}`;
    const mail = content.mail({ returnUrl, unsubscribeUrl });
    const { upTo } = content;
    return {
      row: { ...row, attempts, firstAt: row.firstAt ?? now() },
      mail,
      upTo,
      addressHash,
      isUnconfirmed,
    };
  }

  /** The content to send; undefined if everything was read, or nothing is there any more. */
  async function contentOf(
    tx: WriteTx,
    options: Parameters<typeof transcriptContent>[1],
  ): Promise<MailContent | undefined> {
    const { row, contact } = options;
    if (row.channel === 'transcript') return transcriptContent(tx, options);
    const answers = await unseenAnswers(tx, row, maxAnswers);
    const [oldest] = answers;
    if (!oldest) return undefined;
    const { email: to, locale } = contact;
    return {
      earliest: Math.max(oldest.createdAt + answerDelay, (await lastSentAt(tx, row)) + betweenMailsMs),
      hasLink: true,
      upTo: answers.at(-1)?.seq,
      mail: (urls) => answerMail({ to, locale, notification: row, answers, ...urls }),
    };
  }

  /** Sends one mail. Returns whether the mail server has answered. */
  async function send({ row, mail, upTo, addressHash, isUnconfirmed }: Prepared): Promise<boolean> {
    const outcome = await mailer.sendOnce(mail);
    await db.write(async (tx) => {
      await tx.lock(`conversation:${row.conversationId}`);
      const present = await waitingNotification(tx, row);
      if (outcome.state === 'failed') await countMail(tx, addressHash, { by: -1, isUnconfirmed });
      if (outcome.state === 'refused') await refuse(tx, row, addressHash);
      // Another process has begun another attempt, or the conversation was deleted.
      if (present?.attempts !== row.attempts) return;
      if (outcome.state === 'sent') {
        await setSent(tx, row, now());
        if (upTo !== undefined) await insertNextNotification(tx, row, { seq: upTo, delay: answerDelay });
        return;
      }
      const delay = delaysMs[Math.min(row.attempts, delaysMs.length) - 1] ?? dayMs;
      const isOver = now() + delay > (row.firstAt ?? now()) + maxDelayMs;
      if (outcome.state === 'refused' || isOver) return deleteNotification(tx, row);
      await postpone(tx, row, now() + delay);
    });
    return outcome.state !== 'failed' || !outcome.isUnreachable;
  }

  /** The address gets no mails any more, and the team sees why. */
  async function refuse(
    tx: WriteTx,
    { conversationId }: NotificationRow,
    addressHash: string,
  ): Promise<void> {
    await setUndeliverable(tx, addressHash, now());
    const workspaceId = (await findHandling(tx, conversationId))?.workspaceId;
    if (workspaceId === undefined) return;
    await touchHandling(tx, conversationId, now());
    tx.afterCommit(() => onTeamChange(workspaceId, { kind: 'row', conversationId }));
  }

  return createScheduledWorker({
    async run(isClosed) {
      for (const due of await db.read((tx) => dueNotifications(tx, channels, now(), batchSize))) {
        if (isClosed()) break;
        const prepared = await db.write((tx) => prepare(tx, due));
        // The others would wait for the mail server, too.
        if (prepared && !(await send(prepared))) return false;
      }
      return true;
    },
    nextTime: () => db.read((tx) => nextNotification(tx, channels)),
    leastWaitMs: 1_000,
    failure: 'mailing answers failed',
    logger,
    now,
  });
}

export interface AnswerMails {
  /** For the transcript: what follows from an answer. */
  notice: AnswerNotice;
  transcripts: TranscriptMails;
  /** Ends what is being sent. */
  close(): Promise<void>;
}

/** The service that mails answers of persons to visitors who have gone. Returns undefined if the server sends no mails. */
export function createAnswerMails(
  mail: MailOptions | undefined,
  options: Omit<AnswerMailOptions, 'mailer' | 'address' | 'answerDelay'>,
): AnswerMails | undefined {
  if (!mail) return undefined;
  const { address, answerDelay } = mail;
  const mailer = createMailer(mail, options.logger);
  const onNotice = assignAnswerMails({ ...options, mailer, address, answerDelay });
  return {
    notice: {
      channel: 'mail',
      delay: answerDelay,
      async isReachable(tx, userId) {
        const contact = await findContact(tx, userId);
        return contact?.undeliverableAt === null && contact.unsubscribedAt === null;
      },
      onNotice,
    },
    transcripts: createTranscriptMails(options.now, onNotice),
    close: () => mailer.close(),
  };
}
