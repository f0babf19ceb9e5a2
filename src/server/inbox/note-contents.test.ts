// Tests what notes have besides their text: mentions of members, and files that only the team can read.
import { describe, expect, test } from 'vitest';
import type { TeamSignal } from '../../protocol/inbox.ts';
import type { NewFile } from '../../protocol/types/chat.ts';
import { deleteMember } from '../storage/admin/workspaces.ts';
import { seedNoteFiles } from '../testing/note-files.testing.ts';
import { pollOptions } from '../testing.ts';
import { type Inbox, useInbox } from './testing.ts';

const startInbox = useInbox();

async function start(options: Parameters<typeof startInbox>[1] = {}): Promise<Inbox> {
  const inbox = await startInbox(undefined, options);
  await inbox.runtime('POST', '/handoff', { reason: 'refund' });
  return inbox;
}

type Member = Awaited<ReturnType<Inbox['member']>>;

const lists = async (member: Member) => {
  const { conversations } = (await member.call('GET', '/conversations?list=mentioned')).body;
  const { counts } = (await member.call('GET', '/counts')).body;
  expect(counts.mentioned).toBe(conversations.length);
  return conversations.length;
};

describe('a mention', () => {
  test('puts the conversation into the list of the member until the note or the conversation is gone', async () => {
    const inbox = await start();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    expect([await lists(ada), await lists(ben)]).toEqual([0, 0]);
    const written = await ada.act('POST', '/notes', { body: '@Ben, please', mentions: [ben.id, ben.id] });
    expect(written).toMatchObject({ status: 201, body: { note: { mentions: [ben.id] } } });
    const { note } = written.body;
    expect([await lists(ada), await lists(ben)]).toEqual([0, 1]);
    const [row] = (await ben.call('GET', '/conversations?list=all')).body.conversations;
    expect(row.mentions).toEqual([ben.id]);
    expect((await ben.act('GET', '/timeline')).body.notes).toMatchObject([{ mentions: [ben.id] }]);
    // A change of the text leaves the mentions as they are, unless they are given.
    await ada.act('PUT', `/notes/${note.id}`, { body: 'Changed' });
    expect(await lists(ben)).toBe(1);
    await ada.act('PUT', `/notes/${note.id}`, { body: 'Changed', mentions: [ada.id] });
    expect([await lists(ada), await lists(ben)]).toEqual([1, 0]);
    expect(
      (await ada.act('PUT', `/notes/${note.id}`, { body: 'x', mentions: [] })).body.note,
    ).not.toHaveProperty('mentions');
    expect(await lists(ada)).toBe(0);

    const other = (await ada.act('POST', '/notes', { body: 'x', mentions: [ben.id] })).body.note;
    await ada.act('POST', '/take', {});
    await ada.act('POST', '/close', {});
    expect(await lists(ben)).toBe(0);
    await ada.act('POST', '/reopen', {});
    expect(await lists(ben)).toBe(1);
    await ada.act('DELETE', `/notes/${other.id}`);
    expect(await lists(ben)).toBe(0);
    expect(await inbox.rows('note_mentions')).toEqual([]);
  });

  test('is counted until the member has read up to it; the list keeps the conversation', async () => {
    const inbox = await start();
    const [ada, ben, vic] = [
      await inbox.member('Ada'),
      await inbox.member('Ben'),
      await inbox.member('Vic', 'viewer'),
    ];
    /** The number of listed conversations, the number that is counted, and who has not seen all mentions. */
    const seenBy = async (member: Member) => {
      const { conversations } = (await member.call('GET', '/conversations?list=mentioned')).body;
      const { counts } = (await member.call('GET', '/counts')).body;
      return [conversations.length, counts.mentioned, conversations[0]?.unseenMentions];
    };
    const mentions = [ben.id, vic.id];
    const { note } = (await ada.act('POST', '/notes', { body: '@Ben @Vic', mentions })).body;
    const sorted = [ben.id, vic.id].sort();
    expect([await seenBy(ben), await seenBy(vic)]).toEqual([
      [1, 1, sorted],
      [1, 1, sorted],
    ]);
    const { seq, notes } = (await ben.act('GET', '/timeline')).body;
    // A colleague who reads it, or an earlier read mark, changes nothing.
    expect((await ada.act('PUT', '/read', { seq })).status).toBe(200);
    expect((await ben.act('PUT', '/read', { seq: notes[0].afterSeq - 1 })).status).toBe(200);
    expect(await seenBy(ben)).toEqual([1, 1, sorted]);
    const stream = await ada.listen();
    expect((await ben.act('PUT', '/read', { seq })).status).toBe(200);
    await stream.until(({ data }) => data?.includes(`"unseenMentions":["${vic.id}"]`) === true);
    await stream.cancel();
    expect([await seenBy(ben), await seenBy(vic)]).toEqual([
      [1, 0, [vic.id]],
      [1, 1, [vic.id]],
    ]);
    // A viewer sees it, too. Again, nothing changes.
    expect((await vic.act('PUT', '/read', { seq })).status).toBe(200);
    const { revision } = (await ben.act('GET', '')).body.conversation;
    expect((await vic.act('PUT', '/read', { seq })).status).toBe(200);
    expect((await ben.act('GET', '')).body.conversation.revision).toBe(revision);
    expect(await seenBy(vic)).toEqual([1, 0, undefined]);
    // An edit mentions nobody again who stays mentioned; another note does.
    await ada.act('PUT', `/notes/${note.id}`, { body: '@Ben @Ada', mentions: [ben.id, ada.id] });
    expect([await seenBy(ben), await seenBy(ada)]).toEqual([
      [1, 0, [ada.id]],
      [1, 1, [ada.id]],
    ]);
    await ada.act('POST', '/notes', { body: '@Ben', mentions: [ben.id] });
    expect((await seenBy(ben))[1]).toBe(1);
  });

  test('is told to open inboxes, with the row of the conversation', async () => {
    const inbox = await start();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    const stream = await ben.listen();
    const until = async (matches: (signal: TeamSignal) => boolean) =>
      JSON.parse((await stream.until(({ signal }) => matches(signal as unknown as TeamSignal))).data ?? '');
    await until(({ type }) => type === 'inbox_counts');
    const { note } = (await ada.act('POST', '/notes', { body: '@Ben', mentions: [ben.id] })).body;
    expect((await until(({ type }) => type === 'inbox_note')).data.note).toEqual(note);
    await until(({ type, data }) => type === 'inbox_row' && data.row.mentions?.[0] === ben.id);
    await until(({ type, data }) => type === 'inbox_counts' && data.mentioned === 1);
    await stream.cancel();
  });

  test('of somebody who cannot see the conversation is refused, and nothing is stored', async () => {
    const inbox = await start();
    const [ada, mia] = [await inbox.member('Ada'), await inbox.member('Mia', 'manager')];
    const [ben, bill] = [await inbox.member('Ben'), await inbox.member('Bill', 'billing')];
    await mia.restrict(ada.id);
    for (const memberId of [ben.id, bill.id, 'member_none', inbox.visitor.id]) {
      const refused = await ada.act('POST', '/notes', { body: 'x', mentions: [mia.id, memberId] });
      expect(refused).toMatchObject({
        status: 409,
        body: { type: 'ReferenceConstraint', metadata: { memberId } },
      });
    }
    expect([await inbox.rows('notes'), await inbox.rows('note_mentions')]).toEqual([[], []]);
    expect((await ada.act('POST', '/notes', { body: 'x', mentions: [mia.id] })).status).toBe(201);
    expect([await lists(mia), await lists(ben)]).toEqual([1, 0]);
  });

  test('is not listed for a member who may not see the conversation any more', async () => {
    const inbox = await start();
    const [ada, mia] = [await inbox.member('Ada'), await inbox.member('Mia', 'manager')];
    await mia.act('POST', '/notes', { body: '@Ada', mentions: [ada.id] });
    expect(await lists(ada)).toBe(1);
    await mia.restrict();
    expect(await lists(ada)).toBe(0);
  });

  test('of somebody who has lost access or was removed does not prevent a change of the text', async () => {
    const inbox = await start();
    const [ada, mia] = [await inbox.member('Ada'), await inbox.member('Mia', 'manager')];
    const [ben, cy] = [await inbox.member('Ben'), await inbox.member('Cy')];
    const mentions = [ada.id, ben.id];
    const { note } = (await mia.act('POST', '/notes', { body: '@Ada @Ben', mentions })).body;
    await mia.restrict();
    await inbox.server.db.write((tx) => deleteMember(tx, ben.id));
    const change = (body: object) => mia.act('PUT', `/notes/${note.id}`, { body: 'Changed', ...body });
    expect(await change({ mentions })).toMatchObject({ status: 200, body: { note: { body: 'Changed' } } });
    expect((await change({ mentions: [...mentions, cy.id] })).body.metadata).toEqual({ memberId: cy.id });
    // A removed file cannot come back.
    expect((await change({ mentions: [ada.id] })).body.note.mentions).toEqual([ada.id]);
    expect((await change({ mentions })).body.metadata).toEqual({ memberId: ben.id });
    expect(await lists(ada)).toBe(0);
  });
});

