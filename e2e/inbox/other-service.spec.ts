// The sign-in with another service in a browser: the button, the pages of a real service (oidc-provider), and the way back.
import type { Page } from '@playwright/test';
import { AdminClient } from '../../src/client/index.ts';
import { startOidcService } from '../../src/server/session/oidc-provider.testing.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import { freePort, startPlatform } from '../support/server.ts';
import { test as base, expect } from './inbox-page.ts';

const test = base.extend<{ service: Awaited<ReturnType<typeof startOidcService>> }>({
  // The address of the server must be known to the service, and that of the service to the server.
  service: async ({ page }, use) => {
    // The pages of the service ask for a font of another server.
    await page.route(
      (url) => url.hostname !== '127.0.0.1',
      (route) => route.abort(),
    );
    const service = await startOidcService(publicUrl());
    await use(service);
    service.close();
  },
  platform: async ({ service }, use) => {
    const platform = await startPlatform({
      PORT: port,
      PUBLIC_URL: publicUrl(),
      OIDC_ISSUER: service.issuer,
      OIDC_CLIENT_ID: service.clientId,
      OIDC_CLIENT_SECRET: service.clientSecret,
      OIDC_NAME: 'Example',
    });
    await use(platform);
    await platform.dispose();
  },
});

let port = '';
const publicUrl = () => `http://127.0.0.1:${port}`;
test.beforeAll(async () => {
  port = await freePort();
});

/** Fills in the login page of the service, and agrees. */
async function logIn(page: Page, account: string): Promise<void> {
  await page.locator('input[name="login"]').fill(account);
  await page.locator('input[name="password"]').fill('any');
  await page.locator('button[type="submit"]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a member signs in with the service, or reads why not', async ({ page, platform, service }) => {
  const admin = new AdminClient({ apiUrl: platform.url, ...platform.admin });
  await admin.createWorkspaceMember({ email: 'ann@example.com', role: 'support', displayName: 'Ann' });
  service.accounts.ann = { email: 'ann@example.com', isVerified: true };
  service.accounts.bob = { email: 'bob@example.com', isVerified: false };
  await page.goto(`${platform.url}/console/`);
  const button = page.getByRole('button', { name: 'Sign in with Example' });
  await expect(button).toBeVisible();
  expect(await violationsInBothSchemes(page, 'html')).toEqual([]);

  await button.press('Enter');
  await page.getByRole('link', { name: 'Cancel' }).click();
  await expect(button).toBeVisible();
  await expect(page).toHaveURL(`${platform.url}/console/`);
  await expect(page.getByText('The sign-in was refused')).toBeVisible();

  await button.press('Enter');
  await logIn(page, 'bob');
  await expect(page.getByText('Example has not verified your e-mail address.')).toBeVisible();
  expect(await violationsInBothSchemes(page, 'html')).toEqual([]);
  // The service would sign Bob in again without asking.
  await page.context().clearCookies();

  await button.press('Enter');
  const back = page.waitForRequest((request) => request.url().startsWith(`${platform.url}/inbox/?`));
  await logIn(page, 'ann');
  const callback = (await back).url();
  await expect(page.locator('.inbox')).toBeVisible();
  // Neither the address nor the history has the code, which is used up.
  await expect(page).not.toHaveURL(/code=/);
  await page.reload();
  await expect(page.locator('.inbox')).toBeVisible();
  await page.context().clearCookies();
  await page.goto(callback);
  await expect(button).toBeVisible();
  await expect(page.locator('.inbox')).toHaveCount(0);
});
