// The element `<platform-webchat>` in a real browser: attributes, properties, events, content, and moves in the page.
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import type { WebchatElement } from '../../src/packages/widget/element.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect } from '../support/fixtures.ts';
import { siteTest } from './site.ts';

const test = siteTest({ 'main.js': "import '@platform-webchat/widget/element';" });

declare global {
  interface Window {
    log: { type: string; detail: unknown; bubbled: boolean }[];
  }
}

/** Records the events of elements; it is in the page before the element is defined. */
const recorder = `<script nonce="n0nce">
window.log = [];
for (const type of ['initialized', 'ready', 'opened', 'closed', 'message', 'error', 'custom-event']) {
  document.addEventListener('webchat-' + type, ({ target, detail }) => log.push({ type, detail, bubbled: true }));
  document.querySelectorAll('platform-webchat').forEach((one) =>
    one.addEventListener('webchat-' + type, ({ detail }) => log.push({ type, detail, bubbled: false })));
}
</script>`;
const element = (page: Page) => page.locator('platform-webchat[chat-url]');

test('a floating element draws the launcher, takes its configuration from attributes, and reflects open', {
  tag: '@story',
}, async ({ page, visit }) => {
  const body = `<platform-webchat id="chat" chat-url="CHAT" bot-name="Ada" color="#0a7a5a"><a href="mailto:help@example.com">Write to us</a></platform-webchat>${recorder}`;
  await visit(body);
  await expect(page.locator('.launcher')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Write to us' })).toBeHidden();
  await expect(page.locator('.launcher')).toHaveCSS('background-color', 'rgb(10, 122, 90)');
  await page.locator('.launcher').click();
  await expect(page.getByRole('dialog', { name: 'Chat with Ada' })).toBeVisible();
  await expect(element(page)).toHaveAttribute('open');
  await element(page).evaluate((one: WebchatElement) => {
    one.open = false;
  });
  await expect(page.getByRole('dialog')).toBeHidden();
  // Changed attributes have an effect at once, removed ones fall back.
  await element(page).evaluate((one) => one.setAttribute('color', '#112233'));
  await expect(page.locator('.launcher')).toHaveCSS('background-color', 'rgb(17, 34, 51)');
  await element(page).evaluate((one) => one.removeAttribute('color'));
  await expect(page.locator('.launcher')).not.toHaveCSS('background-color', 'rgb(17, 34, 51)');
  await element(page).evaluate(async (one: WebchatElement) => {
    const chat = await one.ready;
    chat.open();
    await new Promise<void>((resolve) => chat.on('webchat:ready', () => resolve()));
    await chat.sendMessage('hello');
  });
  // The greeting of the bot is a message, too.
  const details = () =>
    page.evaluate(() => window.log.flatMap(({ type, detail }) => (type === 'message' ? [detail] : [])));
  await expect
    .poll(details)
    .toContainEqual(expect.objectContaining({ payload: { type: 'text', text: 'hello' } }));
  const log = await page.evaluate(() => window.log);
  expect(log.filter(({ bubbled }) => bubbled)).toEqual([]);
  expect(log.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['initialized', 'opened', 'closed', 'ready']),
  );
});

test('an inline element without a height of the page is usable, and keeps its chat when it moves', async ({
  page,
  visit,
}) => {
  const body = `<main><platform-webchat chat-url="CHAT" placement="inline"></platform-webchat></main><aside></aside>${recorder}`;
  await visit(body);
  const input = page.getByRole('textbox', { name: 'Message' });
  await expect(input).toBeVisible();
  expect((await element(page).boundingBox())?.height).toBe(480);
  expect((await input.boundingBox())?.width).toBeGreaterThan(300);
  await input.fill('half a sentence');
  await page.evaluate(() => {
    const one = document.querySelector('platform-webchat') as Element;
    document.querySelector('aside')?.append(one);
  });
  await expect(page.locator('aside').getByRole('textbox')).toHaveValue('half a sentence');
  expect(await page.evaluate(() => (window.platform as Platform).instances.length)).toBe(1);
  await expect(page.locator('.box')).toHaveCount(1);
});

test('an element that takes the place of another one of the same chat shows its state, and applies its own attributes', async ({
  page,
  visit,
}) => {
  const body = `<platform-webchat chat-url="CHAT" placement="inline" bot-name="A"></platform-webchat>`;
  await visit(body);
  const input = page.getByRole('textbox', { name: 'Message' });
  await expect(page.getByRole('region', { name: 'Chat with A' })).toBeVisible();
  await input.fill('half a sentence');
  await page.evaluate(async () => {
    const first = document.querySelector('platform-webchat') as WebchatElement;
    const next = first.cloneNode() as WebchatElement;
    next.setAttribute('bot-name', 'B');
    next.open = false;
    first.replaceWith(next);
    await Promise.resolve();
    next.className = 'next';
    await next.ready;
  });
  await expect(page.getByRole('region', { name: 'Chat with B' })).toBeVisible();
  await expect(input).toHaveValue('half a sentence');
  expect(await element(page).evaluate((one: WebchatElement) => [one.open, !!one.platform])).toEqual([
    true,
    true,
  ]);
  // Attributes that change later apply, too.
  await element(page).evaluate((one) => one.setAttribute('bot-name', 'C'));
  await expect(page.getByRole('region', { name: 'Chat with C' })).toBeVisible();
  await element(page).evaluate((one) => one.removeAttribute('bot-name'));
  await expect(page.getByRole('region', { name: 'Chat with C' })).toHaveCount(0);
  await expect(input).toBeVisible();
});

