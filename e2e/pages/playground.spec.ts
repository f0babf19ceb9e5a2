// The built playground: controls, preview, URL state, methods, event log, snippets, and saving to the server.
import { AxeBuilder } from '@axe-core/playwright';
import type { FrameLocator, Locator, Page } from '@playwright/test';
import { fieldNames } from '../../src/protocol/config.ts';
import { test as base, expect } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';

/** A page object of the playground. */
class Playground {
  readonly page: Page;
  readonly platform: PlatformServer;
  readonly preview: FrameLocator;
  readonly launcher: Locator;
  readonly window: Locator;
  readonly log: Locator;
  readonly noise: string[] = [];
  readonly hosts = new Set<string>();

  constructor(page: Page, platform: PlatformServer) {
    this.page = page;
    this.platform = platform;
    this.preview = page.frameLocator('iframe');
    this.launcher = this.preview.locator('.launcher');
    this.window = this.preview.locator('.window');
    this.log = page.getByRole('log', { name: 'Events' });
    page.on('request', (request) => this.hosts.add(new URL(request.url()).origin));
    page.on('pageerror', (error) => this.noise.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.noise.push(message.text());
    });
  }

  async goto(hash = ''): Promise<void> {
    // A change of the hash alone would not reload the page.
    await this.page.goto('about:blank');
    await this.page.goto(`${this.platform.url}/playground/${hash}`);
  }

  /** The control of a field. */
  field(name: string): Locator {
    return this.page.getByRole('form', { name: 'Fields' }).getByLabel(name, { exact: true });
  }

  async tool(name: 'Code' | 'Methods' | 'Server'): Promise<Locator> {
    await this.page.getByRole('tab', { name }).click();
    return this.page.getByRole('tabpanel', { name });
  }

  async open(): Promise<void> {
    await this.launcher.click();
    await expect(this.window.locator('.row[data-side="bot"]').first()).toContainText('I am the demo bot');
  }

  violations(): Promise<string[]> {
    return new AxeBuilder({ page: this.page })
      .analyze()
      .then(({ violations }) =>
        violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.target).join()}`),
      );
  }
}

const test = base.extend<{ playground: Playground }>({
  playground: async ({ page, platform }, use) => {
    const playground = new Playground(page, platform);
    await playground.goto();
    await expect(playground.launcher).toBeVisible();
    await use(playground);
    expect(playground.noise).toEqual([]);
    expect([...playground.hosts]).toEqual([platform.url]);
  },
});

const hashOf = (page: Page) => decodeURIComponent(new URL(page.url()).hash);

test.describe('controls', () => {
  test('the playground has a control with a description for every configuration field', async ({
    playground: { page },
  }) => {
    const names = await page.locator('.field .name > :first-child').allInnerTexts();
    expect(names.toSorted()).toEqual(fieldNames.toSorted());
    for (const help of await page.locator('.field .help').allInnerTexts()) expect(help).toMatch(/\.$/);
  });

  test('a colour can be typed or picked, and an invalid one is reported and falls back', async ({
    playground,
  }) => {
    const { page, launcher } = playground;
    await expect(launcher).toHaveCSS('background-color', 'rgb(48, 112, 222)');
    await playground.field('color').fill('#0a7a5a');
    await expect(launcher).toHaveCSS('background-color', 'rgb(10, 122, 90)');
    await expect(playground.field('color, picker')).toHaveValue('#0a7a5a');
    await playground.field('color, picker').fill('#aa0000');
    await expect(launcher).toHaveCSS('background-color', 'rgb(170, 0, 0)');
    await expect(playground.field('color')).toHaveValue('#aa0000');
    await playground.field('color').fill('red');
    await expect(launcher).toHaveCSS('background-color', 'rgb(48, 112, 222)');
    await expect(playground.field('color')).toHaveAttribute('aria-invalid', 'true');
    await expect(playground.field('color')).toHaveAccessibleDescription(
      /'color' must be a HEX colour\. Primary/,
    );
    await page.getByRole('button', { name: 'Clear color' }).click();
    await expect(playground.field('color')).toHaveValue('');
    await expect(playground.field('color')).toHaveAttribute('aria-invalid', 'false');
  });

  test('text, choice, number, flag, list, link and string controls change the preview and can be reset', async ({
    playground,
  }) => {
    const { page, window, launcher, preview } = playground;
    await playground.field('starters').fill('Prices\n\nOpening hours');
    await playground.open();

    await playground.field('botName').fill('Ada <b>');
    await expect(window.getByRole('heading')).toHaveText('Ada <b>');
    await playground.field('themeMode').selectOption('dark');
    await expect(preview.locator('.box')).toHaveAttribute('data-theme', 'dark');

    await playground.field('radius').fill('1');
    await expect(window).toHaveCSS('border-radius', '6px');
    await playground.field('radius, slider').fill('2');
    await expect(window).toHaveCSS('border-radius', '12px');
    await expect(playground.field('radius')).toHaveValue('2');
    await playground.field('radius').fill('99');
    await expect(window).toHaveCSS('border-radius', '24px');
    await expect(page.getByText('From 0.5 to 4: 4 is used.')).toBeVisible();

    const launcherChoice = page.getByRole('group', { name: 'launcher', exact: true });
    await launcherChoice.getByRole('radio', { name: 'false', exact: true }).check();
    await expect(launcher).toBeHidden();
    await launcherChoice.getByRole('radio', { name: 'Default (true)' }).check();
    await expect(launcher).toBeVisible();

    await expect(window.locator('.footer')).toContainText('Powered by');
    await playground.field('footer').fill('Our **own**');
    await expect(window.locator('.footer strong')).toHaveText('own');
    await page.getByLabel('Leave it out').check();
    await expect(window.locator('.footer')).toHaveCount(0);
    await page.getByLabel('Leave it out').uncheck();
    await expect(window.locator('.footer strong')).toHaveText('own');

    const phone = page.getByRole('group', { name: 'phone', exact: true });
    await phone.getByLabel('title').fill('Call us');
    await phone.getByLabel('link').fill('tel:+3112');
    await playground.field('additionalStylesheet').fill('.launcher { border-radius: 7px }');
    await expect(launcher).toHaveCSS('border-radius', '7px');

    await playground.field('strings').fill('{"send"');
    await expect(playground.field('strings')).toHaveAttribute('aria-invalid', 'true');
    await playground.field('strings').fill('{"send": "Go"}');
    await expect(playground.field('strings')).toHaveAttribute('aria-invalid', 'false');

    await expect(page.getByText('8 set')).toBeVisible();
    await expect
      .poll(() => hashOf(page))
      .toBe(
        '#themeMode=dark&radius=4&additionalStylesheet=.launcher+{+border-radius:+7px+}&strings={"send":"Go"}' +
          '&botName=Ada+<b>&footer=Our+**own**&starters=["Prices","Opening+hours"]' +
          '&phone={"title":"Call+us","link":"tel:+3112"}',
      );
    // No invalid value reached the preview.
    await playground.tool('Methods');
    await expect(playground.log.getByText('error', { exact: true })).toHaveCount(0);

    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(window.getByRole('heading')).toHaveText('Bot');
    await expect(playground.field('botName')).toHaveValue('');
    await expect.poll(() => new URL(page.url()).hash).toBe('');
  });

  test('a font or URL takes effect when it is complete, and nothing is fetched while it is typed', async ({
    playground,
  }) => {
    const { page, preview } = playground;
    await playground.field('fontFamily').pressSequentially('Rubik');
    await expect(preview.locator('.box')).not.toHaveCSS('font-family', /pw R/);
    await page.keyboard.press('Enter');
    await expect(preview.locator('.box')).toHaveCSS('font-family', /pw Rubik/);
    await playground.field('fabImage').pressSequentially('//example.org/x.png');
    await expect(preview.locator('.launcher img')).toHaveCount(0);
    await playground.field('fabImage').fill('/playground/icon.svg');
    await page.keyboard.press('Enter');
    await expect(preview.locator('.launcher img')).toHaveAttribute('src', '/playground/icon.svg');
  });

  test('fields are found by name and description', async ({ playground: { page } }) => {
    await page.getByRole('searchbox', { name: 'Find a field' }).fill('google');
    await expect(page.locator('.field:visible .name > :first-child')).toHaveText(['fontFamily']);
    await page.getByRole('searchbox').fill('zzz');
    await expect(page.getByText('No such field')).toBeVisible();
  });

  test('a cleared field keeps the focus, and arrow keys move between tabs', async ({ playground }) => {
    const { page } = playground;
    await playground.field('botName').fill('Ada');
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: 'Clear botName' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(playground.field('botName')).toBeFocused();
    await expect(playground.field('botName')).toHaveValue('');
    await page.getByRole('tab', { name: 'Code' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('tab', { name: 'Server' })).toBeFocused();
    await expect(page.getByRole('tabpanel')).toHaveAccessibleName('Server');
  });
});

test('frame, background, direction and language of the preview page can be changed', async ({
  playground,
}) => {
  const { page, preview, launcher } = playground;
  const html = preview.locator('html');
  const size = () => html.evaluate(() => [innerWidth, innerHeight]);
  await page.getByRole('radio', { name: 'Phone', exact: true }).check();
  await expect.poll(size).toEqual([390, 800]);
  await page.getByRole('radio', { name: 'Dark', exact: true }).check();
  await expect(preview.locator('body')).toHaveCSS('background-color', 'rgb(22, 24, 28)');
  await expect(launcher).toHaveCSS('right', '20px');
  await page.getByRole('radio', { name: 'RTL', exact: true }).check();
  await expect(html).toHaveAttribute('dir', 'rtl');
  await expect(launcher).toHaveCSS('left', '20px');
  await page.getByLabel('Language', { exact: true }).fill('pt-BR');
  await page.getByLabel('Language', { exact: true }).press('Enter');
  await expect(html).toHaveAttribute('lang', 'pt-BR');
  await expect
    .poll(() => hashOf(page))
    .toBe('#view.frame=phone&view.ground=dark&view.dir=rtl&view.lang=pt-BR');
  await page.getByLabel('Language', { exact: true }).fill('not a language');
  await page.getByLabel('Language', { exact: true }).press('Enter');
  await expect(page.getByLabel('Language', { exact: true })).toHaveValue('pt-BR');
});

test('a missing bot is reported', async ({ playground }) => {
  const { page } = playground;
  await page.getByLabel('Bot', { exact: true }).first().fill('nobody');
  await page.getByLabel('Bot', { exact: true }).first().press('Enter');
  await expect(page.getByRole('alert')).toContainText('No chat exists at');
  await page.getByLabel('Bot', { exact: true }).first().fill('demo');
  await page.getByLabel('Bot', { exact: true }).first().press('Enter');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(playground.launcher).toBeVisible();
  playground.noise.length = 0;
});

test.describe('URL', () => {
  test('the URL carries a configuration, and invalid parts of it are reported and harmless', async ({
    playground,
  }) => {
    const { page, launcher } = playground;
    await playground.goto(
      '#color=%23000000&footer=&radius=7&botName=%3Cimg%20src%3Dx%3E&nope=1&themeMode=pink&view.frame=phone&view.bot=../x',
    );
    await expect(launcher).toHaveCSS('background-color', 'rgb(0, 0, 0)');
    await expect(playground.field('botName')).toHaveValue('<img src=x>');
    await expect(playground.field('radius')).toHaveValue('4');
    await expect(page.getByLabel('Leave it out')).toBeChecked();
    await expect(page.getByRole('alert').getByRole('listitem')).toHaveText([
      "No field 'nope'.",
      "'view.bot' cannot be '../x'.",
      "'themeMode' must be light or dark or auto.",
    ]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByRole('alert')).toHaveCount(0);
    // A valid value clears the error.
    await expect
      .poll(() => hashOf(page))
      .toBe('#color=#000000&radius=4&botName=<img+src=x>&footer=&view.frame=phone');
  });

  test('the URL is applied again when it changes, and never contains a secret', async ({ playground }) => {
    const { page, launcher } = playground;
    await playground.field('adminKey').fill('s3cret');
    await playground.field('color').fill('#111111');
    await expect.poll(() => hashOf(page)).toBe('#color=#111111');
    await page.evaluate(() => {
      location.hash = 'color=%23222222';
    });
    await expect(launcher).toHaveCSS('background-color', 'rgb(34, 34, 34)');
    await expect(playground.field('color')).toHaveValue('#222222');
  });
});

test('methods show their results and errors, and the log shows events', async ({ playground }) => {
  const { page, log, window, launcher } = playground;
  const methods = await playground.tool('Methods');
  const row = (name: string) =>
    methods.locator('form', { has: page.getByRole('button', { name: `${name}()` }) });
  const call = async (name: string, argument?: string) => {
    if (argument !== undefined) await row(name).getByRole('textbox').fill(argument);
    await row(name).getByRole('button').click();
    return expect(row(name).locator('output'));
  };
  const types = () => log.locator('b').allInnerTexts();

  await expect(log.locator('b')).toHaveText(['webchat:initialized']);
  await (await call('sendMessage')).toHaveText(/^InvalidStateError not_ready: sendMessage\(\) works after/);
  await (await call('setUnreadMessageCount', '5')).toHaveText('undefined');
  await expect(launcher).toHaveAccessibleName('Open chat, 5 unread messages');
  await (await call('setUnreadMessageCount', 'many')).toHaveText(
    'PlatformError invalid_argument: setUnreadMessageCount() takes a number from 0.',
  );

  await (await call('doctor')).toContainText('"ok": true');
  await (await call('open')).toHaveText('undefined');
  await expect(window.locator('.row[data-side="bot"]')).toHaveCount(1);
  await expect
    .poll(types)
    .toEqual(['message', 'webchat:ready', 'conversation', 'webchat:opened', 'webchat:initialized']);
  await (await call('sendMessage', 'Hello there')).toHaveText('undefined');
  await expect(window.locator('.row').filter({ hasText: 'Hello there' }).first()).toBeVisible();
  await expect(log.locator('summary').filter({ hasText: '"text":"Hello there"' }).first()).toBeVisible();
  await (await call('sendEvent', '{"type"')).toHaveText(/^SyntaxError: /);
  await (await call('sendEvent', '{"type":"ping"}')).toHaveText('undefined');
  await (await call('updateUser', '{"name":"Grace"}')).toHaveText('undefined');
  await (await call('getUser')).toHaveText(/"name": "Grace"/);
  await (await call('restartConversation')).toHaveText('undefined');
  await expect(log.locator('b', { hasText: /^conversation$/ })).toHaveCount(2);
  await (await call('close')).toHaveText('undefined');
  await expect(window).toBeHidden();
  await (await call('toggle')).toHaveText('undefined');
  await expect(window).toBeVisible();

  await (await call('destroy')).toHaveText('undefined');
  await expect(playground.preview.locator('platform-webchat')).toHaveCount(0);
  await (await call('open')).toHaveText(/^InvalidStateError not_initialized/);
  // Controls still work; their values apply from the next init.
  await playground.field('color').fill('#123456');
  await page.getByRole('button', { name: 'Clear log' }).click();
  await expect(log).toContainText('None yet');
  await (await call('init')).toHaveText('undefined');
  await expect(launcher).toHaveCSS('background-color', 'rgb(18, 52, 86)');
  await expect(log.locator('b').last()).toHaveText('webchat:initialized');
});

test.describe('snippets', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  for (const form of ['Attributes', 'init()'] as const) {
    test(`${form}: pasted into a page, it creates the configured chat`, async ({
      playground,
      browser,
      serve,
    }) => {
      const { page } = playground;
      await playground.goto(
        `#color=%230a7a5a&botName=${encodeURIComponent('A "b" </script> & co')}&position=left&launcher=true`,
      );
      const code = await playground.tool('Code');
      await code.getByRole('radio', { name: form, exact: true }).check();
      await code.getByRole('button', { name: 'Copy snippet' }).click();
      await expect(code.getByRole('button', { name: 'Copied' })).toBeVisible();
      const snippet = await page.evaluate(() => navigator.clipboard.readText());

      const context = await browser.newContext();
      const site = await context.newPage();
      await site.goto(
        serve(`/snippet-${form.length}`, `<!doctype html><title>A page</title><body>${snippet}`, {}),
      );
      const launcher = site.locator('.launcher');
      await expect(launcher).toHaveCSS('background-color', 'rgb(10, 122, 90)');
      await expect(launcher).toHaveCSS('left', '20px');
      await launcher.click();
      await expect(site.getByRole('dialog', { name: 'Chat with A "b" </script> & co' })).toBeVisible();
      await expect(site.locator('.row[data-side="bot"]')).toHaveCount(1);
      await context.close();
    });
  }

  test('the snippet contains only changed fields, and the copied link has the current configuration', async ({
    playground,
  }) => {
    const { page } = playground;
    const code = await playground.tool('Code');
    await expect(code.locator('pre')).not.toContainText('data-color');
    await code.getByRole('radio', { name: 'Served', exact: true }).check();
    await expect(code.locator('pre')).toHaveText(
      `<script src="${playground.platform.chatUrl}/webchat.js" async></script>`,
    );
    await expect(code.getByText('Save the fields')).toHaveCount(0);
    await playground.field('botName').fill('Ada');
    await expect(code.getByText('Save the fields')).toBeVisible();
    await page.getByRole('button', { name: 'Copy link' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${playground.platform.url}/playground/#botName=Ada`,
    );
  });
});

