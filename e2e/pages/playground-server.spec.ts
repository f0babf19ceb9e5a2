// Saving from the playground to the server: credentials, the saved configuration, the audit trail, several bots.
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect } from '../support/fixtures.ts';
import { hashOf, test } from '../support/playground.ts';

test.describe('server', () => {
  test('the server refuses to save a configuration without the token, and visitors see a saved one', {
    tag: '@story',
  }, async ({ playground, platform, browser, serve }) => {
    const { page } = playground;
    const { workspaceId, token } = platform.admin;
    await playground.field('color').fill('#0a7a5a');
    await playground.field('botName').fill('Ada');
    await playground.field('adminKey').fill('not-for-the-server');
    const server = await playground.tool('Server');
    const connect = async (id: string, secret: string) => {
      await server.getByLabel('Workspace id').fill(id);
      await server.getByLabel('Token').fill(secret);
      await server.getByRole('button', { name: 'Connect' }).click();
    };

    await connect(workspaceId, `${token}x`);
    await expect(server.getByText('rejected the workspace id or the token (401)')).toBeVisible();
    await expect(server.getByRole('button', { name: 'Load' })).toHaveCount(0);
    await connect(workspaceId, 'tökén');
    await expect(server.getByText('as the server printed them')).toBeVisible();
    await page.context().setOffline(true);
    await connect(workspaceId, token);
    await expect(server.getByText('The server cannot be reached.')).toBeVisible();
    await page.context().setOffline(false);
    await connect(workspaceId, token);
    await expect(server.getByText('Connected: 1 bot.')).toBeVisible();
    playground.consoleMessages.length = 0;

    await server.getByRole('button', { name: 'Save 2 fields' }).click();
    await expect(server.getByText('Saved: 2 fields.')).toBeVisible();
    await page.getByRole('button', { name: 'Reset' }).click();
    // Blank fields fall back to the saved values.
    await expect(playground.launcher).toHaveCSS('background-color', 'rgb(10, 122, 90)');

    const context = await browser.newContext();
    const site = await context.newPage();
    await playground.tool('Code');
    await page.getByRole('radio', { name: 'Served', exact: true }).check();
    const snippet = await page.getByRole('tabpanel').locator('pre').innerText();
    await site.goto(serve('/saved', `<!doctype html><title>A page</title><body>${snippet}`, {}));
    await expect(site.locator('.launcher')).toHaveCSS('background-color', 'rgb(10, 122, 90)');
    await context.close();

    await playground.tool('Server');
    await playground.field('radius').fill('1');
    await server.getByRole('button', { name: 'Save 1 field' }).click();
    await expect(server.getByRole('alert')).toContainText('not set here: color, botName.');
    await server.getByRole('button', { name: 'Cancel' }).click();
    await server.getByRole('button', { name: 'Load' }).click();
    await expect(server.getByText('Loaded: 2 fields.')).toBeVisible();
    await expect(playground.field('botName')).toHaveValue('Ada');
    await expect(playground.field('radius')).toHaveValue('');

    await page.getByRole('button', { name: 'Reset' }).click();
    await server.getByRole('button', { name: 'Save 0 fields' }).click();
    await server.getByRole('button', { name: 'Save anyway' }).click();
    await expect(server.getByText('Saved: 0 fields.')).toBeVisible();
    await expect(playground.launcher).toHaveCSS('background-color', 'rgb(48, 112, 222)');
    expect(page.url()).not.toContain(token);
  });

  test('a configuration that loads late keeps the chosen view', async ({ playground, platform }) => {
    const { page } = playground;
    const server = await playground.tool('Server');
    await server.getByLabel('Workspace id').fill(platform.admin.workspaceId);
    await server.getByLabel('Token').fill(platform.admin.token);
    await server.getByRole('button', { name: 'Connect' }).click();
    await expect(server.getByText('Connected: 1 bot.')).toBeVisible();
    const release = await holdRequests(page, '**/v1/admin/bots/*/webchat');
    await server.getByRole('button', { name: 'Load' }).click();
    const phone = page.getByRole('radio', { name: 'Phone', exact: true });
    await phone.check();
    release();
    await expect(server.getByText('Loaded: 0 fields.')).toBeVisible();
    await expect(phone).toBeChecked();
  });

  test('a confirmed save deletes only the fields that were listed', async ({ playground, platform }) => {
    await playground.field('radius').fill('7');
    await playground.field('botName').fill('Ada');
    const server = await playground.tool('Server');
    await server.getByLabel('Workspace id').fill(platform.admin.workspaceId);
    await server.getByLabel('Token').fill(platform.admin.token);
    await server.getByRole('button', { name: 'Connect' }).click();
    await server.getByRole('button', { name: 'Save 2 fields' }).click();
    await expect(server.getByText('Saved: 2 fields.')).toBeVisible();
    await playground.field('botName').fill('');
    await server.getByRole('button', { name: 'Save 1 field' }).click();
    await expect(server.getByRole('alert')).toContainText('not set here: botName.');
    await playground.field('radius').fill('');
    await server.getByRole('button', { name: 'Save anyway' }).click();
    await expect(server.getByRole('alert')).toContainText(/not set here: .*radius/);
    const saving = server.getByRole('button', { name: /^Save \d/ });
    await server.getByRole('button', { name: 'Cancel' }).press('Enter');
    await expect(server.getByRole('alert')).toHaveCount(0);
    await expect(saving).toBeFocused();
    await saving.press('Enter');
    await server.getByRole('button', { name: 'Save anyway' }).press('Enter');
    await expect(saving).toBeFocused();
    await expect(server.getByText('Saved: 0 fields.')).toBeVisible();
  });

  test('the audit trail is filtered, and works by keyboard', async ({ playground, platform }) => {
    const { page } = playground;
    const { workspaceId, token } = platform.admin;
    await playground.field('color').fill('#0a7a5a');
    const server = await playground.tool('Server');
    await expect(server.getByRole('button', { name: 'Audit trail' })).toBeDisabled();
    await server.getByLabel('Workspace id').fill(workspaceId);
    await server.getByLabel('Token').fill(token);
    await server.getByRole('button', { name: 'Connect' }).click();
    await server.getByRole('button', { name: 'Save 1 field' }).click();
    await expect(server.getByText('Saved: 1 field.')).toBeVisible();

    await server.getByRole('button', { name: 'Audit trail' }).press('Enter');
    const trail = page.getByRole('dialog', { name: 'Audit trail' });
    const table = trail.getByRole('table', { name: 'Actions of administrators, newest first' });
    const first = table.getByRole('row').nth(1);
    await expect(first).toContainText('setBotWebchat');
    await expect(first.getByRole('rowheader')).toContainText('owner@localhost operator');
    await expect(first).toContainText('127.0.0.1');
    await expect(first).toContainText('Done');
    await expect(trail.getByRole('status')).toContainText(/entr(y|ies)/);
    expect(await playground.violations()).toEqual([]);

    await trail.getByLabel('Operation').fill('none');
    await trail.getByLabel('Operation').press('Enter');
    await expect(trail.getByText('No entry matches these filters.')).toBeVisible();
    await trail.getByRole('button', { name: 'Clear' }).click();
    await expect(first).toContainText('setBotWebchat');
    await page.context().setOffline(true);
    await trail.getByRole('button', { name: 'Filter' }).click();
    await expect(trail.getByText('The server cannot be reached.')).toBeVisible();
    await page.context().setOffline(false);
    playground.consoleMessages.length = 0;
    await trail.getByRole('button', { name: 'Try again' }).click();
    await expect(first).toContainText('setBotWebchat');
    await page.keyboard.press('Escape');
    await expect(trail).toHaveCount(0);
    await expect(server.getByRole('button', { name: 'Audit trail' })).toBeFocused();
  });

  test('of several bots the selected one is shown and saved', async ({ playground, platform }) => {
    const { page } = playground;
    const { workspaceId, token } = platform.admin;
    const admin = (method: string, path: string, body?: object) =>
      fetch(`${platform.url}/v1/admin${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'x-workspace-id': workspaceId,
          'content-type': 'application/json',
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).then((response) => response.json());
    const { bot } = await admin('POST', '/bots', { name: 'Shop', webhookId: 'shop' });
    try {
      const server = await playground.tool('Server');
      await server.getByLabel('Workspace id').fill(workspaceId);
      await server.getByLabel('Token').fill(token);
      await server.getByRole('button', { name: 'Connect' }).click();
      await expect(server.getByText('Connected: 2 bots.')).toBeVisible();
      // The newest bot is first in the list; the other one is shown.
      const choice = server.getByRole('combobox');
      await expect(choice.locator('option:checked')).toContainText('demo (bot_');
      await choice.selectOption(bot.id);
      await expect(server.getByText('The preview now shows this bot.')).toBeVisible();
      await expect.poll(() => hashOf(page)).toBe('#view.bot=shop');
      await expect(playground.launcher).toBeVisible();
      await playground.field('color').fill('#0a7a5a');
      await server.getByRole('button', { name: 'Save 1 field' }).click();
      await expect(server.getByText('Saved: 1 field.')).toBeVisible();
      expect((await admin('GET', `/bots/${bot.id}/webchat`)).configuration).toEqual({ color: '#0a7a5a' });
      const { code } = await admin('GET', `/bots/${bot.id}/webchat?type=sharableUrl`);
      await page.goto(code);
      await expect(page).toHaveTitle('Shop');
      await expect(page.locator('.window')).toBeVisible();
    } finally {
      await admin('DELETE', `/bots/${bot.id}`);
    }
  });

  test('the token is kept for the tab only on request', async ({ playground }) => {
    const { page } = playground;
    const storageContent = () =>
      page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    let server = await playground.tool('Server');
    await server.getByLabel('Workspace id').fill('ws_1');
    await server.getByLabel('Token').fill('t0ken');
    expect(await storageContent()).not.toContain('t0ken');
    await server.getByLabel('Keep both').check();
    expect(await storageContent()).toContain('t0ken');
    await page.reload();
    server = await playground.tool('Server');
    await expect(server.getByLabel('Token')).toHaveValue('t0ken');
    await server.getByLabel('Keep both').uncheck();
    expect(await storageContent()).not.toContain('t0ken');
  });
});
