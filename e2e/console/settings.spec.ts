// The section "Settings" of the console: tokens, the audit trail, the workspace, usage, mail and backup.
import { AdminClient } from '../../src/client/index.ts';
import { openMailCatcher } from '../../src/server/notifications/testing.ts';
import { expect, test } from '../support/fixtures.ts';
import { expectGood, openConsole, phone, watchErrors } from './signed-in.ts';

test('a token is created, works, is revoked, and the audit trail shows it', {
  tag: '@story',
}, async ({ page, platform }) => {
  const errors = await watchErrors(page);
  const id = await openConsole(page, platform, '?page=settings&tab=tokens');
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create a token' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Laptop');
  await expectGood(page, 'create a token');
  await dialog.getByRole('button', { name: 'Create' }).click();
  const token = await dialog.getByLabel('Token', { exact: true }).inputValue();
  expect(token).toMatch(/^pat_/);
  const program = new AdminClient({ apiUrl: platform.url, ...platform.admin, token });
  expect((await program.getAccount()).account.id).toBe(id);
  await dialog.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row').filter({ hasText: 'Laptop' });
  await expect(row).toContainText('You');
  await expectGood(page, 'tokens');
  await row.getByRole('button', { name: 'Revoke Laptop' }).click();
  await dialog.getByRole('button', { name: 'Revoke the token' }).click();
  await expect(row).toHaveCount(0);
  await expect(program.getAccount()).rejects.toThrow('no valid token');

  await page.getByRole('link', { name: 'Audit trail' }).click();
  await page.getByLabel('By').selectOption(id);
  // The sign-in, and the two above.
  await expect(page.getByRole('row')).toHaveCount(4);
  await expect(page.getByRole('row').nth(1)).toContainText('Revoked a token');
  await page.getByLabel('Action').selectOption('Created a token');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').nth(1)).toContainText('Created a token');
  await expectGood(page, 'audit trail');
  await page.setViewportSize(phone.viewport);
  await expectGood(page, 'audit trail, phone');
  expect(errors).toEqual([]);
});

test('the other tabs show their contents', async ({ page, platform }) => {
  const errors = await watchErrors(page);
  await openConsole(page, platform, '?page=settings');
  await page.getByLabel('About').fill('We sell shoes.');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  for (const [tab, text] of [
    ['Workspace', 'Workspaces of this server'],
    ['Tokens', 'Create a token'],
    ['Webhooks', 'No bot sends its events to a webhook.'],
    ['Usage', 'Messages in this hour'],
    ['Mail', 'This server sends no mail.'],
    ['Backup', 'The server knows of no backup.'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: tab }).click();
    await expect(page.getByText(text).first()).toBeVisible();
  }
  expect(errors).toEqual([]);
});

test('a viewer sees only the parts of their role', async ({ page, platform }) => {
  await openConsole(page, platform, '?page=settings&tab=audit', { role: 'viewer' });
  await expect(page.getByText('Your role does not include this section.')).toBeVisible();
  const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
  await expect(tabs).toHaveText(['Workspace', 'Tokens', 'Webhooks', 'Usage']);
});

test.describe('with a mail server', () => {
  let catcher: Awaited<ReturnType<typeof openMailCatcher>>;
  const env = { SMTP_URL: '', MAIL_FROM: 'webchat@example.com', PUBLIC_URL: 'http://127.0.0.1:9' };
  test.use({ env });
  test.beforeAll(async () => {
    catcher = await openMailCatcher();
    env.SMTP_URL = catcher.url;
  });
  test.afterAll(() => catcher.close());

  test('a test mail is sent, and the answer of the mail server is shown if it refuses', async ({
    page,
    platform,
  }) => {
    await openConsole(page, platform, '?page=settings&tab=mail');
    await page.getByRole('button', { name: 'Send a test mail to me' }).click();
    await expect(page.getByText('The mail server has accepted a mail to')).toBeVisible();
    catcher.refuse(550);
    await page.getByRole('button', { name: 'Send a test mail to me' }).click();
    await expect(page.getByText('It answered: 550 Refused')).toBeVisible();
    await expectGood(page, 'mail');
    catcher.accept();
  });
});
