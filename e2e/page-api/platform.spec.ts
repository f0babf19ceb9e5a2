// Tests of `window.platform`: every method, when it can be called, every event, and the documented order.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

test.beforeEach(({ page }) => {
  page.setDefaultTimeout(45_000);
});

/** Calls a method in the page. Returns its result, or the error that it threw or rejected with. */
const attempt = (page: Page, method: string, ...args: unknown[]) =>
  page.evaluate(
    async ([name, rest]) => {
      const platform = window.platform as unknown as Record<string, (...args: unknown[]) => unknown>;
      try {
        return { value: await platform[name as string]?.(...(rest as unknown[])) };
      } catch (error) {
        const { name: errorName, code, message } = error as Error & { code: string };
        return { name: errorName, code, message };
      }
    },
    [method, args] as const,
  );

test('methods that are called too early fail, have no effect, and name the event to wait for', async ({
  chat,
  page,
  serve,
  site,
  platform,
}) => {
  // Without prefetching, which begins a second after `init`.
  const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-manual data-prefetch="false"></script>`;
  await page.goto(serve('/manual', pageHtml(script)));
  for (const method of [
    'open',
    'close',
    'toggle',
    'config',
    'consent',
    'updateUser',
    'getUser',
    'setUnreadMessageCount',
  ]) {
    const result = await attempt(page, method, {});
    expect(result, method).toMatchObject({ name: 'InvalidStateError', code: 'not_initialized' });
    expect(result, method).toHaveProperty('message', expect.stringContaining("'webchat:initialized'"));
  }
  await expect(chat.launcher).toHaveCount(0);
  await page.evaluate(() => (window.platform as Platform).init());
  await expect(chat.launcher).toBeVisible();
  for (const method of ['restartConversation', 'sendMessage', 'sendEvent']) {
    const result = await attempt(page, method, 'too early');
    expect(result, method).toMatchObject({ name: 'InvalidStateError', code: 'not_ready' });
    expect(result, method).toHaveProperty('message', expect.stringContaining("'webchat:ready'"));
  }
  expect(chat.requests.filter((url) => !url.endsWith('/webchat.js') && !url.startsWith(site.url))).toEqual(
    [],
  );
});

test('at the first open events arrive in the documented order', { tag: '@story' }, async ({ chat, page }) => {
  await chat.goto();
  await chat.recordEvents();
  await page.evaluate(() => (window.platform as Platform).open());
  await expect(chat.botRows).toHaveCount(1);
  expect(await chat.eventTypes()).toEqual([
    'webchat:initialized',
    'webchat:opened',
    'conversation',
    'webchat:ready',
    'message',
  ]);
  const events = await chat.events();
  expect(events[2]?.payload).toBe((await chat.storedSession()).conversationId);
  expect(events[4]?.payload).toMatchObject({
    isBot: true,
    payload: { type: 'choice' },
    conversationId: events[2]?.payload,
  });

  await page.evaluate(() => (window.platform as Platform).toggle());
  await expect(chat.window).toBeHidden();
  await page.evaluate(() => (window.platform as Platform).toggle());
  await expect(chat.window).toBeVisible();
  await page.evaluate(() => (window.platform as Platform).close());
  expect((await chat.eventTypes()).slice(5)).toEqual(['webchat:closed', 'webchat:opened', 'webchat:closed']);
});

test('late handlers of lifecycle events are called once, and unsubscribed ones never', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const calls = await page.evaluate(async () => {
    const platform = window.platform as Platform;
    const log: string[] = [];
    platform.on('webchat:initialized', () => log.push('initialized'));
    platform.on('webchat:ready', () => log.push('ready'));
    platform.on('webchat:ready', () => log.push('never'))();
    platform.on('webchat:opened', () => log.push('opened is not sticky'));
    log.push('sync');
    await new Promise((resolve) => setTimeout(resolve));
    return log;
  });
  expect(calls).toEqual(['sync', 'initialized', 'ready']);
});

test('functions pushed before the script has loaded run in order, also after one that throws', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const head = `<script nonce="n0nce">
    (window.platform ||= []).push(() => seen.events.push('first'), () => { throw new Error('theirs'); });
    (window.platform ||= []).push((p) => { seen.events.push(typeof p.open); p.open(); });
  </script>`;
  const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js"></script>`;
  await page.goto(serve('/queue', pageHtml(script, { head })));
  await expect(chat.window).toBeVisible();
  expect(await page.evaluate(() => window.seen.events)).toEqual(['first', 'function']);
  expect(chat.consoleErrors.splice(0).join()).toContain('theirs');
});

