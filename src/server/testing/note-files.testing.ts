// Files of notes in each of their states, for tests that a server has them again elsewhere or later: after a restart, a backup
// or a move.
import { expect } from 'vitest';
import { issueToken } from '../auth/tokens.ts';
import { bytesOf } from '../files/bytes/store.contract.ts';
import { insertMember } from '../storage/admin/workspaces.ts';
import { listBots } from '../storage/bots/bots.ts';
import { createId } from '../storage/ids.ts';
import type { TestServer } from '../testing.ts';

/** Bytes that the upload under way has sent. */
const sentBytes = 20_000;

/** Stores a note with a file, a file that waits for its note, and one whose upload is under way. */
export async function seedNoteFiles(first: TestServer) {
  const { workspaceId } = first.composition;
  const { key } = await first.user();
  const conversationId = await first.conversation(key);
  const memberId = createId('member');
  const { botToken, memberToken, botId } = await first.db.write(async (tx) => {
    const [bot] = await listBots(tx, workspaceId, undefined, 1);
    const email = `${memberId.toLowerCase()}@example.com`;
    await insertMember(tx, {
      id: memberId,
      workspaceId,
      email,
      displayName: 'Ada',
      role: 'support',
      createdAt: 1,
    });
    const token = { workspaceId, integration: null, name: 'Test', createdAt: 1, expiresAt: null };
    const ofBot = { ...token, kind: 'bot', memberId: null, botId: bot?.id ?? '' } as const;
    const ofMember = { ...token, kind: 'personal', memberId, botId: null } as const;
    const [botToken, memberToken] = [
      (await issueToken(tx, ofBot)).token,
      (await issueToken(tx, ofMember)).token,
    ];
    return { botToken, memberToken, botId: bot?.id ?? '' };
  });

  async function call(server: TestServer, method: string, path: string, body?: unknown) {
    const isBot = path.startsWith('/v1/chat');
    const response = await server.fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${isBot ? botToken : memberToken}`,
        ...(isBot ? { 'x-bot-id': botId } : { 'x-workspace-id': workspaceId }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect([method, path, response.status < 300]).toEqual([method, path, true]);
    // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
    return (await response.json()) as any;
  }
  const act = (server: TestServer, method: string, path: string, body?: unknown) =>
    call(server, method, `/v1/inbox/conversations/${conversationId}${path}`, body);

  async function announce(server: TestServer, name: string, size: number) {
    const { file } = await act(server, 'POST', '/note-files', { key: name, size, contentType: 'text/plain' });
    return { id: file.id as string, path: new URL(file.uploadUrl).pathname };
  }
  async function upload(server: TestServer, name: string, content: Buffer): Promise<string> {
    const { id, path } = await announce(server, name, content.length);
    const { status } = await server.fetch(path, { method: 'PUT', body: new Uint8Array(content) });
    expect(status).toBe(204);
    return id;
  }
  async function sendPart(server: TestServer, path: string, offset: number, part: Buffer): Promise<void> {
    const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) };
    const { status } = await server.fetch(path, { method: 'PATCH', headers, body: new Uint8Array(part) });
    expect(status).toBe(204);
  }
  const attach = (server: TestServer, id: string) =>
    act(server, 'POST', '/notes', { body: 'x', fileIds: [id] });

  await call(first, 'POST', `/v1/chat/conversations/${conversationId}/handoff`, {});
  const contents = new Map<string, Buffer>();
  const add = async (name: string, size: number) => {
    const content = bytesOf(size);
    const id = await upload(first, name, content);
    contents.set(id, content);
    return id;
  };
  const attached = await add('attached.txt', 30_000);
  await attach(first, attached);
  const waiting = await add('waiting.txt', 10_000);
  const half = { ...(await announce(first, 'half.txt', 50_000)), content: bytesOf(50_000) };
  await sendPart(first, half.path, 0, half.content.subarray(0, sentBytes));

  /** Compares the bytes of all files, and the files of the notes. */
  async function assertServed(server: TestServer): Promise<void> {
    for (const [id, content] of contents) {
      const { url } = (await act(server, 'GET', `/note-files/${id}`)).file;
      const response = await server.fetch(new URL(url).pathname);
      expect([id, response.status]).toEqual([id, 200]);
      expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true);
    }
  }

  return {
    assertServed,
    /**
     * Asserts that a server has all of it, attaches the file that waits, ends the upload, and attaches its file.
     * `offset`: what the server has of the upload; it begins again with 0.
     */
    async assertGoesOn(server: TestServer, offset = sentBytes): Promise<void> {
      await assertServed(server);
      await attach(server, waiting);
      const head = await server.fetch(half.path, { method: 'HEAD' });
      expect([head.status, head.headers.get('upload-offset')]).toEqual([204, String(offset)]);
      await sendPart(server, half.path, offset, half.content.subarray(offset));
      contents.set(half.id, half.content);
      await attach(server, half.id);
      const { notes } = await act(server, 'GET', '/timeline');
      const ids = (notes as { files: { id: string }[] }[]).flatMap(({ files }) => files.map(({ id }) => id));
      expect(ids.toSorted()).toEqual([attached, waiting, half.id].toSorted());
      await assertServed(server);
    },
  };
}
