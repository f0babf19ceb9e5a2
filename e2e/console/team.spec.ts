// The section "Team" of the console: a member is invited, accepts in another browser, gets another role, and is removed.
import { randomUUID } from 'node:crypto';
import { openMailCatcher } from '../../src/server/notifications/testing.ts';
import { expect, test } from '../support/fixtures.ts';
import { adminOf, expectGood, openConsole, phone, watchErrors } from './signed-in.ts';

const password = 'four words that stay together';

test('a member is invited with a link, accepts it, gets another role, and is removed', {
  tag: '@story',
}, async ({ page, platform, browser }) => {
  const errors = await watchErrors(page);
  await openConsole(page, platform, '?page=team');
  const email = `max-${randomUUID()}@example.com`;
  const dialog = page.getByRole('dialog');
  const row = page.getByRole('row').filter({ hasText: email });
  await page.getByRole('button', { name: 'Invite a member' }).click();
  await expect(dialog.getByLabel('E-mail address')).toBeFocused();
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await expect(dialog.getByLabel('E-mail address')).toHaveAccessibleDescription('Enter a value.');
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByRole('radio', { name: /^Viewer/ }).check();
  await expectGood(page, 'invite');
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = await dialog.getByLabel('Link', { exact: true }).inputValue();
  await expect(dialog.getByRole('status').first()).toContainText('It is shown once');
  await expectGood(page, 'invited');
  await dialog.getByRole('button', { name: 'Done' }).click();

  const context = await browser.newContext(phone);
  const theirs = await context.newPage();
  const theirErrors = await watchErrors(theirs);
  await theirs.goto(link.replace(/^.*#/, `${platform.url}/console/#`));
  await theirs.getByLabel('New password').fill(password);
  await theirs.getByRole('button', { name: 'Save and sign in' }).click();
  await theirs.getByRole('link', { name: 'Team' }).click();
  await expect(theirs.getByText('(you)')).toBeVisible();
  await expect(theirs.getByText('A manager or an administrator invites members')).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Invite a member' })).toHaveCount(0);
  await expectGood(theirs, 'team of a viewer, phone');

  await page.getByLabel('Search by name or e-mail address').fill(email.slice(0, 12).toUpperCase());
  await expect(page.getByRole('row')).toHaveCount(2);
  await row.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: `Change ${email}` }).click();
  await dialog.getByLabel('Name').fill('Max Muster');
  await dialog.getByRole('radio', { name: /^Manager/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row).toContainText('Manager');
  await expectGood(page, 'team');
  await theirs.reload();
  await expect(theirs.getByRole('button', { name: 'Invite a member' })).toBeVisible();

  await row.getByRole('button', { name: 'Actions for Max Muster' }).click();
  await page.getByRole('menuitem', { name: 'Remove Max Muster' }).click();
  await expect(dialog).toContainText('Conversations that they answer wait again');
  await dialog.getByRole('button', { name: 'Remove the member' }).click();
  await expect(row).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Team', level: 1 })).toBeFocused();
  await expect(page.getByText('Max Muster was removed.')).toBeVisible();
  await theirs.reload();
  await expect(theirs.getByLabel('Password')).toBeVisible();
  await context.close();
  expect([errors, theirErrors]).toEqual([[], []]);
});

test('a manager gives roles up to their own, gets no link, and cannot change an administrator', async ({
  page,
  platform,
}) => {
  const admin = adminOf(platform);
  const [high, low] = ['administrator', 'viewer'].map((role) => `${role}-${randomUUID()}@example.com`);
  const { id: highId } = await admin.createWorkspaceMember({ email: high ?? '', role: 'administrator' });
  const { id: lowId } = await admin.createWorkspaceMember({ email: low ?? '', role: 'viewer' });
  await openConsole(page, platform, '?page=team', { role: 'manager' });
  const dialog = page.getByRole('dialog');
  const search = page.getByLabel('Search by name or e-mail address');
  await search.fill(high ?? '');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByText('Has a higher role than you')).toBeVisible();
  await search.fill(low ?? '');
  await page.getByRole('button', { name: `Actions for ${low}` }).click();
  await page.getByRole('menuitem', { name: `A link for ${low}` }).click();
  await expect(dialog).toContainText('only administrators see links');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: `Actions for ${low}` }).click();
  await page.getByRole('menuitem', { name: `Change ${low}` }).click();
  await expect(dialog.getByRole('radio')).toHaveCount(5);
  // They have become an administrator in the meantime.
  await admin.updateWorkspaceMember({ id: lowId, role: 'administrator' });
  await dialog.getByRole('radio', { name: /^Support/ }).check();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toHaveText(
    'Your role does not allow this: This requires the role administrator or a higher one; the caller is manager.',
  );
  for (const id of [highId, lowId]) await admin.deleteWorkspaceMember({ id });
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

  test('a manager invites by mail, and sees no link', async ({ page, platform }) => {
    await openConsole(page, platform, '?page=team', { role: 'manager' });
    const email = `eva-${randomUUID()}@example.com`;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Invite a member' }).click();
    await dialog.getByLabel('E-mail address').fill(email);
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await expect(dialog.getByRole('status').first()).toContainText(`on its way to ${email}`);
    await expect(dialog.getByLabel('Link', { exact: true })).toHaveCount(0);
    expect((await catcher.mailTo(email)).text).toContain('#invitation=');
  });
});
