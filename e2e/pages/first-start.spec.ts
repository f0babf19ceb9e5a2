// The first start: the owner opens the link of the server, chooses an account, and works without a token.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { violationsInBothSchemes } from '../support/axe.ts';
import { expect, test } from '../support/fixtures.ts';
import { startPlatform } from '../support/server.ts';

test('the owner of a new server sets up an account by its link, and configures the bot without a token', {
  tag: '@story',
}, async ({ page }) => {
  const platform = await startPlatform();
  try {
    const link = (await readFile(join(platform.folder, 'setup-link'), 'utf8')).trim();
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
    expect(await violationsInBothSchemes(page, 'html')).toEqual([]);
    const save = page.getByRole('button', { name: 'Save and sign in' });
    await save.click();
    await expect(page.getByLabel('Your name')).toBeFocused();
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Password').fill('short');
    await save.click();
    // The link is not used up by a refused password.
    await expect(page.getByLabel('Password')).toHaveAttribute('aria-invalid', 'true');
    await page.getByLabel('Password').fill('four words that stay together');
    await save.click();
    await expect(page.getByRole('heading', { name: 'First steps' })).toBeVisible();
    expect(page.url()).not.toContain('setup');

    await page.goto(`${platform.url}/playground/`);
    await page.getByRole('tab', { name: 'Server' }).click();
    const server = page.getByRole('tabpanel', { name: 'Server' });
    await expect(server.getByText('You are signed in as Ada.')).toBeVisible();
    await expect(server.getByText('Connected: 1 bot.')).toBeVisible();
    await expect(server.getByLabel('Token')).toHaveCount(0);
    await page.getByRole('form', { name: 'Fields' }).getByLabel('botName', { exact: true }).fill('Grace');
    await server.getByRole('button', { name: 'Save 1 field' }).click();
    await expect(server.getByText('Saved: 1 field.')).toBeVisible();

    await page.goto('about:blank');
    await page.goto(link);
    await page.getByLabel('Your name').fill('Eve');
    await page.getByLabel('E-mail address').fill('eve@example.com');
    await page.getByLabel('Password').fill('four words that stay together');
    await save.click();
    await expect(page.getByRole('alert')).toContainText('This link was used before');
  } finally {
    await platform.dispose();
  }
});
