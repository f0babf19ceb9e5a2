// Signs members in to the console, without the page that e2e/inbox/sign-in.spec.ts tests.
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { AdminClient } from '../../src/client/index.ts';
import type { Role } from '../../src/protocol/permissions.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import { expect } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export const adminOf = (platform: PlatformServer) =>
  new AdminClient({ apiUrl: platform.url, ...platform.admin });

/** Opens the console for a new member with this role. `query`: of the address. Returns the id of the member. */
export async function openConsole(
  page: Page,
  platform: PlatformServer,
  query: string,
  { role = 'owner', name = 'Ada' }: { role?: Role; name?: string } = {},
): Promise<string> {
  const admin = adminOf(platform);
  const email = `${role}-${randomUUID()}@example.com`;
  const { id } = await admin.createWorkspaceMember({ email, role, displayName: name });
  const { url = '' } = await admin.createMemberLink({ id, purpose: 'sign-in' });
  const [, token] = new URL(url).hash.split('=');
  // The browser gets the cookie of the answer.
  const answer = await page.request.post(`${platform.url}/v1/session/link/use`, {
    headers: { 'sec-fetch-site': 'same-origin' },
    data: { token },
  });
  expect(answer.status()).toBe(200);
  await page.goto(`${platform.url}/console/${query}`);
  await expect(page.getByRole('navigation', { name: 'Console' })).toBeVisible();
  return id;
}

/** Records errors of the page and violations of its policy. The browser itself notes each refused request. */
export async function watchErrors(page: Page): Promise<string[]> {
  const messages: string[] = [];
  page.on('pageerror', (error) => messages.push(String(error)));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource:');
    if (['error', 'warning'].includes(message.type()) && !isRefusal) messages.push(message.text());
  });
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) =>
      console.error(`policy: ${event.violatedDirective}`),
    );
  });
  return messages;
}

/** Expects that the page fits its width and that axe finds nothing, in light and dark. */
export async function expectGood(page: Page, state: string): Promise<void> {
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect([state, isWide]).toEqual([state, false]);
  expect([state, await violationsInBothSchemes(page, 'html', { sign: 'color-contrast' })]).toEqual([
    state,
    [],
  ]);
}
