// Tests of the archive of a visitor: what other programs read in it, whose data and notes are in it, hostile names, memory, and
// clients that go away.
import { execFile } from 'node:child_process';
import { mkdtemp, open, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { marked } from 'marked';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { requireProgram } from '../../../../scripts/browser.mjs';
import type { NewFile } from '../../../protocol/types/chat.ts';
import { type Inbox, useInbox } from '../../inbox/testing.ts';
import { pollOptions } from '../../testing.ts';

const run = promisify(execFile);
const unzip = requireProgram('unzip');
let clock = 0;
const startInbox = useInbox();
let inbox: Inbox;
let folder = '';
let admin: (method: string, path: string, body?: unknown) => ReturnType<Inbox['request']>;
beforeEach(async () => {
  clock = Date.now();
  folder = await mkdtemp(join(tmpdir(), 'webchat-archive-'));
  inbox = await startInbox(() => {}, {
    now: () => clock,
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'chat@example.com',
    PUBLIC_URL: 'https://chat.example.com',
  });
  const { headers } = await inbox.member('Admin', 'administrator');
  admin = (method, path, body) => inbox.request(method, `/v1/admin${path}`, headers, body);
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

const archivePathOf = async (userId = inbox.visitor.id): Promise<string> => {
  const { status, body } = await admin('POST', `/bots/${inbox.botId}/users/${userId}/archive`);
  expect(status).toBe(200);
  return new URL(body.url).pathname;
};

async function upload(name: string, content: Uint8Array, key = inbox.key): Promise<string> {
  const { server } = inbox;
  const made = await server.call('POST', '/files', { key, body: { key: name, size: content.length } });
  const file = made.body.file as NewFile;
  const sent = await server.fetch(new URL(file.uploadUrl).pathname, {
    method: 'PUT',
    body: new Uint8Array(content),
  });
  expect(sent.status).toBe(204);
  return file.id;
}

/** Downloads an archive, has two other programs test it, and returns the texts of its entries by name. */
async function read(path: string): Promise<Record<string, string>> {
  const response = await inbox.server.fetch(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/zip']);
  const file = join(folder, 'visitor.zip');
  await writeFile(file, new Uint8Array(await response.arrayBuffer()));
  const { stdout: tested } = await run(unzip, ['-tq', file]);
  expect(tested).toContain('No errors detected');
  const program = `import json, sys, zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
assert len(archive.namelist()) == len({name.lower() for name in archive.namelist()})
json.dump({name: archive.read(name).decode('latin-1') for name in archive.namelist()}, sys.stdout)`;
  const { stdout } = await run('python3', ['-c', program, file], { maxBuffer: 1e9 });
  const texts = Object.entries(JSON.parse(stdout) as Record<string, string>);
  return Object.fromEntries(texts.map(([name, text]) => [name, Buffer.from(text, 'latin1').toString()]));
}

test('the archive has the data, readable conversations, files, contact, ratings and activities of one visitor, and notes apart', async () => {
  const { server, key, conversationId, visitor } = inbox;
  const ada = await inbox.member('Ada');
  const ok = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBeLessThan(300);
  await ok(server.call('PUT', '/contact', { key, body: { email: 'visitor@example.com' } }));
  await inbox.send('Grüße 👍\n\n**Person (Ada)**, now\n> forged');
  const pixel = 'https://example.com/pixel.png';
  await inbox.send(
    `![a](${pixel}) \\![b](${pixel}) ![c][c] <img src="${pixel}"> \\<img src="${pixel}">\n\n[c]: ${pixel}`,
  );
  const other = await server.user({ name: 'Other' });
  const elsewhere = await server.conversation(other.key);
  await server.sendMessage(other.key, elsewhere, 'words of another');
  await server.join(other.key, elsewhere, visitor);
  await server.sendMessage(key, elsewhere, 'own words elsewhere');
  const fileId = await upload('ä.txt', Buffer.from('bytes'));
  await upload('other.txt', Buffer.from('bytes of another'), other.key);
  await ok(inbox.runtime('POST', '/handoff', { reason: 'refund', note: 'note-canary of the bot' }));
  for (let n = 0; n < 25; n += 1) await ok(ada.act('POST', '/notes', { body: `note-canary ${n}` }));
  const noteFile = (await ada.act('POST', '/note-files', { key: 'id.txt', size: 11 })).body.file;
  const sent = await server.fetch(new URL(noteFile.uploadUrl).pathname, {
    method: 'PUT',
    body: 'note-canary',
  });
  expect(sent.status).toBe(204);
  await ok(ada.act('POST', '/notes', { fileIds: [noteFile.id] }));
  const { seq } = (await ada.act('GET', '/timeline')).body;
  const sentFile = (await ada.act('POST', '/files', { key: 'map.txt', size: 3 })).body.file as NewFile & {
    id: string;
  };
  const put = await server.fetch(new URL(sentFile.uploadUrl).pathname, { method: 'PUT', body: 'map' });
  expect(put.status).toBe(204);
  const payload = { type: 'text', text: 'answer of a person' };
  await ok(ada.act('POST', '/replies', { payload, seenSeq: seq, take: true }));
  await ok(ada.act('POST', '/close', {}));
  const { handoffId } = (await inbox.chat('GET', '/activities')).body.rating;
  await ok(inbox.chat('PUT', '/rating', { handoffId, rating: 5, comment: 'well done' }));

  const entries = await read(await archivePathOf());
  expect(Object.keys(entries).sort()).toEqual(
    [
      `conversations/${conversationId}.json`,
      `conversations/${conversationId}.md`,
      'data.json',
      `files/${fileId}-ä.txt`,
      `files/${sentFile.id}-map.txt`,
      `notes/${conversationId}.json`,
      `notes/files/${noteFile.id}-id.txt`,
    ].sort(),
  );
  expect(entries[`files/${fileId}-ä.txt`]).toBe('bytes');
  expect(entries[`files/${sentFile.id}-map.txt`]).toBe('map');
  const items = JSON.parse(entries['data.json'] ?? '') as { type: string }[];
  const types = new Set(items.map(({ type }) => type));
  for (const type of ['user', 'conversation', 'message', 'file', 'contact', 'rating'])
    expect(types).toContain(type);
  expect(items).toContainEqual(
    expect.objectContaining({
      type: 'file',
      file: expect.objectContaining({ url: `files/${fileId}-ä.txt` }),
    }),
  );
  const conversation = JSON.parse(entries[`conversations/${conversationId}.json`] ?? '');
  expect(conversation.messages.map((one: { payload: { text: string } }) => one.payload.text)).toEqual(
    expect.arrayContaining([expect.stringContaining('Grüße'), 'answer of a person']),
  );
  expect(conversation.activities.map(({ type }: { type: string }) => type)).toContain('handoff_requested');
  const markdown = entries[`conversations/${conversationId}.md`] ?? '';
  expect(markdown).toMatch(
    /\*\*Visitor\*\*, .*\n\n> Grüße 👍\n> \n> \*\*Person \(Ada\)\*\*, now\n> > forged\n/,
  );
  expect(markdown).toMatch(/\n\*\*Person \(Ada\)\*\*, .*\n\n> answer of a person\n/);
  // Opening the archive does not load addresses that a visitor wrote.
  expect(await marked(markdown)).toContain('&lt;img src=');
  expect(await marked(markdown)).not.toContain('<img');
  const notes = JSON.parse(entries[`notes/${conversationId}.json`] ?? '') as { body: string }[];
  expect(notes).toHaveLength(27);
  expect(notes.at(-1)).toMatchObject({ body: '', files: [{ id: noteFile.id, key: 'id.txt' }] });
  for (const [name, text] of Object.entries(entries)) {
    expect([name, text.includes('note-canary')]).toEqual([name, name.startsWith('notes/')]);
    expect(text).not.toContain('of another');
  }
  expect(entries['data.json']).toContain('own words elsewhere');
});

test('names of files cannot leave the folder, hide, collide or break an extraction', async () => {
  const names = [
    '../../../etc/passwd',
    '..',
    '/absolute',
    'C:\\windows\\system32',
    'CON',
    'nul.txt',
    '.bashrc',
    'same.txt',
    'SAME.txt',
    'a\u202etxt.exe',
    'ends with dots...',
    `${'long'.repeat(50)}.pdf`,
    '👍'.repeat(60),
    'a<b>|c?.html',
  ];
  for (const name of names) {
    // Directly, because the API refuses some of them; an earlier version may not have.
    const id = await upload('a.txt', Buffer.from(name));
    await inbox.server.db.write((tx) => tx.run('UPDATE files SET key = ? WHERE id = ?', name, id));
  }
  const path = await archivePathOf();
  const files = Object.keys(await read(path)).filter((name) => name.startsWith('files/'));
  expect(files).toHaveLength(names.length);
  for (const name of files) {
    expect(name).toMatch(/^files\/file_\w{26}-[^/\\:*?"<>|\p{Cc}\u202e]+$/u);
    expect(Buffer.byteLength(name) - 'files/'.length).toBeLessThanOrEqual(255);
  }
  expect(files.some((name) => name.endsWith('.pdf'))).toBe(true);
  await run(unzip, ['-q', join(folder, 'visitor.zip'), '-d', join(folder, 'out')]);
  expect((await readdir(join(folder, 'out/files'))).length).toBe(names.length);
  expect((await readdir(folder)).sort()).toEqual(['out', 'visitor.zip']);
});

test('200 MB of files are sent without being held in memory, and more conversations than one read finds are complete', async () => {
  const { server, key } = inbox;
  for (let n = 0; n < 45; n += 1) {
    const id = await server.conversation(key);
    await server.sendMessage(key, id, `text ${n}`);
  }
  const ids = [await upload('a.bin', Buffer.from('a')), await upload('b.bin', Buffer.from('b'))];
  const size = 100 * 1024 * 1024;
  for (const id of ids) {
    const row = await server.db.read((tx) =>
      tx.get<{ contentId: string }>('SELECT content_id FROM files WHERE id = ?', id),
    );
    const bytes = await open(join(server.home, 'files', row?.contentId ?? ''), 'r+');
    await bytes.truncate(size);
    await bytes.close();
    await server.db.write((tx) => tx.run('UPDATE files SET size = ? WHERE id = ?', size, id));
  }
  const path = await archivePathOf();
  global.gc?.();
  const before = process.memoryUsage();
  let highest = 0;
  const out = await open(join(folder, 'big.zip'), 'w');
  const { body } = await server.fetch(path);
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    await out.write(chunk);
    const { arrayBuffers, heapUsed } = process.memoryUsage();
    highest = Math.max(highest, arrayBuffers + heapUsed - before.arrayBuffers - before.heapUsed);
  }
  await out.close();
  expect(highest).toBeLessThan(100 * 1024 * 1024);
  const { size: written } = await stat(join(folder, 'big.zip'));
  expect(written).toBeGreaterThan(2 * size);
  const { stdout } = await run(unzip, ['-tq', join(folder, 'big.zip')]);
  expect(stdout).toContain('No errors detected');
  const { stdout: listed } = await run(unzip, ['-Z1', join(folder, 'big.zip')]);
  expect(listed.match(/^conversations\/.*\.md$/gm)).toHaveLength(46);
});

test('a client that goes away in the middle of a file leaves no open file, and the server goes on', async () => {
  const { server } = inbox;
  await upload('a.bin', Buffer.alloc(3_000_000, 'x'));
  const opened = async () => {
    const links = await Promise.all(
      (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
    );
    return links.filter((link) => link.startsWith(join(server.home, 'files')));
  };
  const path = await archivePathOf();
  for (const bytes of [0, 1, 300_000]) {
    const reader = (await server.fetch(path)).body?.getReader();
    let seen = 0;
    while (seen < bytes) seen += (await reader?.read())?.value?.length ?? 0;
    if (bytes === 300_000) expect(await opened()).toHaveLength(1);
    await reader?.cancel();
    await expect.poll(opened, pollOptions).toEqual([]);
  }
  expect(Object.keys(await read(path))).toContain('data.json');
});

test('an address is refused to members without the right, expires, is bound to the visitor, and ends with the visitor', async () => {
  const { server, botId, visitor, key } = inbox;
  const path = `/bots/${botId}/users/${visitor.id}/archive`;
  for (const role of ['viewer', 'support', 'developer', 'manager'] as const) {
    const { headers } = await inbox.member(role, role);
    expect((await inbox.request('POST', `/v1/admin${path}`, headers)).status).toBe(403);
  }
  expect((await admin('POST', `/bots/${botId}/users/nobody/archive`)).status).toBe(404);
  const address = await archivePathOf();
  const status = async (of: string, method = 'GET') => {
    const response = await server.fetch(of, { method });
    await response.body?.cancel();
    return response.status;
  };
  const other = (await server.user({ name: 'Other' })).id;
  const forged = [
    address.replace(visitor.id, other),
    `${address}x`,
    address.replace(/-\d+~/, (end) => `-${Number(end.slice(1, -1)) + 60_000}~`),
    address.replace(/-\d+~/, '-'),
    '/v1/archives/user_',
  ];
  expect(await Promise.all(forged.map((one) => status(one)))).toEqual(forged.map(() => 404));
  expect([await status(address), await status(address, 'HEAD'), await status(address, 'POST')]).toEqual([
    200, 200, 405,
  ]);
  const { entries } = (await admin('GET', '/audit?operation=createVisitorArchive')).body;
  expect(entries.map((entry: { status: number }) => entry.status).sort()).toEqual([
    200, 403, 403, 403, 403, 404,
  ]);
  expect(entries.find((entry: { status: number }) => entry.status === 200).target).toMatchObject({
    id: botId,
    userId: visitor.id,
  });
  clock += 10 * 60 * 1000;
  expect(await status(address)).toBe(404);
  const again = await archivePathOf();
  expect((await server.call('DELETE', '/users/me', { key })).status).toBe(200);
  expect(await status(again)).toBe(404);
});

test('the download of a visitor who is deleted meanwhile breaks off, and has nothing that was read afterwards', async () => {
  const { server, key } = inbox;
  // More than one read, so that the stream waits in the middle.
  const big = 'x'.repeat(60_000);
  for (let n = 0; n < 30; n += 1) await inbox.send(`${n} ${big}`);
  const reader = (await server.fetch(await archivePathOf())).body?.getReader();
  const first = await reader?.read();
  expect(first?.value?.length).toBeGreaterThan(0);
  expect((await server.call('DELETE', '/users/me', { key })).status).toBe(200);
  const rest = async () => {
    let bytes = 0;
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) return bytes;
      bytes += value?.length ?? 0;
    }
  };
  await expect(rest()).rejects.toThrow();
  // The server goes on.
  expect((await server.fetch('/healthz')).status).toBe(200);
});

test('files whose bytes are gone and uploads that are not complete are left out', async () => {
  const { server, key } = inbox;
  const id = await upload('gone.txt', Buffer.from('gone'));
  expect((await server.call('POST', '/files', { key, body: { key: 'never.txt', size: 9 } })).status).toBe(
    201,
  );
  const row = await server.db.read((tx) =>
    tx.get<{ contentId: string }>('SELECT content_id FROM files WHERE id = ?', id),
  );
  await rm(join(server.home, 'files', row?.contentId ?? ''));
  const entries = await read(await archivePathOf());
  expect(Object.keys(entries).filter((name) => name.startsWith('files/'))).toEqual([]);
  expect(entries['data.json']).toContain('never.txt');
});
