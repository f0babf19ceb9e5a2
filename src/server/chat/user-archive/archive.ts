// The ZIP archive of all data of a user. It is written while it is read: nothing of it is held in memory but the piece that
// is being sent.
import { makeZip } from 'client-zip';
import type { Context } from 'hono';
import { limits } from '../../../protocol/limits.ts';
import type { Note } from '../../../protocol/types/inbox.ts';
import type { ExportItem } from '../../../protocol/visitors.ts';
import { ApiError, errorResponse } from '../../api/errors.ts';
import { type FileStore, type FileTokens, fileName, MissingBytes } from '../../files/index.ts';
import { botById } from '../../storage/bots/bots.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import { conversationsToExport, filesToExport } from '../../storage/chat/exports.ts';
import { type UserRow, userById } from '../../storage/chat/users.ts';
import type { Database, Tx } from '../../storage/database.ts';
import { type FileRow, isComplete } from '../../storage/files/files.ts';
import { conversationJson, conversationMarkdown, list } from './documents.ts';
import { type ExportPosition, exportPage } from './user-export.ts';

/** Rows of one read, because each can have a megabyte. */
const batchSize = 20;
/** Characters of the name of a file in the archive after its id: file systems refuse names with more than 255 bytes. */
const nameLength = 50;

/** Reads up to `limit` rows of a conversation after the id of one, in the order of the ids. */
type RowsOf<Row> = (tx: Tx, conversationId: string, after: string, limit: number) => Promise<Row[]>;

/** The notes of the team about a conversation. */
export interface TeamNotes {
  notesOf: RowsOf<Note>;
  filesOf: RowsOf<FileRow>;
}

export interface ArchiveSource {
  db: Pick<Database, 'read'>;
  store: Pick<FileStore, 'read'>;
  user: UserRow;
  /** For archives of administrators only: without it, nothing in the archive comes from a note. */
  team?: TeamNotes | undefined;
  now(): number;
}

interface Entry {
  name: string;
  input: AsyncIterable<string | Uint8Array>;
  lastModified: Date;
}

/**
 * Returns the bytes of the archive. When the stream is cancelled, the file that is being read is closed, and nothing more is
 * read. What is deleted in the meantime is left out from there on. If the user is deleted, the stream ends with an error: nothing
 * that was read afterwards is sent.
 */
export function openArchive(source: ArchiveSource): ReadableStream<Uint8Array> {
  const entries = entriesOf({ ...source, db: readingOf(source) });
  const reader = makeZip(entries).getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { value, done } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        // The library would throw its reason into the entries, and leave the file open.
        await entries.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Reads as long as the user is there: their rows are removed by and by after the deletion. */
function readingOf({ db, user }: ArchiveSource): ArchiveSource['db'] {
  return {
    read: (work) =>
      db.read(async (tx) => {
        if (!(await userById(tx, user.id)))
          throw new Error('The user was deleted while the archive was read.');
        return work(tx);
      }),
  };
}

async function* entriesOf(source: ArchiveSource): AsyncGenerator<Entry, undefined> {
  const { db, store, user, team, now } = source;
  const lastModified = new Date(now());
  yield { name: 'data.json', input: list(itemsOf(source)), lastModified };
  for await (const conversation of ownedConversations(db, user)) {
    const name = safe(conversation.id);
    const changed = new Date(conversation.updatedAt);
    const of = { db, user, conversation };
    yield { name: `conversations/${name}.json`, input: conversationJson(of), lastModified: changed };
    yield { name: `conversations/${name}.md`, input: conversationMarkdown(of), lastModified: changed };
    if (!team) continue;
    const notes = rowsIn(db, conversation.id, team.notesOf);
    const first = await notes.next();
    if (!first.done)
      yield { name: `notes/${name}.json`, input: list(withFirst(first.value, notes)), lastModified };
    for await (const file of rowsIn(db, conversation.id, team.filesOf))
      yield* contentOf(store, file, 'notes/');
  }
  for await (const file of filesOf(db, user)) yield* contentOf(store, file);
  return undefined;
}

/** The entry of a file, if its bytes are there. */
async function* contentOf(store: ArchiveSource['store'], file: FileRow, folder = ''): AsyncGenerator<Entry> {
  if (!isComplete(file)) return;
  const reader = await open(store, file);
  if (!reader) return;
  try {
    yield {
      name: folder + pathOf(file.id, file.key),
      input: chunksOf(reader),
      lastModified: new Date(file.createdAt),
    };
  } finally {
    await reader.cancel().catch(() => {});
  }
}

/** The items of the export of the Admin API. The address of a file is its path in the archive. */
async function* itemsOf({ db, user, now }: ArchiveSource): AsyncGenerator<ExportItem> {
  let after: ExportPosition | undefined = [0, '', -1];
  while (after) {
    const from: ExportPosition = after;
    const page = await db.read((tx) => exportPage(tx, user, from, limits.pageSize, pathOf, now()));
    yield* page.items;
    after = page.next;
  }
}

async function* ownedConversations(db: ArchiveSource['db'], user: UserRow): AsyncGenerator<ConversationRow> {
  for (let after = ''; ; ) {
    const from = after;
    const rows = await db.read((tx) => conversationsToExport(tx, user.id, from, batchSize));
    for (const row of rows) if (row.ownerId === user.id) yield row;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.id;
  }
}

async function* filesOf(db: ArchiveSource['db'], user: UserRow): AsyncGenerator<FileRow> {
  for (let after = ''; ; ) {
    const from = after;
    const rows = await db.read((tx) => filesToExport(tx, user.id, from, batchSize));
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.id;
  }
}

async function* rowsIn<Row extends { id: string }>(
  db: ArchiveSource['db'],
  conversationId: string,
  rowsOf: RowsOf<Row>,
): AsyncGenerator<Row> {
  for (let after = ''; ; ) {
    const from = after;
    const rows = await db.read((tx) => rowsOf(tx, conversationId, from, batchSize));
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = last.id;
  }
}

async function* withFirst<T>(first: T, others: AsyncIterable<T>): AsyncGenerator<T> {
  yield first;
  yield* others;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

/** Opens the bytes of a file; undefined if it was deleted in the meantime. */
async function open(store: ArchiveSource['store'], file: FileRow): Promise<Reader | undefined> {
  try {
    return (await store.read(file.contentId, 0, file.size - 1)).getReader();
  } catch (error) {
    if (error instanceof MissingBytes) return undefined;
    throw error;
  }
}

async function* chunksOf(reader: Reader): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    yield value;
  }
}