describe('a file of a note', () => {
  const text = new TextEncoder().encode('canaryofthefile');
  const announcement = { key: 'canaryofthename.txt', size: text.length, contentType: 'text/plain' };
  const at = (address: string) => address.slice(new URL(address).origin.length);

  async function upload({ server }: Inbox, member: Member): Promise<{ id: string; uploadUrl: string }> {
    const { file } = (await member.act('POST', '/note-files', announcement)).body;
    expect((await server.fetch(at(file.uploadUrl), { method: 'PUT', body: text })).status).toBe(204);
    return file;
  }

  test('is read by members with an address that ends, and is deleted with its note', async () => {
    let time = Date.now();
    const inbox = await start({ now: () => time });
    const { server } = inbox;
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    const announced = (await ada.act('POST', '/note-files', announcement)).body.file;
    expect(announced).toEqual({ ...announcement, id: expect.any(String), uploadUrl: expect.any(String) });
    // Neither attached nor read before its bytes are there.
    expect((await ada.act('POST', '/notes', { fileIds: [announced.id] })).status).toBe(409);
    expect((await ada.act('GET', `/note-files/${announced.id}`)).status).toBe(404);
    expect((await server.fetch(at(announced.uploadUrl), { method: 'PUT', body: text })).status).toBe(204);
    const written = await ada.act('POST', '/notes', { fileIds: [announced.id, announced.id] });
    expect(written.status).toBe(201);
    const { note } = written.body;
    expect(note).toMatchObject({ body: '', files: [{ ...announcement, id: announced.id }] });
    expect(JSON.stringify(written.body)).not.toContain('http');
    expect((await ben.act('GET', '/timeline')).body.notes).toEqual([note]);

    const { url } = (await ben.act('GET', `/note-files/${announced.id}`)).body.file;
    const read = await server.fetch(at(url));
    expect([read.status, await read.text()]).toEqual([200, 'canaryofthefile']);
    time += 5 * 60_000 + 1;
    expect((await server.fetch(at(url))).status).toBe(404);
    // A day later the file of a note is still there.
    time += 2 * 24 * 60 * 60_000;
    await server.composition.cleanUp();
    expect((await ben.act('GET', `/note-files/${announced.id}`)).status).toBe(200);

    const again = (await ben.act('GET', `/note-files/${announced.id}`)).body.file.url;
    expect((await ada.act('DELETE', `/notes/${note.id}`)).status).toBe(200);
    expect((await server.fetch(at(again))).status).toBe(404);
    await expect.poll(() => inbox.rows('deletions'), pollOptions).toEqual([]);
    for (const table of ['files', 'note_files', 'notes']) expect(await inbox.rows(table), table).toEqual([]);
  });

  test('waits a day for its note, then it is deleted', async () => {
    let time = Date.now();
    const inbox = await start({ now: () => time });
    const ada = await inbox.member('Ada');
    const { id } = await upload(inbox, ada);
    time += 24 * 60 * 60_000 + 1;
    expect((await ada.act('POST', '/notes', { fileIds: [id] })).body.type).toBe('ReferenceConstraint');
    expect((await ada.act('GET', `/note-files/${id}`)).status).toBe(404);
    await inbox.server.composition.cleanUp();
    expect([await inbox.rows('files'), await inbox.rows('notes')]).toEqual([[], []]);
  });

  test('outlives a restart between its upload and its note, and in the middle of its upload', async () => {
    const inbox = await start();
    const files = await seedNoteFiles(inbox.server);
    await inbox.restart();
    await files.assertGoesOn(inbox.server);
    await inbox.restart();
    await files.assertServed(inbox.server);
  });

  test('belongs to one note of its conversation', async () => {
    const inbox = await start();
    const { server, key } = inbox;
    const ada = await inbox.member('Ada');
    const first = await upload(inbox, ada);
    const second = await upload(inbox, ada);
    expect((await ada.act('POST', '/notes', { body: 'x', fileIds: [first.id] })).status).toBe(201);
    // Of another note, of a reply, of the visitor, of nobody, and of another conversation.
    const ofReply = (await ada.act('POST', '/files', announcement)).body.file;
    await server.fetch(at(ofReply.uploadUrl), { method: 'PUT', body: text });
    const ofVisitor = (await server.call('POST', '/files', { key, body: announcement })).body.file as NewFile;
    await server.fetch(at(ofVisitor.uploadUrl), { method: 'PUT', body: text });
    const other = await server.conversation(key);
    await inbox.bot('POST', `/conversations/${other}/handoff`, {});
    const elsewhere = (await ada.call('POST', `/conversations/${other}/note-files`, announcement)).body.file;
    await server.fetch(at(elsewhere.uploadUrl), { method: 'PUT', body: text });
    for (const id of [first.id, ofReply.id, ofVisitor.id, 'file_none', elsewhere.id]) {
      const refused = await ada.act('POST', '/notes', { body: 'y', fileIds: [second.id, id] });
      expect([id, refused.status, refused.body.type]).toEqual([id, 409, 'ReferenceConstraint']);
      if (id !== first.id) expect((await ada.act('GET', `/note-files/${id}`)).status).toBe(404);
    }
    expect(await inbox.rows('notes')).toHaveLength(1);
    // A refused file can still be attached.
    expect((await ada.act('POST', '/notes', { fileIds: [second.id] })).status).toBe(201);
    for (const body of [{}, { fileIds: [] }])
      expect((await ada.act('POST', '/notes', body)).status).toBe(400);
  });

  test('is in nothing that visitors, bots and webhooks read, at no address of theirs', async () => {
    const inbox = await start();
    const { server, key } = inbox;
    const ada = await inbox.member('Ada');
    const stream = await server.listen(key, inbox.conversationId);
    const countFor = async (headers: Record<string, string>) =>
      (await inbox.request('GET', '/v1/files/storage', headers)).body.storage.files.count;
    const { id } = await upload(inbox, ada);
    // Not even counted for the bot; members see what the storage has.
    expect(await countFor(inbox.ofBot)).toBe(0);
    expect(await countFor({ ...ada.headers, 'x-bot-id': inbox.botId })).toBe(1);
    await ada.act('POST', '/notes', { fileIds: [id] });
    const { url } = (await ada.act('GET', `/note-files/${id}`)).body.file;
    const token = /content\/([^/]+)\//.exec(url)?.[1];
    // A token of a note opens no address of the chat.
    expect((await server.fetch(`/chat/demo/files/${token}/a.txt`)).status).toBe(404);
    const seen = [
      await inbox.messages(),
      (await inbox.chat('GET', '/activities')).body,
      (await inbox.request('GET', '/v1/files', inbox.ofBot)).body,
      (await inbox.request('GET', '/v1/files', ada.headers)).body,
      (await inbox.request('GET', '/chat/demo/conversations', { 'x-user-key': key })).body,
    ];
    for (const path of [`/v1/files/${id}`, `/v1/chat/files/${id}`])
      expect((await inbox.request('GET', path, inbox.ofBot)).status).toBe(404);
    await inbox.send('Hello');
    await stream.until(({ signal }) => signal?.type === 'message_created');
    await inbox.idle();
    const all = JSON.stringify([seen, inbox.received, stream.frames.map(({ data }) => data)]);
    expect(all).not.toContain('canaryofthe');
    expect(all).not.toContain(id);
    await stream.cancel();
    // The conversation goes with all that was written about it.
    expect((await inbox.chat('DELETE', '')).status).toBe(200);
    expect((await server.fetch(at(url))).status).toBe(404);
    await server.composition.cleanUp();
    for (const table of ['files', 'note_files', 'notes', 'deletions'])
      expect(await inbox.rows(table), table).toEqual([]);
  });

  test('has the limits of the server, and needs the permission to answer', async () => {
    const inbox = await start();
    const [ada, vera] = [await inbox.member('Ada'), await inbox.member('Vera', 'viewer')];
    const { id } = await upload(inbox, ada);
    expect((await vera.act('POST', '/note-files', announcement)).status).toBe(403);
    const huge = await ada.act('POST', '/note-files', { ...announcement, size: 1e12 });
    expect(huge.body).toMatchObject({ type: 'LimitExceeded', metadata: { limit: expect.any(Number) } });
    const wrong = await ada.act('POST', '/note-files', { ...announcement, contentType: 'text' });
    expect(wrong.status).toBe(400);
    expect((await vera.act('GET', `/note-files/${id}`)).status).toBe(200);
  });
});
