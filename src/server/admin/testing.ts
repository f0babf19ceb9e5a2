// The fixture for tests of the Admin API: a server with a workspace and one member of each role, called over HTTP.
import { type Role, roles } from '../../protocol/permissions.ts';
import { issueToken } from '../auth/tokens.ts';
import { insertMember } from '../storage/admin/workspaces.ts';
import { createId } from '../storage/ids.ts';
import { startTestServer, type TestOptions, type TestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
type Body = any;

export interface AdminResponse {
  status: number;
  body: Body;
}

export type SendRequest = (
  method: string,
  path: string,
  body?: unknown,
  headers?: object,
) => Promise<AdminResponse>;

export interface AdminFixture {
  server: TestServer;
  workspaceId: string;
  /** Sends a request as the owner that the first start created. */
  owner: SendRequest;
  ids: Record<Role, string>;
  tokens: Record<Role, string>;
  /** Sends a request as the member of a role. */
  by: Record<Role, SendRequest>;
  /** Returns a function that sends requests with a token. */
  as(token: string, workspaceId?: string): SendRequest;
}

export async function createAdminFixture(options: TestOptions = {}): Promise<AdminFixture> {
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
  const as = (token: string, workspace = workspaceId) => requesterFor(server, token, workspace);
  return {
    server,
    workspaceId,
    owner: as(token),
    ids: ids as Record<Role, string>,
    tokens: tokens as Record<Role, string>,
    by: Object.fromEntries(roles.map((role) => [role, as(tokens[role] ?? '')])) as Record<Role, SendRequest>,
    as,
  };
}

/** Returns a function that sends requests to the Admin API with a token, for a workspace. */
export function requesterFor(server: TestServer, token: string, workspaceId: string): SendRequest {
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
