// Rows of the list `bot` of the inbox: its pages, and the rows that change while members watch the list. Nothing is published for
// a message of such a conversation. The rows are read once a second instead, and only while somebody watches.
import {
  type InboxFilter,
  type InboxRow,
  type InboxSort,
  matchesFilter,
  type TeamSignal,
} from '../../protocol/inbox.ts';
import { limits } from '../../protocol/limits.ts';
import { nextTurn } from '../api/yielder.ts';
import type { Database, Tx } from '../storage/database.ts';
import { changedOfBots, listedRows, readBotList } from '../storage/inbox/bot-list.ts';
import type { InboxKey } from '../storage/inbox/lists.ts';
import { audienceOf, type Viewer } from '../storage/inbox/visibility.ts';
import { serializeBotRows } from './serializers.ts';

/** Conversations whose rows are serialized before other requests run. */
const serializedAtOnce = 50;

/** A page of the list, and the key after which the next one begins; undefined at the end. */
export async function readBotPage(
  tx: Tx,
  viewer: Viewer,
  { sort, ...filter }: InboxFilter & { sort: InboxSort },
  after: InboxKey | undefined,
  size: number,
): Promise<{ rows: InboxRow[]; next: InboxKey | undefined }> {
  const rows: InboxRow[] = [];
  let key: InboxKey | undefined;
  for await (const { records, next } of readBotList(tx, viewer, filter, sort === 'oldest', after)) {
    for (let at = 0; at < records.length; at += serializedAtOnce) {
      const piece = records.slice(at, at + serializedAtOnce);
      for (const [index, row] of (await serializeBotRows(tx, piece)).entries()) {
        if (!matchesFilter(row, filter)) continue;
        rows.push(row);
        const record = piece[index];
        const isLast = next === undefined && at + index === records.length - 1;
        if (rows.length === size && record)
          return { rows, next: isLast ? undefined : [record.sortAt, record.conversationId] };
      }
      await nextTurn();
    }
    key = next;
  }
  return { rows, next: key };
}

/** Milliseconds between two reads while members watch. */
const readMs = 1_000;
/** Milliseconds before a read whose changes are read again: a write can become visible later than its time. */
const overlapMs = 5_000;
/** Conversations of a read at most: those that changed last. */
const mostRows = 100;

export interface BotRows {
  /** The member watches the list for `limits.inbox.presence` from now on. */
  watch(memberId: string): void;
  /** Something of the row has changed besides what was written. */
  change(conversationId: string): void;
  isWatching(client: Pick<BotRowsClient, 'memberId'>): boolean;
  end(): void;
}

/** A stream of a member. */
interface BotRowsClient {
  memberId: string;
  seesAllTeams: boolean;
  send(signal: TeamSignal): void;
}

interface BotRowsOptions {
  db: Database;
  /** Milliseconds since 1970. */
  now(): number;
  /** Called if the rows could not be read. */
  onError(error: unknown): void;
  clients: ReadonlySet<BotRowsClient>;
}

/** Sends the rows that change to the clients of the members who watch. */
export function createBotRows(workspaceId: string, { db, now, onError, clients }: BotRowsOptions): BotRows {
  /** Until when each member watches. */
  const watching = new Map<string, number>();
  /** The last change of each conversation that was read and can be read again. */
  let known = new Map<string, number>();
  /** Conversations that have changed besides what was written, since the last read. */
  let touched = new Set<string>();
  let from = 0;
  let timer: NodeJS.Timeout | undefined;
  let isRunning = false;
  let isEnded = false;

  const isWatching: BotRows['isWatching'] = ({ memberId }) => (watching.get(memberId) ?? 0) > now();

  async function read(): Promise<void> {
    const began = now();
    const others = [...touched];
    touched = new Set();
    const { rows, audiences, all } = await readChanged(others).catch((error) => {
      for (const id of others) touched.add(id);
      throw error;
    });
    from = began;
    known = new Map(all.map(({ conversationId, lastSeq }) => [conversationId, lastSeq]));
    if (rows.length === 0) return;
    for (const client of [...clients]) {
      if (!isWatching(client)) continue;
      const { memberId, seesAllTeams } = client;
      const visible = rows.filter(
        ({ conversationId }) => seesAllTeams || (audiences.get(conversationId)?.has(memberId) ?? true),
      );
      if (visible.length > 0) client.send({ type: 'inbox_bot_rows', data: { rows: visible } });
    }
  }

  /** Reads the rows in which something was written, and these others. */
  const readChanged = (others: readonly string[]) =>
    db.read(async (tx) => {
      const records = await changedOfBots(tx, workspaceId, from - overlapMs, mostRows);
      const written = records.filter(({ conversationId, lastSeq }) => known.get(conversationId) !== lastSeq);
      const ids = others.filter((id) => !written.some(({ conversationId }) => conversationId === id));
      const found = await serializeBotRows(tx, [...written, ...(await listedRows(tx, workspaceId, ids))]);
      const seen = new Map<string, Awaited<ReturnType<typeof audienceOf>>>();
      for (const { conversationId, teamId } of found)
        if (teamId !== undefined) seen.set(conversationId, await audienceOf(tx, conversationId));
      return { rows: found, audiences: seen, all: records };
    });

  function next(): void {
    for (const [memberId, until] of watching) if (until <= now()) watching.delete(memberId);
    isRunning = !isEnded && [...clients].some(isWatching);
    if (!isRunning) {
      known = new Map();
      touched = new Set();
      return;
    }
    timer = setTimeout(() => {
      read()
        .catch((error: unknown) => {
          if (!isEnded) onError(error);
        })
        .finally(next);
    }, readMs).unref();
  }

  return {
    watch(memberId) {
      watching.set(memberId, now() + limits.inbox.presence);
      if (isRunning) return;
      from = now();
      next();
    },
    change(conversationId) {
      // A member who watches later reads the whole list first.
      if (isRunning && touched.size < mostRows) touched.add(conversationId);
    },
    isWatching,
    end() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}
