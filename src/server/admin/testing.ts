// A workspace with a member of each role, for tests of the Admin API: asked over the whole server, as a client does.
import { type Role, roles } from '../../protocol/permissions.ts';
import { issueToken } from '../auth/tokens.ts';
import type { CompositionOptions } from '../compose-options.ts';
import { insertMember } from '../storage/admin/workspaces.ts';
import { createId } from '../storage/ids.ts';
import { startTestServer, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into as they come.
type Body = any;

export interface Asked {
  status: number;
  body: Body;
}

export type Ask = (method: string, path: string, body?: unknown, headers?: object) => Promise<Asked>;

export interface AdminScene {
  server: TestServer;
  workspaceId: string;
  /** The owner of the first start. */
  owner: Ask;
  ids: Record<Role, string>;
  tokens: Record<Role, string>;
  /** Asks as a member of this role. */
  by: Record<Role, Ask>;
  /** Asks with a token. */
  as(token: string, workspaceId?: string): Ask;
}

export async function adminScene(options: Partial<CompositionOptions> = {}): Promise<AdminScene> {
  const server = await startTestServer(options);
  const { workspaceId, token = '' } = server.admin;
  const ids: Partial<Record<Role, string>> = {};
  const tokens: Partial<Record<Role, string>> = {};
  await server.db.write(async (tx) => {
    for (const role of roles) {
      const id = createId('member');
      const member = { id, workspaceId, email: `${role}@example.com`, displayName: null, role, createdAt: 1 };
      await insertMember(tx, member);
      const of = { workspaceId, memberId: id, botId: null, integration: null, createdAt: 1, expiresAt: null };
      ids[role] = id;
      tokens[role] = (await issueToken(tx, { ...of, kind: 'personal', name: role })).token;
    }
  });
  const as = (token: string, workspace = workspaceId) => asker(server, token, workspace);
  return {
    server,
    workspaceId,
    owner: as(token),
    ids: ids as Record<Role, string>,
    tokens: tokens as Record<Role, string>,
    by: Object.fromEntries(roles.map((role) => [role, as(tokens[role] ?? '')])) as Record<Role, Ask>,
    as,
  };
}

/** Asks the Admin API with a token, for a workspace. */
export function asker(server: TestServer, token: string, workspaceId: string): Ask {
  return async (method, path, body, headers = {}) => {
    const response = await server.fetch(`/v1/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspaceId,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, body: await response.json() };
  };
}
