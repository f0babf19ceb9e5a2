// The built playground as a page: the preview frame, a missing bot, methods and the event log, accessibility, phones.
import { expect } from '../support/fixtures.ts';
import { hashOf, test } from '../support/playground.ts';

test('frame, background, direction and language of the preview change', async ({ playground }) => {
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
  playground.consoleMessages.length = 0;
});

test('methods show their results and errors, and the log shows events', { tag: '@story' }, async ({
  playground,
}) => {
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
  await expect.poll(types).toEqual([
    'message',
    'webchat:ready',
    'conversation',
    'webchat:opened',
    // Opening clears the number that was set.
    'unread',
    'unread',
    'webchat:initialized',
  ]);
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

test('axe finds no violation in the playground, in light and dark', async ({ playground }) => {
  // A run of axe on the whole page takes half a minute on a busy machine.
  test.slow();
  const { page } = playground;
  await playground.goto('#color=%230a7a5a&nope=1&phone=%7B%22title%22%3A%22Call%22%7D');
  await playground.open();
  await playground.field('radius').fill('9');
  await playground.field('botAvatar').fill('javascript:1');
  await page.keyboard.press('Enter');
  for (const name of ['Code', 'Methods', 'Server'] as const) {
    const tool = await playground.tool(name);
    if (name === 'Methods') await tool.getByRole('button', { name: 'getUser()' }).click();
    if (name === 'Server') await tool.getByLabel('Token').fill('x');
    // Only the panel differs from the first run.
    await expect(tool).toBeVisible();
    const panel = name === 'Code' ? undefined : '[role="tabpanel"]:not([hidden])';
    expect(await playground.violations(panel)).toEqual([]);
  }
});

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