test('sendMessage, sendEvent, customEvent and restartConversation reach the server', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  await chat.recordEvents();
  await page.evaluate(() => (window.platform as Platform).sendMessage('Written by the page'));
  expect(await chat.serverTexts()).toContain('Written by the page');
  await expect(chat.rows.filter({ hasText: 'Written by the page' }).first()).toBeVisible();

  await page.evaluate(() => (window.platform as Platform).sendEvent({ kind: 'cart', items: 3 }));
  await expect.poll(() => chat.eventTypes()).toContain('customEvent');
  const custom = (await chat.events()).find(({ type }) => type === 'customEvent');
  expect(custom?.payload).toEqual({ type: 'received', data: { kind: 'cart', items: 3 } });

  const { conversationId } = await chat.storedSession();
  await page.evaluate(() => (window.platform as Platform).restartConversation());
  const restarted = (await chat.storedSession()).conversationId;
  expect(restarted).not.toBe(conversationId);
  expect((await chat.events()).filter(({ type }) => type === 'conversation').at(-1)?.payload).toBe(restarted);
  await expect(chat.botRows).toHaveCount(1);
  const mine = (await chat.events()).filter(
    ({ type, payload }) => type === 'message' && !(payload as { isBot: boolean }).isBot,
  );
  expect(mine).toHaveLength(1);
  expect(await attempt(page, 'sendMessage', '  ')).toMatchObject({ code: 'invalid_argument' });
  expect(await attempt(page, 'sendEvent', 'text')).toMatchObject({ code: 'invalid_argument' });
});

test('updateUser before the user exists is sent with its creation, and getUser returns it', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await page.evaluate(() => {
    const platform = window.platform as Platform;
    const fields = { name: 'Ada', pictureUrl: 'https://example.org/a.png', data: { plan: 'team', seats: 3 } };
    void platform
      .updateUser(fields)
      .then(() => window.seen.events.push({ type: 'updated', payload: undefined }));
  });
  expect(await chat.storedSession()).toEqual({});
  await chat.launcher.click();
  await expect(chat.botRows.first()).toContainText('Hello, Ada!');
  await expect.poll(() => chat.eventTypes()).toEqual(['updated']);
  const user = await page.evaluate(() => (window.platform as Platform).getUser());
  expect(user).toMatchObject({
    name: 'Ada',
    data: { plan: 'team', seats: 3 },
    id: (await chat.storedSession()).userId,
  });
  await page.evaluate(() => (window.platform as Platform).updateUser({ name: 'Ada L.' }));
  expect(await page.evaluate(() => (window.platform as Platform).getUser())).toMatchObject({
    name: 'Ada L.',
    data: { seats: 3 },
  });
  expect(await attempt(page, 'updateUser', { name: 7 })).toMatchObject({ code: 'invalid_argument' });
  expect(await attempt(page, 'updateUser', { data: { long: 'x'.repeat(2000) } })).toMatchObject({
    code: 'invalid_argument',
  });
});

test('getUser works without the window being open, and creates no conversation', async ({ chat, page }) => {
  await chat.goto();
  const user = await page.evaluate(() => (window.platform as Platform).getUser());
  expect(user.id).toMatch(/^user_/);
  expect(user).toHaveProperty('userKey');
  expect((await chat.storedSession()).conversationId).toBeUndefined();
});

