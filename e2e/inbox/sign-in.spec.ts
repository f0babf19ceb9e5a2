// The page to sign in at /console/: invitation, password, link by mail, sessions, keyboard, both themes, any width, and pages of
// other origins that use the session of a member.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { AdminClient } from '../../src/client/index.ts';
import type { Role } from '../../src/protocol/permissions.ts';
import { openMailCatcher } from '../../src/server/notifications/testing.ts';
import { violations } from '../support/axe.ts';
import { test as base, expect } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';

const password = 'four words that stay together';

interface Inbox {
  /** The address of the page. */
  url: string;
  /** The operator. */
  admin: AdminClient;
  /** Adds a member and returns the address of their invitation. */
  invite(email: string, role?: Role): Promise<string>;
  /** Adds a member with a password, and returns the address. */
  addMember(role?: Role): Promise<string>;
}

/** Errors of the page are checked after each test; the browser itself notes each refused request. */
const test = base.extend<{ inbox: Inbox }>({
  inbox: async ({ page, platform }, use) => {
    const messages: string[] = [];
    page.on('pageerror', (error) => messages.push(String(error)));
    page.on('console', (message) => {
      const isRefusal = message.text().startsWith('Failed to load resource:');
      if (['error', 'warning'].includes(message.type()) && !isRefusal) messages.push(message.text());
    });
    await use(inboxOf(platform));
    expect(messages).toEqual([]);
  },
});

function inboxOf(platform: PlatformServer): Inbox {
  const admin = new AdminClient({ apiUrl: platform.url, ...platform.admin });
  const url = `${platform.url}/console/?page=account`;
  const invite: Inbox['invite'] = async (email, role = 'billing') => {
    const { id } = await admin.createWorkspaceMember({ email, role, displayName: 'Ann' });
    const link = await admin.createMemberLink({ id, purpose: 'invitation' });
    // Of a server with PUBLIC_URL, which is not known before it listens.
    return url + link.url?.slice(link.url.indexOf('#'));
  };
  return {
    url,
    admin,
    invite,
    async addMember(role) {
      const email = newAddress();
      const token = (await invite(email, role)).split('=').at(-1);
      await fetch(`${platform.url}/v1/session/link/use`, {
        method: 'POST',
        headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
        body: JSON.stringify({ token, password }),
      });
      return email;
    },
  };
}

const newAddress = () => `ann-${randomUUID()}@example.com`;

async function signIn(page: Page, { url }: Inbox, email: string, words = password): Promise<void> {
  await page.goto(url);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(words);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
}

test('a member accepts an invitation, signs out, and signs in with the password, all by keyboard', {
  tag: '@story',
}, async ({ page, inbox }) => {
  const email = newAddress();
  const url = await inbox.invite(email);
  await page.goto(url);
  await expect(page).toHaveTitle('Accept the invitation – Platform Webchat');
  const field = page.getByLabel('New password');
  await expect(field).toHaveAccessibleDescription(/^At least 12 characters/);
  await page.keyboard.press('Tab');
  await expect(field).toBeFocused();
  for (const [text, problem] of [
    ['', 'Enter your password.'],
    ['short', 'Expected 12 to 200 characters.'],
    ['password1234', /^This password is easy to guess\./],
  ] as const) {
    await field.fill(text);
    await page.keyboard.press('Enter');
    await expect(field).toHaveAccessibleDescription(
      problem instanceof RegExp ? /easy to guess/ : new RegExp(`${problem}$`),
    );
    await expect(field).toBeFocused();
    await expect(field).toHaveAttribute('aria-invalid', 'true');
  }
  await field.fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
  // The token is in no history.
  expect(page.url()).toBe(inbox.url);
  await expect(page.getByText('Sees the usage and the members, and no conversations.')).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  const sessions = page.getByRole('region', { name: 'Your sessions' }).getByRole('listitem');
  await expect(sessions).toHaveText(/^Chrome on Linux.*This browser, 127\.0\.0\.1$/);
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
    ['inbox', true, 'Lax'],
  ]);
  await page.getByRole('button', { name: 'Sign out' }).press('Enter');
  await expect(page.getByLabel('E-mail address')).toBeFocused();
  expect(await page.context().cookies()).toEqual([]);
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type('not my password');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveText('The e-mail address or the password is wrong.');
  await page.getByLabel('Password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
  // The invitation works once.
  await page.goto('about:blank');
  await page.goto(url);
  await page.getByLabel('New password').fill(password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('This link was used before');
  await page.getByRole('button', { name: 'Sign in in another way' }).click();
  await expect(page.getByLabel('E-mail address')).toBeFocused();
  expect(page.url()).toBe(inbox.url);
});

