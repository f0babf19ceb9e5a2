// Apps that attack: the page, the chat, other apps, and the network.
import { expect, test } from '../support/fixtures.ts';
import { insideOf, withApps } from './apps.ts';
import { appOf, type OtherOrigin, plainApp, startOtherOrigin } from './documents.ts';

test.use(withApps);

let other: OtherOrigin;
test.beforeEach(async () => {
  other = await startOtherOrigin();
});
test.afterEach(() => other.close());

test('an app reads nothing of page and chat, leaves no frame and reaches no server', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const there = `${other.url}/leak`;
  const html = plainApp(`
    const attempt = async (name, run) => { try { log(name + ' ' + await run()) } catch (error) { log(name + ' refused') } };
    (async () => {
      await begin();
      await attempt('cookie', () => document.cookie);
      await attempt('storage', () => localStorage.length);
      await attempt('parent', () => parent.document.title);
      await attempt('top', () => top.document.title);
      await attempt('chat', () => top.platform.doctor());
      await attempt('navigate top', () => { top.location = '${there}?top'; throw 0 });
      await attempt('navigate sandbox', () => { parent.location = '${there}?parent'; throw 0 });
      await attempt('popup', () => { if (!open('${there}?popup')) throw 0; return 'opened' });
      await attempt('fetch', () => fetch('${there}?fetch', { mode: 'no-cors' }));
      await attempt('chat api', () => fetch('${chat.platform.url}/v1/openapi.json'));
      await attempt('beacon', () => { if (!navigator.sendBeacon('${there}?beacon')) throw 0; return 'queued' });
      const load = (tag, set) => new Promise((resolve, reject) => {
        const element = Object.assign(document.createElement(tag), { onload: resolve, onerror: reject }, set);
        document.body.append(element);
      });
      await attempt('img', () => load('img', { src: '${there}?img' }));
      await attempt('script', () => load('script', { src: '${there}?script' }));
      await attempt('style', () => load('link', { rel: 'stylesheet', href: '${there}?css' }));
      document.head.insertAdjacentHTML('beforeend', '<link rel="prefetch" href="${there}?prefetch"><link rel="dns-prefetch" href="${there}">');
      document.body.append(Object.assign(document.createElement('iframe'), { src: '${there}?frame' }));
      log('end');
    })();
  `);
  const before = page.url();
  // By itself, and by a link.
  const leaving = plainApp(`void begin().then(() => { location = '${there}?self' })`);
  const refreshed = plainApp(`void begin().then(() => document.head.insertAdjacentHTML(
    'beforeend', '<meta http-equiv="refresh" content="0;url=${there}?refresh"><base href="${there}"><base target="_top">'))`);
  const submitted = plainApp(`void begin().then(() => {
    document.body.insertAdjacentHTML('beforeend', '<form method="post" action="${there}?form">');
    document.forms[0].requestSubmit();
  })`);
  for (const [index, one] of [leaving, refreshed, submitted].entries()) {
    await chat.instructBot({ stream: [appOf(one)] });
    await expect(chat.botRows).toHaveCount(index + 2);
    const frame = chat.botRows.last().locator('.app > iframe');
    await expect(frame).toHaveCount(1);
    await expect(frame.contentFrame().locator('iframe').contentFrame().locator('#log')).toHaveCount(0);
  }
  await chat.instructBot({ stream: [appOf(html)] });
  const log = insideOf(chat.botRows.last()).locator('#log');
  await expect(log).toContainText('end');
  const lines = ((await log.textContent()) ?? '').split('\n').filter((line) => line && !line.startsWith('{'));
  expect(lines).toEqual(
    [
      ...['cookie', 'storage', 'parent', 'top', 'chat', 'navigate top', 'navigate sandbox', 'popup', 'fetch'],
      ...['chat api', 'img', 'script', 'style'],
    ]
      .map((name) => `${name} refused`)
      .toSpliced(10, 0, expect.stringMatching(/^beacon/) as never)
      .concat('end'),
  );
  await chat.send('Still here');
  await expect(chat.botRows.last()).toContainText('received text');
  expect(page.url()).toBe(before);
  expect(page.context().pages()).toHaveLength(1);
  expect(other.requests).toEqual([]);
  chat.ignoreConsoleErrors(
    /localhost|leak|sandbox|Content Security Policy|null|srcdoc|Unsafe attempt|Failed to load/i,
  );
});