test('getUser returns every field of the user; id and times can be neither changed nor removed', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const fields = { name: 'Ada', pictureUrl: 'https://example.org/a.png', data: { plan: 'team', seats: [3] } };
  await page.evaluate((user) => (window.platform as Platform).updateUser(user), fields);
  const before = await page.evaluate(() => (window.platform as Platform).getUser());
  const { userId, userKey } = await chat.storedSession();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(before).toEqual({ ...fields, id: userId, createdAt: time, updatedAt: time, userKey });
  for (const value of ['2000-01-01T00:00:00.000Z', '', null]) {
    const wrong = { id: value, createdAt: value, updatedAt: value };
    await page.evaluate((user) => (window.platform as Platform).updateUser(user as object), wrong);
  }
  const after = await page.evaluate(() => (window.platform as Platform).getUser());
  expect(after).toEqual(before);
  // The names are reported when the browser is idle, because a page that sends them expects an effect.
  await expect.poll(() => chat.consoleErrors.length).toBe(3);
  for (const line of chat.consoleErrors.splice(0)) expect(line).toContain("A user has no field '");
});

test('config takes the user without a configuration, and both together', async ({ chat, page }) => {
  await chat.startConversation();
  const name = async () => (await page.evaluate(() => (window.platform as Platform).getUser())).name;
  const result = await page.evaluate(() => (window.platform as Platform).config({ user: { name: 'Ada' } }));
  expect(result).toBeUndefined();
  await expect.poll(name).toBe('Ada');
  await page.evaluate(() =>
    (window.platform as Platform).config({ configuration: { botName: 'Otto' }, user: { name: 'Bea' } }),
  );
  await expect(chat.window.getByRole('heading', { level: 2 })).toHaveText('Otto');
  await expect.poll(name).toBe('Bea');
});

test('methods return nothing or a promise of nothing, getUser the user, and on a function', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const results = await page.evaluate(async () => {
    const platform = window.platform as Platform;
    const off = platform.on('message', () => {});
    const calls: [name: string, run: () => unknown][] = [
      ['open', () => platform.open()],
      ['close', () => platform.close()],
      ['toggle', () => platform.toggle()],
      ['config', () => platform.config({})],
      ['consent', () => platform.consent(true)],
      ['setUnreadMessageCount', () => platform.setUnreadMessageCount(2)],
      ['updateUser', () => platform.updateUser({ name: 'Ada' })],
      ['getUser', () => platform.getUser()],
      ['sendMessage', () => platform.sendMessage('Hello')],
      ['sendEvent', () => platform.sendEvent({})],
      ['restartConversation', () => platform.restartConversation()],
      ['on', () => typeof off],
      ['unsubscribe', off],
    ];
    const found: Record<string, [isPromise: boolean, value: string]> = {};
    for (const [name, run] of calls) {
      const result = run();
      const value = await result;
      found[name] = [result instanceof Promise, typeof value === 'object' ? 'user' : String(value)];
    }
    return found;
  });
  const nothing = [false, 'undefined'];
  const later = [true, 'undefined'];
  expect(results).toEqual({
    ...{
      open: nothing,
      close: nothing,
      toggle: nothing,
      config: nothing,
      consent: nothing,
      setUnreadMessageCount: nothing,
    },
    ...{ updateUser: later, getUser: [true, 'user'] },
    ...{ sendMessage: later, sendEvent: later, restartConversation: later },
    ...{ on: [false, 'function'], unsubscribe: nothing },
  });
});

test('required arguments that are missing are refused, and nothing is sent or subscribed', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const before = await chat.serverMessages();
  for (const method of ['sendMessage', 'sendEvent', 'setUnreadMessageCount', 'updateUser', 'config', 'on']) {
    expect(await attempt(page, method), method).toMatchObject({ code: 'invalid_argument' });
  }
  expect(await attempt(page, 'on', 'message')).toMatchObject({ code: 'invalid_argument' });
  expect(await chat.serverMessages()).toEqual(before);
  await expect(page.locator('.badge')).toBeHidden();
});

