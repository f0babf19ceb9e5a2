// Adds messages and notes to the full-text index that members search, in the background: those of an earlier version, and new messages
// within a second while somebody searches, otherwise within half a minute. One process of a server does it.
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import { textOfPayload } from '../api/message-text.ts';
import type { Processes, Worker } from '../jobs/processes.ts';
import { createScheduledWorker } from '../jobs/scheduled-worker.ts';
import { conversationById } from '../storage/chat/conversations.ts';
import type { Database } from '../storage/database.ts';
import { notesAfter } from '../storage/inbox/notes.ts';
import {
  changedAndBehind,
  conversationsAfter,
  indexTexts,
  isIndexed,
  missingMessages,
  searchProgress,
  setSearchProgress,
} from '../storage/inbox/searched-texts.ts';
import { batchBytes } from '../storage/read-bytes.ts';

/** Messages and notes of one transaction: other writes wait for a few milliseconds. */
const textsAtOnce = 20;
const conversationsAtOnce = 100;
/** Milliseconds between two looks for new messages while somebody searches, and for how long a search counts. */
const lookMs = 1_000;
const searchMs = 60_000;
/** Milliseconds before the last look whose changes are looked at again: a write can become visible later than its time. */
const overlapMs = 30_000;
/** Milliseconds after which the time of the last look is stored, although nothing was added. */
const storedMs = 60_000;

export interface TextIndexOptions {
  processes: Pick<Processes, 'assign' | 'broadcasts'>;
  logger: Logger;
  now(): number;
}

/** The index of texts, of which another process may take care. */
export interface TextIndex {
  /** Somebody searches: new messages are added soon. */
  follow(): void;
}

/** Begins with the start of `processes`. */
export function assignTextIndex({ processes, ...options }: TextIndexOptions): TextIndex {
  const role = processes.assign('index texts', (db) => createTextIndexWorker({ ...options, db }));
  return { follow: processes.broadcasts.everywhere('index texts', () => role.worker?.follow()) };
}

type WorkerOptions = Omit<TextIndexOptions, 'processes'> & { db: Database };

function createTextIndexWorker({ db, logger, now }: WorkerOptions): Worker & TextIndex {
  /** From when changes are looked for; undefined before the first look. */
  let from: number | undefined;
  let storedAt = now();
  let followedUntil = 0;

  /** Adds the next messages of a conversation. Returns false when none is missing. */
  const addMessages = (id: string): Promise<boolean> =>
    db.write(async (tx) => {
      await tx.lock(`conversation:${id}`);
      const found = await missingMessages(tx, id, textsAtOnce, batchBytes);
      if (found.length === 0 || !(await conversationById(tx, id))) return false;
      const texts = found.map(({ id: textId, seq, payload, createdAt }) => ({
        ...{ textId, isNote: false, seq, createdAt },
        text: textOfPayload(payload),
      }));
      await indexTexts(tx, id, texts);
      return true;
    });

  async function addNotes(id: string, isClosed: () => boolean): Promise<void> {
    for (let after = ''; !isClosed(); ) {
      const last = await db.write(async (tx) => {
        await tx.lock(`conversation:${id}`);
        const notes = await notesAfter(tx, id, after, textsAtOnce);
        const missing = [];
        for (const note of notes) if (!(await isIndexed(tx, note.id))) missing.push(note);
        const texts = missing.map((note) => ({
          ...{ textId: note.id, isNote: true, seq: note.afterSeq, createdAt: note.createdAt },
          text: note.body,
        }));
        await indexTexts(tx, id, texts);
        return notes.length < textsAtOnce ? undefined : notes.at(-1)?.id;
      });
      if (last === undefined) return;
      after = last;
    }
  }

  async function addAll(id: string, isClosed: () => boolean): Promise<void> {
    while (!isClosed() && (await addMessages(id))) await setImmediate();
  }

  /** From when changes are looked for: of a database of an earlier version, those before are added by the ids of conversations. */
  async function begin(began: number): Promise<number> {
    const [recent, earlier] = await db.read(async (tx) => [
      await searchProgress(tx, 'recent'),
      await searchProgress(tx, 'earlier'),
    ]);
    if (recent !== undefined) return Number(recent);
    if (earlier === undefined) return 0;
    await db.write((tx) => setSearchProgress(tx, 'recent', String(began)));
    return began;
  }

  /** Adds what is new. Returns false when it has to look again, because there was more than is read at once. */
  async function addRecent(isClosed: () => boolean): Promise<boolean> {
    const began = now();
    from ??= await begin(began);
    const after = from - overlapMs;
    const behind = await db.read((tx) => changedAndBehind(tx, after, conversationsAtOnce));
    for (const { id } of behind) if (!isClosed()) await addAll(id, isClosed);
    if (isClosed()) return true;
    const isWhole = behind.length < conversationsAtOnce;
    // The conversations that were read are not behind any more: the next look finds the others.
    if (isWhole) from = began;
    if (behind.length > 0 || began > storedAt + storedMs) {
      const position = String(from);
      await db.write((tx) => setSearchProgress(tx, 'recent', position));
      storedAt = began;
    }
    return isWhole;
  }

  /** Adds the texts of some conversations of an earlier version. Returns false when nothing is left. */
  async function addEarlier(isClosed: () => boolean): Promise<boolean> {
    const position = await db.read((tx) => searchProgress(tx, 'earlier'));
    if (position === undefined) return false;
    const ids = await db.read((tx) => conversationsAfter(tx, position, conversationsAtOnce));
    for (const id of ids) {
      if (isClosed()) return false;
      await addAll(id, isClosed);
      await addNotes(id, isClosed);
    }
    if (isClosed()) return false;
    await db.write((tx) => setSearchProgress(tx, 'earlier', ids.at(-1)));
    return ids.length > 0;
  }

  let hasEarlier = true;
  const worker = createScheduledWorker({
    async run(isClosed) {
      while (!isClosed() && !(await addRecent(isClosed)));
      // New messages come first, also while there is much of an earlier version.
      if (hasEarlier && !isClosed()) hasEarlier = await addEarlier(isClosed);
      return true;
    },
    nextTime: async () => (hasEarlier ? now() : now() < followedUntil ? now() + lookMs : undefined),
    failure: 'adding texts to the search failed',
    logger,
    now,
  });
  return {
    ...worker,
    follow() {
      followedUntil = now() + searchMs;
      worker.wake();
    },
  };
}