test('a member ends the session of another browser, and changes the password, which ends the others', async ({
  page,
  inbox,
  browser,
}) => {
  const email = await inbox.addMember();
  const phone = await (
    await browser.newContext({ userAgent: 'Mozilla/5.0 (iPhone) Safari/604.1' })
  ).newPage();
  const expectEnded = async () => {
    await phone.getByRole('link', { name: 'Team' }).click();
    await expect(phone.getByText('The session has ended. Sign in again.')).toBeVisible();
  };
  await signIn(phone, inbox, email);
  await signIn(page, inbox, email);
  await page.getByRole('button', { name: 'End the session of Safari on iPhone' }).click();
  await expect(page.getByText('The session of Safari on iPhone has ended.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Account' })).toBeFocused();
  await expectEnded();
  await signIn(phone, inbox, email);

  await page.getByRole('button', { name: 'Change your password' }).press('Enter');
  const [current, next] = [page.getByLabel('Current password'), page.getByLabel('New password')];
  const send = page.getByRole('button', { name: 'Change the password' });
  await send.click();
  await expect(current).toBeFocused();
  await expect(current).toHaveAccessibleDescription('Enter a value.');
  const words = 'another four words together';
  await current.fill('not my password');
  await next.fill(words);
  await send.click();
  await expect(page.getByText('The current password is wrong.')).toBeVisible();
  await expect(next).toHaveValue(words);
  await current.fill(password);
  await next.fill('short');
  await next.press('Enter');
  await expect(next).toHaveAttribute('aria-invalid', 'true');
  await next.fill(words);
  await next.press('Enter');
  const done = 'Your password has changed. Your other sessions have ended.';
  await expect(page.getByText(done)).toBeVisible();
  await expect(next).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Your sessions' }).getByRole('listitem')).toHaveCount(1);
  expect(await violations(page, 'html')).toEqual([]);
  await expectEnded();
  await signIn(phone, inbox, email, words);
  await phone.context().close();
});