test('in a handler of webchat:initialized the window can be opened, and of webchat:ready a message be sent', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const queue = `<script nonce="n0nce">(window.platform ||= []).push((p) => {
    p.on('webchat:ready', () => p.sendMessage('As soon as possible').then(() => seen.events.push('sent')));
    p.on('webchat:initialized', () => p.open());
  });</script>`;
  const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js"></script>`;
  await page.goto(serve('/early', pageHtml(script, { head: queue })));
  await expect(chat.rows.filter({ hasText: 'As soon as possible' }).first()).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.seen.events)).toEqual(['sent']);
  expect(await chat.serverTexts()).toContain('As soon as possible');
});

test('userKey switches to another user and that user’s conversation', { tag: '@story' }, async ({
  chat,
  page,
  browser,
}) => {
  await chat.startConversation();
  const first = await chat.storedSession();
  const context = await browser.newContext();
  const other = await context.newPage();
  await other.goto(chat.url);
  await other.locator('.launcher').waitFor();
  const key = await other.evaluate(async () => (await (window.platform as Platform).getUser()).userKey);
  await context.close();

  await page.evaluate(
    (userKey) => (window.platform as Platform).updateUser({ userKey: userKey as string }),
    key,
  );
  const second = await chat.storedSession();
  expect(second.userKey).toBe(key);
  expect(second.conversationId).not.toBe(first.conversationId);
  await chat.exchange('I am another user');
  expect(await chat.serverMessages()).toHaveLength(3);
});

test('config takes effect at once, blank values fall back, and wrong values are reported once', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.recordEvents();
  const config = (configuration: unknown) =>
    page.evaluate((c) => (window.platform as Platform).config({ configuration: c as object }), configuration);
  const title = chat.window.getByRole('heading', { level: 2 });
  const boxStyle = (name: string) =>
    page.locator('.box').evaluate((e, property) => getComputedStyle(e).getPropertyValue(property), name);

  await config({
    botName: 'Otto',
    botDescription: 'Bicycles',
    footer: 'Be **kind**',
    color: '#aa0000',
    radius: 99,
  });
  await expect(title).toHaveText('Otto');
  await expect(chat.window).toContainText('Bicycles');
  await expect(chat.window.locator('footer strong')).toHaveText('kind');
  expect(await boxStyle('--fill')).toBe('rgb(170,0,0)');
  expect(await boxStyle('--radius')).toBe('24px');

  await config({ botName: '', footer: '', themeMode: 'dark' });
  await expect(title).toHaveText('Bot');
  await expect(chat.window.locator('footer')).toHaveCount(0);
  await expect(chat.window).toContainText('Bicycles');
  await expect(page.locator('.box')).toHaveAttribute('data-theme', 'dark');

  await config({ color: 'red', themeMode: 'blue', colour: '#fff' });
  await config({ color: 'red' });
  const readErrors = async () =>
    (await chat.events()).filter(({ type }) => type === 'error').map(({ payload }) => payload);
  // Names and values are explained when the browser is idle.
  await expect.poll(readErrors).toHaveLength(3);
  expect(await readErrors()).toContainEqual(
    expect.objectContaining({
      code: 'invalid_configuration',
      message: expect.stringContaining("'color' must be a HEX"),
    }),
  );
  expect(await boxStyle('--fill')).not.toBe('rgb(170,0,0)');
  expect(chat.consoleErrors.splice(0)).toHaveLength(3);
});

