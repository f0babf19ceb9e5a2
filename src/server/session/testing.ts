// A browser of a member for tests: it keeps cookies, and sends the headers of a page of the server.
import type { Role } from '../../protocol/permissions.ts';
import type { SignedIn } from '../../protocol/types/session.ts';
import { createPasswords } from '../auth/passwords.ts';
import { issueLink } from '../auth/tokens.ts';
import { setPassword } from '../storage/admin/sign-in.ts';
import { insertMember } from '../storage/admin/workspaces.ts';
import { createId } from '../storage/ids.ts';
import type { TestServer } from '../testing.ts';

/** The origin of a test server. */
export const origin = 'http://localhost';
export const password = 'four words that stay together';

/** A hash of `password`; made once, because it takes memory and time. */
let hash: Promise<string> | undefined;

export interface TestMember {
  id: string;
  workspaceId: string;
  email: string;
  role: Role;
}

/** Adds a member; `hasPassword`: with `password`. */
export async function addMember(
  server: Pick<TestServer, 'db' | 'admin'>,
  fields: Partial<TestMember> & { hasPassword?: boolean } = {},
): Promise<TestMember> {
  const { hasPassword = true, ...given } = fields;
  hash ??= createPasswords().hash(password);
  const stored = await hash;
  const id = createId('member');
  const member: TestMember = {
    id,
    workspaceId: server.admin.workspaceId,
    email: `${id.toLowerCase()}@example.com`,
    role: 'developer',
    ...given,
  };
  await server.db.write(async (tx) => {
    await insertMember(tx, { ...member, displayName: null, createdAt: 1 });
    if (hasPassword) await setPassword(tx, member, stored, 1);
  });
  return member;
}

/** The token of a new link of a member. */
export async function linkOf(
  { db }: Pick<TestServer, 'db'>,
  member: TestMember,
  purpose: 'invitation' | 'sign-in' | 'reset',
  now = Date.now(),
): Promise<string> {
  const { url } = await db.write((tx) => issueLink(tx, member, { purpose, address: origin, now }));
  return url.slice(url.indexOf('=') + 1);
}

export interface Reply {
  status: number;
  body: Record<string, unknown> & Partial<SignedIn>;
  headers: Headers;
}

export interface TestBrowser {
  /** The cookies by name. */
  cookies: Map<string, string>;
  /** Sends a request as a page of the server does. `headers` replace others; '' removes one. */
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  signIn(member: Pick<TestMember, 'email'>): Promise<Reply>;
}

export function openBrowser(server: Pick<TestServer, 'fetch'>): TestBrowser {
  const cookies = new Map<string, string>();
  const browser: TestBrowser = {
    cookies,
    async send(method, path, body, headers = {}) {
      const all = {
        'sec-fetch-site': 'same-origin',
        origin,
        ...(method === 'POST' || method === 'PUT' ? { 'content-type': 'application/json' } : {}),
        ...(cookies.size > 0
          ? { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
          : {}),
        ...headers,
      };
      const response = await server.fetch(path, {
        method,
        headers: Object.entries(all).filter(([, value]) => value !== ''),
        ...(method === 'POST' || method === 'PUT' ? { body: JSON.stringify(body ?? {}) } : {}),
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const text = await response.text();
      return { status: response.status, body: text ? JSON.parse(text) : {}, headers: response.headers };
    },
    signIn: ({ email }) => browser.send('POST', '/v1/session/password', { email, password }),
  };
  return browser;
}