test.describe('server', () => {
  test('the server refuses to save a configuration without the token, and visitors see a saved one', async ({
    playground,
    platform,
    browser,
    serve,
  }) => {
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
    playground.noise.length = 0;

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

  test('the audit trail shows the newest change first, can be filtered, and works by keyboard', async ({
    playground,
    platform,
  }) => {
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
    playground.noise.length = 0;
    await trail.getByRole('button', { name: 'Try again' }).click();
    await expect(first).toContainText('setBotWebchat');
    await page.keyboard.press('Escape');
    await expect(trail).toHaveCount(0);
    await expect(server.getByRole('button', { name: 'Audit trail' })).toBeFocused();
  });

  test('with several bots the selected one is shown, and saving changes the one that is shown', async ({
    playground,
    platform,
  }) => {
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
    const kept = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    let server = await playground.tool('Server');
    await server.getByLabel('Workspace id').fill('ws_1');
    await server.getByLabel('Token').fill('t0ken');
    expect(await kept()).not.toContain('t0ken');
    await server.getByLabel('Keep both').check();
    expect(await kept()).toContain('t0ken');
    await page.reload();
    server = await playground.tool('Server');
    await expect(server.getByLabel('Token')).toHaveValue('t0ken');
    await server.getByLabel('Keep both').uncheck();
    expect(await kept()).not.toContain('t0ken');
  });
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds no violation in the playground, ${colorScheme}`, async ({ playground }) => {
    // Three runs of axe on the whole page take over a minute on a busy machine.
    test.slow();
    const { page } = playground;
    await page.emulateMedia({ colorScheme });
    await playground.goto('#color=%230a7a5a&nope=1&phone=%7B%22title%22%3A%22Call%22%7D');
    await playground.open();
    await playground.field('radius').fill('9');
    await playground.field('botAvatar').fill('javascript:1');
    await page.keyboard.press('Enter');
    for (const name of ['Code', 'Methods', 'Server'] as const) {
      const tool = await playground.tool(name);
      if (name === 'Methods') await tool.getByRole('button', { name: 'getUser()' }).click();
      if (name === 'Server') await tool.getByLabel('Token').fill('x');
      expect(await playground.violations()).toEqual([]);
    }
  });
}

test('on a phone the playground shows one pane at a time, and nothing is cut off', async ({ playground }) => {
  const { page, launcher } = playground;
  await page.setViewportSize({ width: 360, height: 640 });
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await playground.field('color').fill('#0a7a5a');
  await expect(launcher).toBeHidden();
  expect(await overflow()).toBe(0);
  await page.getByRole('button', { name: 'Preview' }).click();
  await expect(launcher).toHaveCSS('background-color', 'rgb(10, 122, 90)');
  await expect(playground.field('color')).toBeHidden();
  expect(await overflow()).toBe(0);
  await page.getByRole('button', { name: 'Tools' }).click();
  for (const name of ['Code', 'Methods', 'Server'] as const) {
    await expect(await playground.tool(name)).toBeVisible();
    expect(await overflow()).toBe(0);
  }
  expect(await playground.violations()).toEqual([]);
});

test('the demo page links to the playground', async ({ page, platform }) => {
  await page.goto(platform.url);
  await page.getByRole('link', { name: 'Playground' }).click();
  await expect(page.getByRole('heading', { name: 'Webchat Playground' })).toBeVisible();
  await page.goto(`${platform.url}/playground`);
  await expect(page).toHaveURL(`${platform.url}/playground/`);
});