test('omitted and blank fields fall back to the configuration that an administrator has stored', async ({
  chat,
  page,
}) => {
  await chat.storeConfiguration({ botName: 'Stored', botDescription: 'From the dashboard', radius: 1 });
  try {
    await chat.startConversation();
    const config = (configuration: object) =>
      page.evaluate((c) => (window.platform as Platform).config({ configuration: c }), configuration);
    const title = chat.window.getByRole('heading', { level: 2 });
    await expect(title).toHaveText('Stored');
    await config({ botName: 'Page' });
    await expect(title).toHaveText('Page');
    await expect(chat.window).toContainText('From the dashboard');
    await expect(chat.window).toHaveCSS('border-radius', '6px');
    for (const blank of ['', null, undefined]) {
      await config({ botName: 'Page', radius: 4 });
      await expect(title).toHaveText('Page');
      await config({ botName: blank, radius: blank });
      await expect(title).toHaveText('Stored');
      await expect(chat.window).toHaveCSS('border-radius', '6px');
    }
  } finally {
    await chat.storeConfiguration({});
  }
});

test('attributes configure the static script, and a second script tag only logs a warning', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const tag = `<script nonce="n0nce" src="${platform.url}/webchat/webchat.js" data-chat-url="${platform.chatUrl}" data-bot-name="Nina" data-color="#0a7" data-radius="1"></script>`;
  await page.goto(serve('/attributes', pageHtml(tag + tag)));
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await expect(chat.window.getByRole('heading', { level: 2 })).toHaveText('Nina');
  await expect(page.locator('platform-webchat')).toHaveCount(1);
  const noise = chat.consoleErrors.splice(0);
  expect(noise).toHaveLength(1);
  expect(noise[0]).toContain('webchat.js is here twice');
});

test('setUnreadMessageCount is shown on the launcher, cleared by opening, and refuses invalid values', async ({
  chat,
  page,
}) => {
  await chat.goto();
  const set = (count: unknown) => attempt(page, 'setUnreadMessageCount', count);
  await set(3);
  await expect(chat.launcher).toHaveAccessibleName('Open chat, 3 unread messages');
  await expect(page.locator('.badge')).toHaveText('3');
  await set(100);
  await expect(page.locator('.badge')).toHaveText('99+');
  expect(await set(-1)).toMatchObject({ code: 'invalid_argument' });
  expect(await set('many')).toMatchObject({ code: 'invalid_argument' });
  await chat.launcher.click();
  await expect(page.locator('.badge')).toBeHidden();
  await expect(chat.launcher).toHaveAccessibleName('Close chat');
});

test('the unread count is the number of bot messages received while the window is closed', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  await page.evaluate(() => (window.platform as Platform).sendMessage('Anybody?'));
  await expect(chat.launcher).toHaveAccessibleName('Open chat, 1 unread message');
  await chat.launcher.click();
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
  await page.reload();
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
});

test('handlers may open, close or destroy from within the lifecycle events', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-manual></script>`;
  await page.goto(serve('/handlers', pageHtml(script)));
  const opened = () =>
    page.evaluate(() => {
      const widget = window.platform as Platform;
      const stop = widget.on('webchat:initialized', () => {
        stop();
        widget.open();
      });
      widget.init();
    });
  await opened();
  await expect(chat.botRows).toHaveCount(1);
  await page.evaluate(() => {
    const widget = window.platform as Platform;
    widget.close();
    const stop = widget.on('webchat:opened', () => {
      stop();
      widget.close();
    });
    widget.open();
  });
  await expect(chat.window).toBeHidden();
  await page.evaluate(() => {
    const widget = window.platform as Platform;
    widget.destroy();
    widget.on('webchat:initialized', () => widget.destroy());
    widget.init();
  });
  await expect(page.locator('platform-webchat')).toHaveCount(0);
  expect(await page.evaluate(() => (window.platform as Platform).destroyed)).toBe(true);
});

test('pending promises are rejected when the chat is removed', async ({ chat, page }) => {
  await chat.goto();
  const code = await page.evaluate(async () => {
    const widget = window.platform as Platform;
    const waiting = widget.updateUser({ name: 'Nobody' }).catch((error) => error.code);
    widget.destroy();
    return waiting;
  });
  expect(code).toBe('destroyed');
});
