// Tests of files of notes at two servers with the same data: a file belongs to one note, and who reads one that is being deleted
// gets all of it or nothing.
import { describe, expect, test } from 'vitest';
import { bytesOf } from '../files/bytes/store.contract.ts';
import { pollOptions, type TestServer } from '../testing.ts';
import { type Inbox, useInbox } from './testing.ts';

const startInbox = useInbox();
const rounds = 8;
const content = bytesOf(200_000);
type Member = Awaited<ReturnType<Inbox['member']>>;

/** Two servers, and a member at each. */
async function start() {
  const inbox = await startInbox(undefined, {}, 2);
  await inbox.runtime('POST', '/handoff', {});
  const servers = inbox.servers as [TestServer, TestServer];
  const members = [await inbox.member('Ada'), await inbox.member('Ben')] as const;
  const act = async (which: 0 | 1, method: string, path: string, body?: unknown) => {
    const { headers } = members[which] as Member;
    const response = await servers[which].fetch(`/v1/inbox/conversations/${inbox.conversationId}${path}`, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
    return { status: response.status, body: (await response.json()) as any };
  };
  const upload = async (): Promise<string> => {
    const announcement = { key: 'a.bin', size: content.length, contentType: 'application/octet-stream' };
    const { file } = (await act(0, 'POST', '/note-files', announcement)).body;
    const { status } = await servers[0].fetch(new URL(file.uploadUrl).pathname, {
      method: 'PUT',
      body: new Uint8Array(content),
    });
    expect(status).toBe(204);
    return file.id;
  };
  const isGone = async () => {
    await expect
      .poll(async () => {
        for (const { composition } of servers) await composition.cleanUp();
        return [await inbox.rows('files'), await inbox.rows('note_files'), await inbox.rows('deletions')];
      }, pollOptions)
      .toEqual([[], [], []]);
  };
  return { inbox, servers, act, upload, isGone };
}

describe('files of notes at two servers', () => {
  test('a file that two members attach at once belongs to one note, and the other note is not stored', async () => {
    const { inbox, act, upload } = await start();
    for (let round = 1; round <= rounds; round += 1) {
      const [first, second] = [await upload(), await upload()];
      // In opposite orders, and with one that the other does not want.
      const answers = await Promise.all([
        act(0, 'POST', '/notes', { body: 'x', fileIds: [first, second] }),
        act(1, 'POST', '/notes', { body: 'y', fileIds: [second, first] }),
        act(1, 'POST', '/notes', { body: 'z', fileIds: [first] }),
      ]);
      const stored = answers.filter(({ status }) => status === 201);
      expect(stored).toHaveLength(1);
      for (const { status, body } of answers)
        if (status !== 201) expect([status, body.type]).toEqual([409, 'ReferenceConstraint']);
      const notes = await inbox.rows('notes');
      expect(notes).toHaveLength(round);
      const noteId = stored[0]?.body.note.id;
      const files = (await inbox.rows('note_files')).filter((row) => row.note_id === noteId);
      expect(files).toHaveLength(stored[0]?.body.note.files.length);
      // Files without a note still wait.
      const waiting = (await inbox.rows('files')).filter((row) => row.expires_at !== null);
      expect((await inbox.rows('note_files')).length + waiting.length).toBe(2 * round);
    }
  });

  test('a file whose note is deleted at one server is read completely or not at all at the other', async () => {
    const { inbox, servers, act, upload, isGone } = await start();
    for (let round = 1; round <= rounds; round += 1) {
      const id = await upload();
      const { note } = (await act(0, 'POST', '/notes', { fileIds: [id] })).body;
      const address = new URL((await act(1, 'GET', `/note-files/${id}`)).body.file.url).pathname;
      const read = async () => {
        const response = await servers[1].fetch(address);
        const bytes = Buffer.from(await response.arrayBuffer());
        return response.status === 200 ? bytes.equals(content) : response.status;
      };
      const [deleted, ...seen] = await Promise.all([
        act(0, 'DELETE', `/notes/${note.id}`),
        ...Array.from({ length: 6 }, read),
        act(1, 'GET', `/note-files/${id}`).then(({ status }) => (status === 200 ? true : status)),
      ]);
      expect((deleted as { status: number }).status).toBe(200);
      for (const one of seen) expect([true, 404]).toContain(one);
      expect([await read(), (await act(1, 'GET', `/note-files/${id}`)).status]).toEqual([404, 404]);
    }
    await isGone();
    expect(await inbox.rows('notes')).toEqual([]);
  });

  test('a file that is attached at one server while the conversation is deleted at the other leaves nothing', async () => {
    const { inbox, servers, act, upload, isGone } = await start();
    const id = await upload();
    const [attached, deleted] = await Promise.all([
      act(0, 'POST', '/notes', { fileIds: [id] }),
      servers[1].fetch(`/v1/chat/conversations/${inbox.conversationId}`, {
        method: 'DELETE',
        headers: inbox.ofBot,
      }),
    ]);
    expect([201, 404, 409]).toContain(attached.status);
    expect(deleted.status).toBe(200);
    await isGone();
    expect([await inbox.rows('notes'), await inbox.rows('note_mentions')]).toEqual([[], []]);
  });
});
