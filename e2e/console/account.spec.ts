// The section "Account" of the console: name, language, alerts, and the ways into it.
import { expect, test } from '../support/fixtures.ts';
import { expectGood, openConsole, phone, watchErrors } from './signed-in.ts';

test('a member changes their name, the language and the alerts of the inbox', async ({ page, platform }) => {
  const errors = await watchErrors(page);
  await openConsole(page, platform, '?page=account', { role: 'support' });
  await page.getByLabel('Your name').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  const sound = page.getByLabel('Sound when a visitor waits or writes to me');
  await sound.uncheck();
  await page.getByLabel('Language of the console, in this browser').selectOption('de');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.locator('select').selectOption('en');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(sound).not.toBeChecked();
  await expect(page.getByLabel('Your name')).toHaveValue('Ada Lovelace');
  await expectGood(page, 'account');
  await page.setViewportSize(phone.viewport);
  await expectGood(page, 'account, phone');
  expect(errors).toEqual([]);
});

test('the inbox leads to the preferences of the account, and back', async ({ page, platform }) => {
  await openConsole(page, platform, '', { role: 'support' });
  await page.getByRole('button', { name: 'Preferences' }).click();
  await expect(page.getByRole('heading', { name: 'Account', level: 1 })).toBeVisible();
  await page.getByLabel('Single letters are shortcuts').uncheck();
  await page.goBack();
  await expect(page.locator('.inbox')).toBeVisible();
  await page.getByRole('button', { name: 'Keyboard' }).click();
  await expect(page.getByText('Single letters are switched off in your account.')).toBeVisible();
});

test('a member who answers visitors and has no name is asked for one', async ({ page, platform }) => {
  await openConsole(page, platform, '?page=team', { role: 'support', name: 'Ada' });
  await page.route('**/v1/session', async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    delete body.member.displayName;
    await route.fulfill({ response, json: body });
  });
  await page.reload();
  const dialog = page.getByRole('dialog', { name: 'Your name' });
  await expect(dialog).toBeVisible();
  await expectGood(page, 'name');
  // "Later" is kept in this browser.
  await dialog.getByRole('button', { name: 'Later' }).click();
  await expect(dialog).toHaveCount(0);
  const loaded = page.waitForResponse(/NameDialog/);
  await page.reload();
  await loaded;
  await expect(page.getByRole('heading', { name: 'Team', level: 1 })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await page.evaluate(() => localStorage.removeItem('asked for a name'));
  await page.reload();
  await expect(dialog).toBeVisible();
  await page.unroute('**/v1/session');
  await dialog.getByLabel('Name').fill('Ada King');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await page.getByRole('link', { name: 'Account' }).click();
  await expect(page.getByLabel('Your name')).toHaveValue('Ada King');
});