test('properties that are set before the element is defined or connected are taken', async ({
  page,
  visit,
}) => {
  const early = `<div id="place"></div><script nonce="n0nce">
    const one = document.createElement('platform-webchat');
    one.configuration = { botName: 'Early' };
    one.user = { data: { plan: 'team' } };
    one.getUserKey = ({ reason }) => { window.reason = reason; return null; };
    one.chatUrl = 'CHAT';
    one.open = true;
    document.querySelector('#place').append(one);
  </script>`;
  await visit(early);
  await expect(page.getByRole('dialog', { name: 'Chat with Early' })).toContainText('I am the demo bot');
  expect(await page.evaluate(() => (window as { reason?: string }).reason)).toBe('start');
});

test('several elements are several chats, a manual one waits, and a removed one ends', async ({
  page,
  visit,
}) => {
  const chat = (attributes: string) => `<platform-webchat chat-url="CHAT" ${attributes}></platform-webchat>`;
  const body = `${chat('')}${chat('instance="b" position="left"')}${chat('instance="c" manual')}`;
  await visit(body);
  await expect(page.locator('.launcher')).toHaveCount(2);
  await element(page)
    .nth(2)
    .evaluate((one) => one.removeAttribute('manual'));
  await expect(page.locator('.launcher')).toHaveCount(3);
  await element(page)
    .nth(1)
    .evaluate((one) => one.remove());
  await expect(page.locator('.launcher')).toHaveCount(2);
  expect(await page.evaluate(() => (window.platform as Platform).instances.length)).toBe(2);
});

test('the content of the element stays when the chat cannot load, and without an address', async ({
  page,
  visit,
}) => {
  await page.route('**/webchat.js', (route) => route.abort());
  const body = `<platform-webchat chat-url="CHAT"><a href="/help">Help</a></platform-webchat><platform-webchat><p>No address</p></platform-webchat>`;
  await visit(body);
  const reason = await element(page).evaluate((one: WebchatElement) =>
    one.ready.then(String, (error) => error.code),
  );
  expect(reason).toBe('script_failed');
  await expect(page.getByRole('link', { name: 'Help' })).toBeVisible();
  await expect(page.getByText('No address')).toBeVisible();
});

test('the file element.js defines the element on a page without a bundler', { tag: '@story' }, async ({
  page,
  serve,
  platform,
}) => {
  const html = `<!doctype html><title>A page</title><platform-webchat chat-url="${platform.chatUrl}"></platform-webchat>
    <script type="module" src="${platform.url}/webchat/element.js"></script>
    <script src="${platform.chatUrl}/webchat.js" data-manual async></script>`;
  await page.goto(serve('/file', html, {}));
  await expect(page.locator('.launcher')).toHaveCount(1);
  expect(await page.locator('script[src$="webchat.js"]').count()).toBe(1);
});

test('custom-elements.json describes the element: its properties, its attributes, and the events that it emits', async ({
  page,
  visit,
}) => {
  const manifest = JSON.parse(await readFile('dist/packages/widget/custom-elements.json', 'utf8'));
  const [{ attributes, members, events, tagName }] = manifest.modules[0].declarations;
  expect(tagName).toBe('platform-webchat');
  const names = (list: { name: string }[]) => list.map(({ name }) => name).sort();
  const values = {
    'chat-url': 'CHAT',
    placement: 'floating',
    'feedback-enabled': 'true',
    home: 'false',
  } as Record<string, string>;
  const ignored = /^(src|integrity|manual|open|instance)$/;
  const text = attributes
    .filter(({ name }: { name: string }) => !ignored.test(name))
    .map(({ name }: { name: string }) => `${name}="${values[name] ?? ''}"`)
    .join(' ');
  const warnings: string[] = [];
  page.on('console', (line) => line.type() === 'warning' && warnings.push(line.text()));
  const html = `<script nonce="n0nce">
    window.types = [];
    const dispatch = EventTarget.prototype.dispatchEvent;
    EventTarget.prototype.dispatchEvent = function (event) {
      if (this.localName === 'platform-webchat') types.push(event.type);
      return dispatch.call(this, event);
    };
  </script><platform-webchat ${text}></platform-webchat>`;
  await visit(html);
  await page.locator('.launcher').click();
  const own = await element(page).evaluate((one: WebchatElement) => {
    const prototype = Object.getPrototypeOf(one);
    return Object.getOwnPropertyNames(prototype).filter((name) => !/Callback$|^constructor$/.test(name));
  });
  expect(own.sort()).toEqual(names(members));
  await page
    .getByRole('button', { name: /^Good answer/ })
    .first()
    .click();
  await element(page).evaluate(async (one: WebchatElement) => {
    const chat = await one.ready;
    chat.setUnreadMessageCount(1);
    await new Promise<void>((resolve) => chat.on('webchat:ready', () => resolve()));
    await chat.sendMessage('event');
    chat.close();
    chat.config({ configuration: { radius: 'round' as never } });
  });
  const emitted = () =>
    page.evaluate(() => [...new Set((window as unknown as { types: string[] }).types)].sort());
  await expect.poll(emitted).toEqual(names(events));
  // Unknown attributes would be reported.
  expect(warnings.filter((warning) => !warning.includes('radius'))).toEqual([]);
});
