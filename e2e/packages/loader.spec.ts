// Which script the loader of `@platform-webchat/widget` uses when others are on the page: those that load, and those that
// have failed.
import type { Page, Route } from '@playwright/test';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect } from '../support/fixtures.ts';
import { siteTest } from './site.ts';

const test = siteTest({
  'main.js':
    "import { loadWebchat } from '@platform-webchat/widget'; window.load = (options) => loadWebchat(options).then(() => 'loaded', ({ code }) => code);",
});
type Load = (options: { src: string; timeoutMs?: number }) => Promise<string>;
declare global {
  interface Window {
    load: Load;
  }
}

const load = (page: Page, options: { src: string; timeoutMs?: number }) =>
  page.evaluate((options) => window.load(options), options);
/** Begins to load, and returns a function that waits for the result. */
async function beginLoading(page: Page, src: string): Promise<() => Promise<string>> {
  const begun = await page.evaluateHandle((address) => ({ result: window.load({ src: address }) }), src);
  return () => begun.evaluate(({ result }) => result);
}
/** Handles the requests of a page: the first one fails. */
const failOnce = () => {
  let failures = 1;
  return (route: Route) => (failures-- > 0 ? route.abort() : route.continue());
};

test('the failure of another script that is loading is not that of this one, which is tried afterwards', async ({
  page,
  platform,
  visit,
}) => {
  await visit();
  await page.route('**/missing.js', (route) => route.abort());
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
  const codes = await page.evaluate(
    (src) => Promise.all(['/missing.js', src, '/missing.js', src].map((one) => window.load({ src: one }))),
    `${platform.chatUrl}/webchat.js`,
  );
  expect(codes).toEqual(['script_failed', 'loaded', 'script_failed', 'loaded']);
  expect(requests).toEqual(['missing.js', 'webchat.js']);
});

test('a script of the page that has failed before is not awaited: it is loaded again', async ({
  page,
  platform,
  visit,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  await page.route('**/webchat.js', failOnce());
  await visit(`<script src="${src}" data-manual></script>`);
  expect(await load(page, { src })).toBe('loaded');
});

test('a script of the page that fails while it is awaited is loaded again by the next call', async ({
  page,
  platform,
  visit,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  const fail = await holdRequests(page, '**/webchat.js', failOnce());
  const tag = `<script src="${src}" data-manual async></script>`;
  await visit(tag, 'domcontentloaded');
  const first = await beginLoading(page, src);
  fail();
  expect(await first()).toBe('script_failed');
  expect(await load(page, { src })).toBe('loaded');
});

test('a script of the page that needs longer than the time limit is awaited again by the next call, and has no second one', async ({
  page,
  platform,
  visit,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  const respond = await holdRequests(page, '**/webchat.js');
  const tag = `<script src="${src}" data-manual async></script>`;
  await visit(tag, 'domcontentloaded');
  expect(await load(page, { src, timeoutMs: 50 })).toBe('script_timeout');
  const next = await beginLoading(page, src);
  respond();
  expect(await next()).toBe('loaded');
  expect(await page.locator('script[src$="/webchat.js"]').count()).toBe(1);
});

test('a script of the page whose failure the browser has not recorded is replaced after the second time limit', async ({
  page,
  platform,
  visit,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  await page.route('**/webchat.js', failOnce());
  // As on a page with more requests than the browser records.
  const tag = `<script>performance.setResourceTimingBufferSize(0);</script><script src="${src}" data-manual></script>`;
  await visit(tag);
  expect(await load(page, { src, timeoutMs: 50 })).toBe('script_timeout');
  expect(await load(page, { src, timeoutMs: 50 })).toBe('script_timeout');
  expect(await load(page, { src, timeoutMs: 20_000 })).toBe('loaded');
});

test('a preload of the page that has ended does not say that its script has', async ({
  page,
  platform,
  visit,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  await visit();
  await page.evaluate(
    (href) =>
      new Promise((resolve) => {
        // Not used by the script, which is requested in another mode.
        const link = Object.assign(document.createElement('link'), { rel: 'preload', as: 'script', href });
        link.crossOrigin = 'anonymous';
        link.onload = link.onerror = resolve;
        document.head.append(link);
      }),
    src,
  );
  await expect
    .poll(() => page.evaluate((href) => performance.getEntriesByName(href).length, src))
    .toBeGreaterThan(0);
  const respond = await holdRequests(page, '**/webchat.js');
  const loading = await page.evaluateHandle((address) => {
    const script = Object.assign(document.createElement('script'), { src: address });
    script.dataset.manual = '';
    document.head.append(script);
    return { result: window.load({ src: address }) };
  }, src);
  expect(await page.locator('script[src$="/webchat.js"]').count()).toBe(1);
  respond();
  expect(await loading.evaluate(({ result }) => result)).toBe('loaded');
});