test.describe('links by mail', () => {
  let catcher: Awaited<ReturnType<typeof openMailCatcher>>;
  const mail = { SMTP_URL: '', MAIL_FROM: 'webchat@example.com', PUBLIC_URL: 'http://127.0.0.1:9' };
  test.use({ env: mail });
  test.beforeAll(async () => {
    catcher = await openMailCatcher();
    mail.SMTP_URL = catcher.url;
  });
  test.afterAll(() => catcher.close());

  test('a forgotten password is replaced with the link of a mail', async ({ page, inbox }) => {
    const email = await inbox.addMember();
    await page.goto(inbox.url);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await expect(page.getByLabel('E-mail address')).toBeFocused();
    await expect(page.getByLabel('E-mail address')).toHaveAccessibleDescription('Enter your e-mail address.');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await expect(page.getByRole('status')).toContainText('a mail with a link is on its way');
    const { text = '' } = await catcher.mailTo(email);
    await page.goto('about:blank');
    await page.goto(inbox.url + (/#reset=[\w-]+/.exec(text)?.[0] ?? ''));
    await page.getByLabel('New password').fill('entirely new words here');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
  });

  test('a link to sign in is used by a press, and not by opening it', async ({ page, inbox }) => {
    const email = await inbox.addMember();
    await page.goto(inbox.url);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByRole('button', { name: 'Send me a link' }).click();
    await expect(page.getByRole('status')).toContainText('on its way');
    const { text = '' } = await catcher.mailTo(email);
    const address = inbox.url + (/#sign-in=[\w-]+/.exec(text)?.[0] ?? '');
    // A scanner that even runs scripts.
    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.getByRole('heading', { name: 'Sign in with the link' })).toBeVisible();
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
  });
});

test('a page of another origin has no use of the session', async ({ page, inbox, platform, serve }) => {
  const email = await inbox.addMember('administrator');
  await signIn(page, inbox, email);
  const names = async () => (await inbox.admin.listBots({})).bots.map(({ name }) => name);
  const before = await names();
  // Another port of the same host: the same site, so that the browser sends the cookie.
  const html = `<!doctype html><title>Evil</title><form method="post" enctype="text/plain" target="there"
    action="${platform.url}/v1/admin/bots"><input name='{"name":"Form","x":"' value='"}'></form><iframe name="there"></iframe>`;
  // Not `page`, whose errors are checked: the browser notes each refusal here.
  const evil = await page.context().newPage();
  await evil.goto(serve('/evil', html, {}));
  const cookies: string[] = [];
  evil.on('request', async (request) => {
    if (request.url().startsWith(platform.url)) cookies.push((await request.allHeaders()).cookie ?? '');
  });
  const results = await evil.evaluate(async (server) => {
    const attempts: [path: string, init: RequestInit][] = [
      ['/v1/admin/bots', { method: 'POST', body: '{"name":"Text"}' }],
      ['/v1/admin/bots', { method: 'POST', body: '{"name":"No CORS"}', mode: 'no-cors' }],
      [
        '/v1/admin/bots',
        { method: 'POST', body: '{"name":"JSON"}', headers: { 'content-type': 'application/json' } },
      ],
      ['/v1/session', { method: 'DELETE' }],
      ['/v1/session', {}],
      ['/v1/session/all', {}],
      ['/v1/session/password', { method: 'POST', body: '{}', mode: 'no-cors' }],
    ];
    const read: string[] = [];
    for (const [path, init] of attempts) {
      const response = await fetch(server + path, { credentials: 'include', ...init }).catch(() => undefined);
      read.push(response ? response.type + (await response.text()) : 'refused');
    }
    document.forms[0]?.submit();
    await new Promise((resolve) =>
      document.querySelector('iframe')?.addEventListener('load', resolve, { once: true }),
    );
    return read;
  }, platform.url);
  expect(results).toEqual(Array(7).fill('refused'));
  // The browser sends the session with them: only the server refuses them.
  await expect.poll(() => cookies.some((cookie) => cookie.startsWith('inbox='))).toBe(true);
  expect(await names()).toEqual(before);
  await evil.close();
  await page.goto(inbox.url);
  await expect(page.getByRole('heading', { name: 'Account' })).toBeVisible();
});

test('every state is accessible, fits 320 px and follows the policy', async ({ page, inbox }) => {
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective}`),
    );
  });
  const email = await inbox.addMember();
  const url = await inbox.invite(newAddress());
  const check = async (state: string) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        expect([state, width, isWide]).toEqual([state, width, false]);
        if (process.env.INBOX_SCREENSHOTS) {
          await page.screenshot({
            path: join(process.env.INBOX_SCREENSHOTS, `${state}-${colorScheme}-${width}.png`),
          });
        }
      }
      expect([state, await violations(page, 'html')]).toEqual([state, []]);
    }
  };
  await page.goto(inbox.url);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await check('sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true');
  await check('missing');
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill('not my password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).not.toBeEmpty();
  await check('refused');
  await page.goto(url);
  await expect(page.getByLabel('New password')).toBeVisible();
  await check('invitation');
  await signIn(page, inbox, email);
  await check('signed-in');
  await page.getByRole('button', { name: 'Change your password' }).click();
  await check('password');
});

test('the sign-in is at most 8 KB with brotli, and loads nothing of the inbox', async ({ page, inbox }) => {
  const files = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/console\/(?:assets\/.*\.(?:js|css))?$/.test(pathname)) files.add(pathname);
  });
  await page.goto(inbox.url);
  await expect(page.getByLabel('Password')).toBeVisible();
  await page.waitForLoadState('networkidle');
  const bytes = [...files].map((name) => {
    const file = join('dist', name.endsWith('/') ? `${name}index.html` : name);
    return brotliCompressSync(readFileSync(file)).length;
  });
  // The page, its style, its code, and what it shares with the console: the choice of the language.
  expect(bytes).toHaveLength(4);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(8_192);
});