/**
 * The path of a file in the archive. It begins with the id, so that no two are equal, also where letters are compared without
 * their case, and none is `..`, a device or hidden. The end of a name is kept, because it has the type.
 */
function pathOf(id: string, key: string): string {
  const characters = [...fileName(key).replace(/[<>:"|?*\p{Cf}\p{Cs}]/gu, '_')];
  const name = characters
    .slice(-nameLength)
    .join('')
    .replace(/[. ]+$/, '_');
  return `files/${safe(id)}-${name}`;
}

/** An id of the server as part of a path. */
const safe = (id: string): string => id.replace(/\W/g, '_');

/** The path of downloads; the token follows. */
export const archivePath = '/v1/archives';
/** Milliseconds that an address is valid. A download that has begun may take longer. */
const lifetimeMs = 10 * 60 * 1000;

export interface Archives {
  /** Returns the address of the archive of a user and when it expires, in milliseconds since 1970. */
  addressOf(server: string, userId: string): { url: string; expires: number };
}

/** Creates and checks the addresses of archives of users, which are signed and valid for ten minutes. Nothing is stored. */
export function createArchives(tokens: FileTokens, now: () => number): Archives {
  return {
    addressOf(server, userId) {
      const expires = now() + lifetimeMs;
      return { url: `${server}${archivePath}/${tokens.sign('archive', userId, expires)}`, expires };
    },
  };
}

interface DownloadOptions extends Omit<ArchiveSource, 'user' | 'team'> {
  tokens: FileTokens;
  team: TeamNotes;
}

const headers = {
  'content-type': 'application/zip',
  'content-disposition': 'attachment; filename="visitor.zip"',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Handles all methods of `/v1/archives/:token`. */
export function createArchiveHandler({ tokens, ...source }: DownloadOptions) {
  return async (c: Context): Promise<Response> => {
    const { method } = c.req.raw;
    if (method !== 'GET' && method !== 'HEAD') {
      const error = new ApiError('MethodNotFound', 'The methods of this address are GET, HEAD.');
      return errorResponse(error, { allow: 'GET, HEAD' });
    }
    const id = tokens.verify('archive', c.req.param('token') ?? '', source.now());
    const user = await source.db.read(async (tx) => {
      const found = id === undefined ? undefined : await userById(tx, id);
      return found && (await botById(tx, found.botId)) ? found : undefined;
    });
    if (!user)
      return errorResponse(new ApiError('ResourceNotFound', 'There is no archive at this address.'), {});
    // A HEAD response has no body whose end would close what is read.
    return new Response(method === 'HEAD' ? null : openArchive({ ...source, user }), { headers });
  };
}
