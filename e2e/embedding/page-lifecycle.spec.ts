// The life cycle of the host page: replaced bodies, rewritten documents, back/forward cache, layout shifts, long tasks.
import type { Page } from '@playwright/test';
import config from '../../playwright.config.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

test.use({
  launchOptions: {
    ...config.use?.launchOptions,
    // Playwright disables the back/forward cache.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  },
});

const tagOf = ({ platform }: ChatPage, more = '') =>
  `<script src="${platform.chatUrl}/webchat.js" ${more}></script>`;

test('the chat survives when the page replaces its body, moves the chat, or rewrites the document', async ({
  chat,
  page,
  serve,
}) => {
  const head = '<style>@media print { platform-webchat::part(box) { display: none } }</style>';
  await chat.goto(serve('/turbo', pageHtml(tagOf(chat), { head }), {}));
  await page.emulateMedia({ media: 'print' });
  await expect(chat.launcher).toBeHidden();
  await page.emulateMedia({ media: null });
  await chat.openWindow();
  await chat.exchange('One');
  const { conversationId } = await chat.storedSession();
  const init = () => chat.call('init');

  // Like Turbo: replaces the body, and then restores a copy of the first one.
  await page.evaluate(() => {
    const first = document.body.cloneNode(true);
    const other = document.createElement('body');
    other.textContent = 'Another page';
    document.body.replaceWith(other);
    other.replaceWith(first);
  });
  await init();
  await chat.exchange('Two');

  // The same element is removed and inserted again.
  await page.evaluate(() => {
    const host = document.querySelector('platform-webchat') as Element;
    host.remove();
    document.documentElement.append(host);
  });
  await expect(chat.window).toBeVisible();
  await init();
  await chat.exchange('Three');
  await expect(page.locator('platform-webchat')).toHaveCount(1);

  // The whole document is rewritten; the page calls init() afterwards, as Turbo pages do after each navigation.
  await page.evaluate(() => {
    document.documentElement.innerHTML = '<head><title>New</title></head><body><h1>New</h1></body>';
  });
  // It comes back by itself, closed.
  await expect(page.locator('platform-webchat')).toHaveCount(1);
  await init();
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(4);
  await chat.exchange('Four');

  await page.evaluate(() => {
    document.open();
    document.write('<!doctype html><title>Written</title><h1>Written</h1>');
    document.close();
  });
  await init();
  await chat.launcher.click();
  await chat.exchange('Five');
  await expect(page.locator('platform-webchat')).toHaveCount(1);
  expect(await chat.serverTexts()).toEqual(expect.arrayContaining(['One', 'Two', 'Three', 'Four', 'Five']));
  expect((await chat.storedSession()).conversationId).toBe(conversationId);
  await chat.call('destroy');
  await expect(page.locator('platform-webchat')).toHaveCount(0);
});

test('when a copy of the body is restored, its inline element contains one working chat', async ({
  chat,
  page,
  serve,
}) => {
  const body = `<main id="here"></main>${tagOf(chat, 'data-target="#here"')}`;
  await page.goto(serve('/kept', pageHtml('', { body }), {}));
  await expect(chat.botRows).toHaveCount(1);
  await page.evaluate(() => document.body.replaceWith(document.body.cloneNode(true)));
  await chat.call('init');
  await expect(page.getByRole('region', { name: /^Chat with/ })).toHaveCount(1);
  await chat.exchange('From within');
});

test('messages that arrive move others in the window, and nothing of the page', async ({ chat, page }) => {
  await chat.load('', { body: '<p>Words</p>'.repeat(60), csp: '' });
  await page.evaluate(() => {
    const sources: object[] = [];
    Object.assign(window, { sources });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as {
        sources: { node: Node; currentRect: DOMRect }[];
      }[])
        sources.push(
          ...entry.sources.map(({ node, currentRect }) => ({ ofPage: !!node, ...currentRect.toJSON() })),
        );
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await chat.openWindow();
  await chat.exchange('Hello');
  const moved = () =>
    page.evaluate(() => (window as unknown as { sources: (DOMRect & { ofPage: boolean })[] }).sources);
  await expect.poll(async () => (await moved()).length).toBeGreaterThan(0);
  const box = await chat.window.boundingBox();
  for (const { ofPage, x, y, right, bottom } of await moved()) {
    expect(ofPage).toBe(false);
    // An element that was removed has no place.
    if (right === x) continue;
    expect(x).toBeGreaterThanOrEqual(box?.x ?? 0);
    expect(y).toBeGreaterThanOrEqual(box?.y ?? 0);
    expect(right).toBeLessThanOrEqual((box?.x ?? 0) + (box?.width ?? 0));
    expect(bottom).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
  }
});

interface Seen {
  shifts: number;
  tasks: number;
}
const observe = (page: Page) =>
  page.evaluate(() => {
    const counted = { shifts: 0, tasks: 0 };
    Object.assign(window, { counted });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) counted.shifts += (entry as unknown as { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
    new PerformanceObserver((list) => {
      counted.tasks += list.getEntries().length;
    }).observe({ type: 'longtask' });
  });
/** Returns the recorded entries after pending work has been painted and reported. */
const observed = (page: Page) =>
  page.evaluate(async () => {
    for (let i = 0; i < 3; i++)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    await new Promise((resolve) => requestIdleCallback(resolve));
    return { ...(window as unknown as { counted: Seen }).counted };
  });

test('nothing on the page moves when the chat loads, greets, opens, closes or is destroyed', async ({
  chat,
  page,
  serve,
}) => {
  await page.goto(
    serve(
      '/still',
      pageHtml(tagOf(chat, 'data-proactive-message="Hello?"'), { body: '<p>Words</p>'.repeat(60) }),
      {},
    ),
  );
  await observe(page);
  await expect(chat.launcher).toBeVisible();
  // The page opens it, because shifts shortly after a click are not counted.
  await chat.call('open');
  await expect(chat.botRows).toHaveCount(1);
  expect((await observed(page)).shifts).toBe(0);
  await chat.call('close');
  await expect(chat.window).toBeHidden();
  expect((await observed(page)).shifts).toBe(0);
  await chat.call('destroy');
  expect((await observed(page)).shifts).toBe(0);
  // Proves that the observer reports shifts.
  await page.evaluate(() =>
    document.body.prepend(Object.assign(document.createElement('h1'), { textContent: 'Moved' })),
  );
  await expect.poll(async () => (await observed(page)).shifts).toBeGreaterThan(0);
});

test('on a page of 50,000 elements the unopened chat causes no long task', async ({ chat, page, serve }) => {
  const row = `<tr>${'<td>1</td>'.repeat(9)}</tr>`;
  await page.goto(serve('/large', pageHtml('', { body: `<table>${row.repeat(5_000)}</table>` }), {}));
  expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeGreaterThan(50_000);
  await observe(page);
  await observed(page);
  // On a busy machine any task can be long. A long task of the chat would occur in every attempt.
  await expect(async () => {
    const before = (await observed(page)).tasks;
    // Without a locator, because a query over so many elements is itself a long task.
    const shown = await page.evaluate(async (src) => {
      (window as { platform?: Platform }).platform?.destroy();
      const script = Object.assign(document.createElement('script'), { src });
      await new Promise((resolve) => {
        script.onload = resolve;
        document.head.append(script);
      });
      const root = document.querySelector('platform-webchat')?.shadowRoot;
      return root?.querySelector('.launcher')?.getBoundingClientRect().width;
    }, `${chat.platform.chatUrl}/webchat.js`);
    expect(shown).toBe(56);
    expect((await observed(page)).tasks).toBe(before);
  }).toPass();
  // Proves that the observer reports long tasks.
  const before = (await observed(page)).tasks;
  await page.evaluate(() =>
    setTimeout(() => {
      const end = performance.now() + 120;
      while (performance.now() < end);
    }),
  );
  await expect.poll(async () => (await observed(page)).tasks).toBeGreaterThan(before);
});