test('forged messages of other frames, of the sandbox and of nobody do nothing', async ({ chat, page }) => {
  await chat.startConversation();
  const html = plainApp(`
    (async () => {
      await begin();
      // Only the sandbox page says these.
      say({ method: 'ui/notifications/sandbox-proxy-ready', params: {} });
      say({ method: 'ui/notifications/sandbox-resource-ready', params: { html: '<p>Forged</p>' } });
      say({ id: 77, result: {} });
      for (const data of [null, 1, 'text', [], { jsonrpc: '2.0', id: 5, method: 'toString' }, { id: 6, method: '__proto__' }])
        parent.postMessage(data, '*');
      for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'no address', '', 1, null])
        log('link ' + Boolean((await request('ui/open-link', { url })).error));
      for (const content of [null, [], {}, [{ type: 'image' }], { type: 'text', text: ' ' }])
        log('draft ' + Boolean((await request('ui/message', { role: 'user', content })).error));
      log('tools ' + (await request('tools/call', { name: 'pay' })).error.message);
      log('end');
    })();
  `);
  await chat.instructBot({ stream: [appOf(html)] });
  const row = chat.botRows.last();
  const log = insideOf(row).locator('#log');
  await expect(log).toContainText('end');
  const lines = ((await log.textContent()) ?? '')
    .split('\n')
    .filter((line) => /^(link|draft|tools) /.test(line));
  expect(lines).toEqual([
    ...Array(7).fill('link true'),
    ...Array(5).fill('draft true'),
    'tools This chat does not support tools/call.',
  ]);
  await expect(insideOf(row).getByText('Forged')).toHaveCount(0);
  // Of the page itself, and of another frame with the same words.
  await page.evaluate((origin) => {
    const ask = {
      jsonrpc: '2.0',
      id: 1,
      method: 'ui/open-link',
      params: { url: 'https://example.com/forged' },
    };
    const draft = {
      jsonrpc: '2.0',
      id: 2,
      method: 'ui/message',
      params: { content: { type: 'text', text: 'Forged' } },
    };
    for (const data of [ask, draft]) {
      postMessage(data, '*');
      // With the origin of the sandbox, but not of the frame.
      dispatchEvent(new MessageEvent('message', { data, origin, source: window }));
      dispatchEvent(new MessageEvent('message', { data, origin }));
    }
  }, chat.platform.sandboxOrigin);
  await chat.send('After the forged ones');
  await expect(chat.botRows.last()).toContainText('received text');
  await expect(row.getByRole('group', { name: 'Open this address?' })).toHaveCount(0);
  await expect(chat.input).toHaveValue('');
});

test('giant messages, floods and absurd sizes do not reach the chat', async ({ chat, page }) => {
  await chat.startConversation();
  await page.evaluate(() => {
    const seen = { count: 0, longest: 0 };
    Object.assign(window, { flood: seen });
    addEventListener('message', ({ data }) => {
      seen.count += 1;
      seen.longest = Math.max(seen.longest, JSON.stringify(data).length);
    });
  });
  const html = plainApp(`
    (async () => {
      await begin();
      const size = (height, width) => say({ method: 'ui/notifications/size-changed', params: { height, width } });
      for (const height of [1e9, -5, NaN, Infinity, 'x', null, {}, 1e308]) size(height, height);
      say({ method: 'ui/message', id: 1, params: { content: { type: 'text', text: 'x'.repeat(5e6) } } });
      say({ method: 'notifications/message', params: { data: new ArrayBuffer(20e6), more: new Map([[1, 2]]) } });
      const circle = {}; circle.self = circle;
      say({ method: 'notifications/message', params: circle });
      for (let n = 0; n < 20000; n++) size(100 + n % 50);
      log('end');
    })();
  `);
  await chat.instructBot({ stream: [appOf(html)] });
  const row = chat.botRows.filter({ has: chat.page.locator('.app') });
  await expect(insideOf(row).locator('#log')).toContainText('end');
  await chat.send('Still here');
  await expect(chat.botRows.last()).toContainText('received text');
  const box = await row.locator('.app > iframe').boundingBox();
  const window_ = await chat.window.boundingBox();
  expect(box?.height).toBeLessThanOrEqual((window_?.height ?? 0) * 0.6 + 1);
  expect(box?.width).toBeLessThanOrEqual(window_?.width ?? 0);
  const { count, longest } = await page.evaluate(
    () => (window as unknown as { flood: { count: number; longest: number } }).flood,
  );
  // 100 at once, and 50 in a second.
  expect(count).toBeLessThan(2_000);
  expect(longest).toBeLessThanOrEqual(100_000);
  expect(await chat.input.inputValue()).toBe('');
});

test('an app that never starts, or is not a document, leaves the text of the bot', async ({ chat, page }) => {
  await page.clock.install();
  await chat.startConversation();
  await chat.instructBot({
    stream: [
      'One:',
      appOf('<p>Silent</p>', {}, 'Text of the silent one'),
      'Two:',
      { block: ['mcp-apps', { html: 7, csp: 'x', toolInput: [], result: 'y' }, 'Text of not a document'] },
    ],
  });
  await expect(chat.window.locator('iframe')).toHaveCount(1);
  await expect(chat.botRows.last()).toContainText('Text of not a document');
  await expect(chat.botRows.last()).toContainText('Text of the silent one');
  await page.clock.runFor(30_000);
  await expect(chat.window.locator('iframe')).toHaveCount(0);
  await expect(chat.botRows.last()).toContainText('Text of the silent one');
});
