// The fixture for tests of files: a server with every kind of caller of the Files API, and generated PDFs.
import { expect } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import { roles } from '../../protocol/permissions.ts';
import type { AnnouncedFile, FoundPassage, PlatformFile } from '../../protocol/types/files.ts';
import { createBot, createWorkspace } from '../admin/first-start.ts';
import { issueToken } from '../auth/tokens.ts';
import { insertMember } from '../storage/admin/workspaces.ts';
import { listBots } from '../storage/bots/bots.ts';
import { createId } from '../storage/ids.ts';
import { startTestServer, type TestServer } from '../testing.ts';

/** The callers: `crm` and `erp` are integrations, `sibling` is another bot of the workspace. */
export const callerNames = ['bot', 'crm', 'erp', ...roles, 'sibling', 'foreign'] as const;
export type CallerName = (typeof callerNames)[number] | undefined;

interface Answer {
  status: number;
  body: Record<string, unknown> & {
    file?: AnnouncedFile;
    files?: PlatformFile[];
    passages?: FoundPassage[];
    meta?: { nextToken?: string };
    type?: string;
    message?: string;
  };
}

export interface FilesFixture {
  server: TestServer;
  /** The ids of the requested bot, another bot of its workspace, and a bot of another workspace. */
  bots: { own: string; sibling: string; foreign: string };
  tokens: Record<string, string>;
  /** The clock of the server, which tests can advance. */
  clock: { now: number };
  /** Calls the Files API; the path is relative to `/v1/files`. `foreign` and `sibling` request their own bot. */
  call(
    caller: CallerName,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Announces a file, sends its bytes and returns its record. */
  put(caller: CallerName, key: string, content: string | Uint8Array, fields?: object): Promise<PlatformFile>;
  /** Returns the bytes at an address, or the status of an error. */
  read(url: string, init?: RequestInit): Promise<string | number>;
  /** Resolves with the record when the file is indexed or indexing has failed. */
  settled(id: string): Promise<PlatformFile>;
}

/** `running`: the server, by default a new one. */
export async function startFilesFixture(
  options: Parameters<typeof startTestServer>[0] = {},
  running?: TestServer,
): Promise<FilesFixture> {
  const clock = { now: Date.now() };
  const server = running ?? (await startTestServer({ now: () => clock.now, ...options }));
  const tokens: Record<string, string> = {};
  const bots = await server.db.write(async (tx) => {
    const workspaceId = server.composition.workspaceId;
    const other = await createWorkspace(tx, { name: 'Other', email: 'o@example.com', now: 1 });
    const [own] = await listBots(tx, workspaceId, undefined, 1);
    const make = async (workspace: string, name: string) =>
      (await createBot(tx, { workspaceId: workspace, webhookId: name, name, now: 1 })).id;
    const ids = {
      own: own?.id ?? '',
      sibling: await make(workspaceId, 'sibling'),
      foreign: await make(other.id, 'foreign'),
    };
    const none = { memberId: null, integration: null, name: 'Test', createdAt: 1, expiresAt: null };
    const ofBot = async (workspace: string, botId: string) =>
      (await issueToken(tx, { ...none, workspaceId: workspace, kind: 'bot', botId })).token;
    tokens.bot = await ofBot(workspaceId, ids.own);
    tokens.sibling = await ofBot(workspaceId, ids.sibling);
    tokens.foreign = await ofBot(other.id, ids.foreign);
    for (const integration of ['crm', 'erp']) {
      const row = { ...none, workspaceId, kind: 'integration', botId: ids.own, integration } as const;
      tokens[integration] = (await issueToken(tx, row)).token;
    }
    for (const role of roles) {
      const id = createId('member');
      const member = { id, workspaceId, email: `${role}@example.com`, displayName: null, role, createdAt: 1 };
      await insertMember(tx, member);
      const row = { ...none, workspaceId, kind: 'personal', memberId: id, botId: null } as const;
      tokens[role] = (await issueToken(tx, row)).token;
    }
    return ids;
  });

  const fixture: FilesFixture = {
    server,
    bots,
    tokens,
    clock,
    async call(caller, method, path, body, headers = {}) {
      const botId = caller === 'sibling' || caller === 'foreign' ? bots[caller] : bots.own;
      const response = await server.fetch(`/v1/files${path}`, {
        method,
        headers: {
          'x-bot-id': botId,
          ...(caller === undefined ? {} : { authorization: `Bearer ${tokens[caller]}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: text ? JSON.parse(text) : {} };
    },
    async put(caller, key, content, fields = {}) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
      const { status, body } = await fixture.call(caller, 'PUT', '', { key, size: bytes.length, ...fields });
      expect([status, body.message]).toEqual([200, undefined]);
      const { id, uploadUrl } = body.file as AnnouncedFile;
      const sent = await server.fetch(new URL(uploadUrl).pathname, {
        method: 'PUT',
        body: bytes as BodyInit,
      });
      expect(sent.status).toBe(204);
      return (await fixture.call(caller, 'GET', `/${id}`)).body.file as PlatformFile;
    },
    async read(url, init) {
      const response = await server.fetch(new URL(url).pathname, init);
      const text = await response.text();
      return response.ok ? text : response.status;
    },
    async settled(id) {
      const row = () =>
        server.db.read((tx) =>
          tx.get<{ status: string; ownerName: string | null }>(
            'SELECT status, owner_name FROM files WHERE id = ?',
            id,
          ),
        );
      // Also called before the first test, where `expect.poll` is not available.
      await waitFor(async () => expect((await row())?.status).toMatch(/^indexing_[cf]/));
      const caller = (await row())?.ownerName ?? 'bot';
      return (await fixture.call(caller as CallerName, 'GET', `/${id}`)).body.file as PlatformFile;
    },
  };
  return fixture;
}

/**
 * Creates a PDF with a page for each text. `script`: JavaScript that runs when a viewer with scripting opens it;
 * `extra`: a deflated stream that every page also shows.
 */
export function pdf(pages: string[], script = '', extra?: Uint8Array): Uint8Array {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  const size = () => parts.reduce((sum, part) => sum + part.length, 0);
  const add = (number: number, ...body: (string | Uint8Array)[]) => {
    offsets[number] = size();
    parts.push(Buffer.from(`${number} 0 obj\n`), ...body.map((one) => Buffer.from(one as string)));
    parts.push(Buffer.from('\nendobj\n'));
  };
  const pageNumber = (index: number) => 10 + index * 2;
  const pageReferences = pages.map((_, index) => `${pageNumber(index)} 0 R`).join(' ');
  const action = script ? `/OpenAction << /S /JavaScript /JS (${script}) >>` : '';
  add(1, `<< /Type /Catalog /Pages 2 0 R ${action} >>`);
  add(2, `<< /Type /Pages /Kids [${pageReferences}] /Count ${pages.length} >>`);
  add(3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  if (extra) {
    add(4, `<< /Length ${extra.length} /Filter /FlateDecode >>\nstream\n`, extra, '\nendstream');
  }
  for (const [index, text] of pages.entries()) {
    const number = pageNumber(index);
    const stream = text ? `BT /F1 24 Tf 72 700 Td (${text}) Tj ET` : '';
    const contents = extra ? `[${number + 1} 0 R 4 0 R]` : `${number + 1} 0 R`;
    add(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${contents}`,
      ' /Resources << /Font << /F1 3 0 R >> >> >>',
    );
    add(number + 1, `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`);
  }
  const start = size();
  const lines = offsets.map((offset, number) =>
    number === 0 ? '' : `${number} 1\n${String(offset).padStart(10, '0')} 00000 n \n`,
  );
  parts.push(
    Buffer.from(
      `xref\n0 1\n0000000000 65535 f \n${lines.join('')}trailer << /Size ${offsets.length} /Root 1 0 R >>\n` +
        `startxref\n${start}\n%%EOF`,
    ),
  );
  return Buffer.concat(parts);
}
