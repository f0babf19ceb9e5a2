// The cases of the Session API, for platform.contract.ts. The client has the cookies and headers that a browser would add.
import { expect, test } from 'vitest';
import { SessionClient } from '../index.ts';
import { type PlatformContractFixture, refusal } from './fixture.contract.ts';

export function sessionContract({ server, client, fetch, fresh }: PlatformContractFixture): void {
  /** A browser with a page of the server. */
  function openPage(): SessionClient {
    let cookie = '';
    return new SessionClient({
      apiUrl: server().apiUrl,
      retry: 0,
      async fetch(url, init) {
        const headers = { ...init.headers, origin: new URL(url).origin, ...(cookie ? { cookie } : {}) };
        const response = await fetch(url, { ...init, headers });
        cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie;
        return response;
      },
    });
  }

  test('a member signs in with an invitation, then with the password that they have chosen', async () => {
    const email = `${fresh('member')}@example.com`;
    const { id } = await client().createWorkspaceMember({ email, role: 'viewer' });
    const { url = '' } = await client().createMemberLink({ id, purpose: 'invitation' });
    const token = url.split('#invitation=')[1] ?? '';
    const page = openPage();
    expect(await page.getSignInOptions()).toMatchObject({ password: true });
    expect(await refusal(page.getSession())).toBe('401 Unauthorized');
    const password = 'four words that stay together';
    const { member, session } = await page.useSignInLink({ token, password });
    expect([member.id, session.isCurrent]).toEqual([id, true]);
    expect(await refusal(openPage().useSignInLink({ token }))).toBe('401 Unauthorized');
    const other = openPage();
    expect(await refusal(other.signInWithPassword({ email, password: 'wrong' }))).toBe('401 Unauthorized');
    const { session: second } = await other.signInWithPassword({ email, password });
    expect((await page.listSessions()).sessions.map((one) => one.id)).toEqual([second.id, session.id]);
    expect(await page.endSession({ id: second.id })).toEqual({});
    expect(await refusal(other.getSession())).toBe('401 Unauthorized');
    const changed = { currentPassword: password, password: 'four other words together' };
    expect(await page.changePassword(changed)).toEqual({});
    expect((await page.getSession()).hasPassword).toBe(true);
    // This server sends no mails, and has no other service.
    expect(await refusal(page.requestSignInLink({ email }))).toBe('403 Forbidden');
    expect(await refusal(page.startOidcSignIn())).toBe('403 Forbidden');
    expect(await refusal(page.finishOidcSignIn({ query: 'code=x&state=y' }))).toBe('403 Forbidden');
    expect(await page.signOut()).toEqual({});
    expect(await refusal(page.getSession())).toBe('401 Unauthorized');
  });
}
