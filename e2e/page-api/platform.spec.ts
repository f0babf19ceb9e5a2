// Tests of `window.platform`: every method, when it can be called, every event, and the documented order.
import type { Page } from '@playwright/test';
import { ChatClient } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

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
  site,
}) => {
  // Without the early load, which begins when the page is idle after `init`.
  await chat.load('data-manual data-prefetch="false"');
  const expectTooEarly = async (methods: string, code: string, event: string) => {
    for (const method of methods.split(' ')) {
      const result = await attempt(page, method, 'too early');
      expect(result, method).toMatchObject({ name: 'InvalidStateError', code });
      expect(result, method).toHaveProperty('message', expect.stringContaining(`'${event}'`));
    }
  };
  await expectTooEarly(
    'open close toggle config consent updateUser getUser setUnreadMessageCount',
    'not_initialized',
    'webchat:initialized',
  );
  await expect(chat.launcher).toHaveCount(0);
  await chat.call('init');
  await expect(chat.launcher).toBeVisible();
  await expectTooEarly('restartConversation sendMessage sendEvent', 'not_ready', 'webchat:ready');
  const foreign = chat.requests.filter((url) => !url.endsWith('/webchat.js') && !url.startsWith(site.url));
  expect(foreign).toEqual([]);
});

test('at the first open events arrive in the documented order', { tag: '@story' }, async ({ chat }) => {
  await chat.goto();
  await chat.recordEvents();
  await chat.call('open');
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

  await chat.call('toggle');
  await expect(chat.window).toBeHidden();
  await chat.call('toggle');
  await expect(chat.window).toBeVisible();
  await chat.call('close');
  expect((await chat.eventTypes()).slice(5)).toEqual(['webchat:closed', 'webchat:opened', 'webchat:closed']);
});

test('sendMessage, sendEvent, customEvent and restartConversation reach the server', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  await chat.recordEvents();
  await chat.call('sendMessage', 'Written by the page');
  expect(await chat.serverTexts()).toContain('Written by the page');
  await expect(chat.rows.filter({ hasText: 'Written by the page' }).first()).toBeVisible();

  await chat.call('sendEvent', { kind: 'cart', items: 3 });
  await expect.poll(() => chat.eventTypes()).toContain('customEvent');
  const custom = (await chat.events()).find(({ type }) => type === 'customEvent');
  expect(custom?.payload).toEqual({ type: 'received', data: { kind: 'cart', items: 3 } });

  const { conversationId } = await chat.storedSession();
  await chat.call('restartConversation');
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
  const user = await chat.call('getUser');
  expect(user).toMatchObject({
    name: 'Ada',
    data: { plan: 'team', seats: 3 },
    id: (await chat.storedSession()).userId,
  });
  await chat.call('updateUser', { name: 'Ada L.' });
  expect(await chat.call('getUser')).toMatchObject({
    name: 'Ada L.',
    data: { seats: 3 },
  });
  expect(await attempt(page, 'updateUser', { name: 7 })).toMatchObject({ code: 'invalid_argument' });
  expect(await attempt(page, 'updateUser', { data: { long: 'x'.repeat(2000) } })).toMatchObject({
    code: 'invalid_argument',
  });
});

test('getUser returns every field of the user; id and times can be neither changed nor removed', async ({
  chat,
}) => {
  await chat.startConversation();
  const fields = { name: 'Ada', pictureUrl: 'https://example.org/a.png', data: { plan: 'team', seats: [3] } };
  await chat.call('updateUser', fields);
  const before = await chat.call('getUser');
  const { userId, userKey } = await chat.storedSession();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(before).toEqual({ ...fields, id: userId, createdAt: time, updatedAt: time, userKey });
  for (const value of ['2000-01-01T00:00:00.000Z', '', null]) {
    const wrong = { id: value, createdAt: value, updatedAt: value };
    await chat.call('updateUser', wrong as object);
  }
  const after = await chat.call('getUser');
  expect(after).toEqual(before);
  // The names are reported when the browser is idle, because a page that sends them expects an effect.
  await expect.poll(() => chat.consoleErrors.length).toBe(3);
  for (const line of chat.consoleErrors.splice(0)) expect(line).toContain("A user has no field '");
});

