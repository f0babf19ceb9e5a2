// Which script the loader of `@platform-webchat/widget` uses when others are on the page: those that load, and those that
// have failed.
import { expect, test } from '../support/fixtures.ts';
import { bundleSite, sitePage } from '../support/site-project.ts';

let code = '';
test.beforeAll(async () => {
  code = await bundleSite({
    'main.js':
      "import { loadWebchat } from '@platform-webchat/widget'; window.load = (options) => loadWebchat(options).then(() => 'loaded', ({ code }) => code);",
  });
});

type Load = (options: { src: string; timeoutMs?: number }) => Promise<string>;
declare global {
  interface Window {
    load: Load;
  }
}

test('the failure of another script that is loading is not that of this one, which is tried afterwards', async ({
  page,
  serve,
  platform,
}) => {
  await page.goto(serve('/other-script', sitePage(code), {}));
  await page.route('**/missing.js', (route) => route.abort());
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname.split('/').at(-1) ?? ''));
  const src = `${platform.chatUrl}/webchat.js`;
  const codes = await page.evaluate(
    (address) =>
      Promise.all([
        window.load({ src: '/missing.js' }),
        window.load({ src: address }),
        window.load({ src: '/missing.js' }),
        window.load({ src: address }),
      ]),
    src,
  );
  expect(codes).toEqual(['script_failed', 'loaded', 'script_failed', 'loaded']);
  expect(requests).toEqual(['missing.js', 'webchat.js']);
});

test('a script of the page that has failed before is not awaited: it is loaded again', async ({
  page,
  serve,
  platform,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  let failures = 1;
  await page.route('**/webchat.js', (route) => (failures-- > 0 ? route.abort() : route.continue()));
  const tag = `<script src="${src}" data-manual></script>`;
  await page.goto(serve('/failed-script', sitePage(code, tag), {}));
  expect(await page.evaluate((address) => window.load({ src: address }), src)).toBe('loaded');
});

test('a script of the page that fails while it is awaited is loaded again by the next call', async ({
  page,
  serve,
  platform,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  let fail = () => {};
  const isAwaited = new Promise<void>((resolve) => {
    fail = resolve;
  });
  let failures = 1;
  await page.route('**/webchat.js', async (route) => {
    if (failures-- <= 0) return route.continue();
    await isAwaited;
    await route.abort();
  });
  const tag = `<script src="${src}" data-manual async></script>`;
  await page.goto(serve('/failing-script', sitePage(code, tag), {}), { waitUntil: 'domcontentloaded' });
  const first = await page.evaluateHandle((address) => ({ result: window.load({ src: address }) }), src);
  fail();
  expect(await first.evaluate(({ result }) => result)).toBe('script_failed');
  expect(await page.evaluate((address) => window.load({ src: address }), src)).toBe('loaded');
});

test('a script of the page that needs longer than the time limit is awaited again by the next call, and has no second one', async ({
  page,
  serve,
  platform,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  let respond = () => {};
  const isSlow = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route('**/webchat.js', async (route) => {
    await isSlow;
    await route.continue();
  });
  const tag = `<script src="${src}" data-manual async></script>`;
  await page.goto(serve('/slow-script', sitePage(code, tag), {}), { waitUntil: 'domcontentloaded' });
  expect(await page.evaluate((address) => window.load({ src: address, timeoutMs: 50 }), src)).toBe(
    'script_timeout',
  );
  const next = await page.evaluateHandle((address) => ({ result: window.load({ src: address }) }), src);
  respond();
  expect(await next.evaluate(({ result }) => result)).toBe('loaded');
  expect(await page.locator('script[src$="/webchat.js"]').count()).toBe(1);
});

test('a script of the page whose failure the browser has not recorded is replaced after the second time limit', async ({
  page,
  serve,
  platform,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  let failures = 1;
  await page.route('**/webchat.js', (route) => (failures-- > 0 ? route.abort() : route.continue()));
  // As on a page with more requests than the browser records.
  const tag = `<script>performance.setResourceTimingBufferSize(0);</script><script src="${src}" data-manual></script>`;
  await page.goto(serve('/unrecorded-script', sitePage(code, tag), {}));
  const load = (timeoutMs: number) => page.evaluate((options) => window.load(options), { src, timeoutMs });
  expect(await load(50)).toBe('script_timeout');
  expect(await load(50)).toBe('script_timeout');
  expect(await load(20_000)).toBe('loaded');
});

test('a preload of the page that has ended does not say that its script has', async ({
  page,
  serve,
  platform,
}) => {
  const src = `${platform.chatUrl}/webchat.js`;
  await page.goto(serve('/preload', sitePage(code), {}));
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
  let respond = () => {};
  const isSlow = new Promise<void>((resolve) => {
    respond = resolve;
  });
  await page.route('**/webchat.js', async (route) => {
    await isSlow;
    await route.continue();
  });
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
