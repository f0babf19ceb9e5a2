// Deletes data that is older than the period of its bot: conversations, visitors' files and addresses, then users
// without conversations.
import type { RetentionDays } from '../../../protocol/types/visitors.ts';
import { botLogLifetimeMs } from '../../bots/index.ts';
import { deleteAnonymousUsers, type Transcript } from '../../chat/index.ts';
import { type SettingsOf, setting, wholeNumber } from '../../startup/setting.ts';
import { insertServerEntry } from '../../storage/admin/audit.ts';
import type { Database, WriteTx } from '../../storage/database.ts';
import { deleteFiles } from '../../storage/files/deletions.ts';
import type { LockName } from '../../storage/locks.ts';
import { deleteContacts } from '../../storage/notifications/contacts.ts';
import {
  agedAfter,
  dayMs,
  deleteOldLogs,
  isInOrder,
  type OldRow,
  periodOf,
  type RetentionTable,
  shortestPeriod,
  stillOld,
} from '../../storage/retention.ts';

/** The number of rows that one step reads, and at most removes. */
const step = 500;
/** The number of entries of logs that one transaction removes. */
const logsAtOnce = 1_000;

/** The periods of bots that have none of their own. */
export const retentionDefaults = ({ RETENTION_DAYS: days }: RetentionSettings): RetentionDays => ({
  messagesDays: days,
  filesDays: days,
  logsDays: botLogLifetimeMs / dayMs,
  contactsDays: days,
});

export interface RetentionOptions {
  db: Database;
  transcript: Transcript;
  now(): number;
  defaults: RetentionDays;
  isClosed(): boolean;
}

/** The number of removed rows of each table, for each bot. */
export type Removed = Map<string, Partial<Record<RetentionTable, number>>>;

type Remove = (tx: WriteTx, ids: readonly string[]) => Promise<void>;

/**
 * Reads all rows that are old enough, in steps. The age of a conversation counts from its last change, that of an address
 * also from those of the visitor's conversations, that of a user without a foreign id from their last change, that of a
 * file from its announcement. A row that is used again in the meantime is kept, and so is what belongs to a conversation
 * that waits for a person or has one. Each step is a transaction, which also records in the audit trail what it removed, so
 * that a stop at any time loses nothing.
 */
export async function deleteUnused(options: RetentionOptions): Promise<Removed> {
  const removed: Removed = new Map();
  const removals: Record<RetentionTable, Remove> = {
    conversations: (tx, ids) =>
      options.transcript.removeConversations(
        tx,
        ids.map((id) => ({ id })),
      ),
    files: deleteFiles,
    contacts: deleteContacts,
    users: deleteAnonymousUsers,
  };
  for (const [table, remove] of Object.entries(removals) as [RetentionTable, Remove][])
    await deleteOld(options, table, remove, removed);
  return removed;
}

/** Deletes what the logs of bots contain for longer than their periods, and returns the number of entries. */
export async function deleteLogs({ db, now, defaults, isClosed }: RetentionOptions): Promise<number> {
  const shortest = await db.read((tx) => shortestPeriod(tx, 'logsDays', defaults.logsDays));
  if (shortest === 0) return 0;
  const age = { now: now(), defaultDays: defaults.logsDays };
  let removed = 0;
  for (const table of ['bot_logs', 'deliveries'] as const) {
    let last = logsAtOnce;
    while (last > 0 && !isClosed()) {
      last = await db.write((tx) => deleteOldLogs(tx, table, age, shortest, logsAtOnce));
      removed += last;
    }
  }
  return removed;
}

const lockKinds = {
  conversations: 'conversation',
  users: 'owner',
  files: undefined,
  contacts: 'owner',
} as const;

async function deleteOld(
  { db, now, defaults, isClosed }: RetentionOptions,
  table: RetentionTable,
  remove: Remove,
  removed: Removed,
): Promise<void> {
  const period = periodOf(table);
  const shortest = await db.read((tx) => shortestPeriod(tx, period, defaults[period]));
  if (shortest === 0) return;
  const age = { now: now(), defaultDays: defaults[period] };
  const before = age.now - shortest * dayMs;
  let after = '';
  while (!isClosed()) {
    const rows = await db.read((tx) => agedAfter(tx, table, after, age, step));
    const ids = rows.filter(({ isOld }) => isOld === 1).map(({ id }) => id);
    if (ids.length > 0) {
      const counts = await db.write(async (tx) => {
        // Nothing is added between the look at a row and its removal.
        const kind = lockKinds[table];
        if (kind) await tx.lock(...ids.map((id): LockName => `${kind}:${id}`));
        const old = await stillOld(tx, table, ids, age);
        if (old.length === 0) return [];
        await remove(
          tx,
          old.map(({ id }) => id),
        );
        return record(tx, table, old, age.now);
      });
      for (const [botId, count] of counts) {
        const ofBot = removed.get(botId) ?? {};
        removed.set(botId, { ...ofBot, [table]: (ofBot[table] ?? 0) + count });
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < step) return;
    // All following rows are newer.
    if (isInOrder(table) && last.createdAt > before) return;
    after = last.id;
  }
}

/** Records in the audit trail how many rows of each bot were removed; returns the numbers by bot. */
async function record(
  tx: WriteTx,
  table: RetentionTable,
  old: readonly OldRow[],
  now: number,
): Promise<[botId: string, count: number][]> {
  const bots = new Map<string, { workspaceId: string; count: number }>();
  for (const { botId, workspaceId } of old)
    bots.set(botId, { workspaceId, count: (bots.get(botId)?.count ?? 0) + 1 });
  for (const [botId, { workspaceId, count }] of bots) {
    const target = { botId, [table]: `${count}` };
    await insertServerEntry(tx, { workspaceId, now, operation: 'applyRetention', target });
  }
  return [...bots].map(([botId, { count }]) => [botId, count]);
}

/** The settings of the periods after which data is deleted. */
export const retentionSettings = {
  RETENTION_DAYS: setting({
    doc: 'Days after which inactive conversations, visitors without a conversation, and files and unused e-mail addresses of visitors are deleted; `0` keeps everything. Bots can have other periods (`bots retention`).',
    default: '0',
    schema: wholeNumber(0, 99_999),
  }),
  AUDIT_RETENTION_DAYS: setting({
    doc: 'Days that the audit trail of administrator actions is kept.',
    default: '365',
    schema: wholeNumber(1, 99_999),
  }),
};

export type RetentionSettings = SettingsOf<typeof retentionSettings>;