test('config takes the user without a configuration, and both together', async ({ chat }) => {
  await chat.startConversation();
  const name = async () => (await chat.call('getUser')).name;
  expect(await chat.call('config', { user: { name: 'Ada' } })).toBeUndefined();
  await expect.poll(name).toBe('Ada');
  await chat.call('config', { configuration: { botName: 'Otto' }, user: { name: 'Bea' } });
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
    const found: Record<string, string> = {};
    const note = async (name: string, result: unknown) => {
      const value = await result;
      const kind = typeof value === 'object' ? 'user' : typeof value;
      found[name] = result instanceof Promise ? `promise of ${kind}` : kind;
    };
    const off = platform.on('message', () => {});
    await note('on', off);
    await note('off', off());
    await note('open', platform.open());
    await note('close', platform.close());
    await note('toggle', platform.toggle());
    await note('config', platform.config({}));
    await note('consent', platform.consent(true));
    await note('setUnreadMessageCount', platform.setUnreadMessageCount(2));
    await note('updateUser', platform.updateUser({ name: 'Ada' }));
    await note('getUser', platform.getUser());
    await note('sendMessage', platform.sendMessage('Hello'));
    await note('sendEvent', platform.sendEvent({}));
    await note('restartConversation', platform.restartConversation());
    return found;
  });
  const nothing = 'off open close toggle config consent setUnreadMessageCount'.split(' ');
  const later = 'updateUser sendMessage sendEvent restartConversation'.split(' ');
  expect(results).toEqual({
    ...Object.fromEntries(nothing.map((name) => [name, 'undefined'])),
    ...Object.fromEntries(later.map((name) => [name, 'promise of undefined'])),
    getUser: 'promise of user',
    on: 'function',
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
}) => {
  const queue = `<script nonce="n0nce">(window.platform ||= []).push((p) => {
    p.on('webchat:ready', () => p.sendMessage('As soon as possible').then(() => seen.events.push('sent')));
    p.on('webchat:initialized', () => p.open());
  });</script>`;
  await chat.load('', { head: queue });
  await expect(chat.rows.filter({ hasText: 'As soon as possible' }).first()).toBeVisible();
  await expect.poll(() => page.evaluate(() => window.seen.events)).toEqual(['sent']);
  expect(await chat.serverTexts()).toContain('As soon as possible');
});

test('a page that is offline sends a message before the first conversation: it waits in the window, and is stored once', async ({
  chat,
  page,
}) => {
  await chat.goto();
  // The code of the window is there before it is opened.
  await chat.launcher.hover();
  await expect(page.locator('section.window textarea')).toBeAttached();
  await page.context().setOffline(true);
  const outcome = page.evaluate(() => {
    const platform = window.platform as Platform;
    return new Promise((resolve) => {
      platform.on('webchat:ready', () => {
        platform.sendMessage('From the page').then(() => resolve('sent'), resolve);
      });
      platform.open();
    });
  });
  await expect(chat.rows).toContainText(['From the page']);
  await expect(chat.rows).toHaveAttribute('data-status', 'sending');
  await expect(chat.window.getByText(/You are offline/)).toBeVisible();
  await page.context().setOffline(false);
  expect(await outcome).toBe('sent');
  expect((await chat.serverTexts()).filter((text) => text === 'From the page')).toHaveLength(1);
  chat.consoleErrors = [];
});

test('userKey switches to another user and that user’s conversation', { tag: '@story' }, async ({ chat }) => {
  await chat.startConversation();
  const first = await chat.storedSession();
  const { key } = await new ChatClient({ chatUrl: chat.platform.chatUrl }).createUser({});
  await chat.call('updateUser', { userKey: key });
  const second = await chat.storedSession();
  expect(second.userKey).toBe(key);
  expect(second.conversationId).not.toBe(first.conversationId);
  await chat.exchange('I am another user');
  expect(await chat.serverMessages()).toHaveLength(3);
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

test('handlers may open, close or destroy from within the lifecycle events', async ({ chat, page }) => {
  await chat.load('data-manual');
  await page.evaluate(() => {
    const widget = window.platform as Platform;
    const stopOpening = widget.on('webchat:initialized', () => {
      stopOpening();
      widget.open();
    });
    widget.init();
  });
  await expect(chat.botRows).toHaveCount(1);
  await page.evaluate(() => {
    const widget = window.platform as Platform;
    widget.close();
    const stopClosing = widget.on('webchat:opened', () => {
      stopClosing();
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
