// Tools that navigate to another page, change while they are called, or whose result is no longer needed; and the data
// that is stored about them.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';
import { bodies, callNever, counts, expect, open, startAgent, test } from './shop.ts';

startAgent();

/** The next page sends the answer, not this one. */
async function blockAnswersOfThisPage(page: Page): Promise<void> {
  let isBlocked = true;
  await page.route('**/interrupts/*/response', (route) => (isBlocked ? route.abort() : route.continue()));
  page.on('framenavigated', () => {
    isBlocked = false;
  });
}

test('a tool that leaves the page runs once, and the next page sends its result', async ({ shop, page }) => {
  await open(shop);
  await blockAnswersOfThisPage(page);
  const navigation = page.waitForEvent('framenavigated');
  await shop.send('call leaves');
  await navigation;
  await shop.launcher.click();
  await expect(shop.botRows.last()).toContainText('Ran: leaves.');
  expect(JSON.stringify(bodies().at(-1))).toContain('{\\"left\\":true}');
  expect(bodies()).toHaveLength(2);
});

/** Stored data of this tab about tools. */
const ofTools = (page: Page) =>
  page.evaluate(() => Object.entries(sessionStorage).filter(([key]) => key.endsWith(' page-tools')));

for (const [what, end] of [
  ['logout()', () => (window.platform as Platform).logout()],
  ['destroy() with forget', () => (window.platform as Platform).destroy({ forget: true })],
] as const) {
  test(`${what} while a tool runs removes what the tab has stored about tools`, async ({ shop, page }) => {
    await callNever(shop);
    const [[, before] = ['', '']] = await ofTools(page);
    expect(before).toContain('claim');
    await page.evaluate(end);
    await page.waitForFunction(() => (window as unknown as { ends: AbortSignal }).ends.aborted);
    expect(await ofTools(page)).toEqual([]);
    await page.evaluate(() => (window.platform as Platform).init());
    await shop.launcher.click();
    await shop.send('hello');
    await expect(shop.botRows.last()).toContainText('Hello.');
    const [[, after] = ['', '']] = await ofTools(page);
    expect(after).not.toContain('claim');
    expect(JSON.parse(after).id).not.toBe(JSON.parse(before).id);
  });
}

test('logout() on a page without tools removes what another page has stored', async ({
  shop,
  page,
  site,
}) => {
  await open(shop);
  await shop.send('hello');
  await expect(shop.botRows.last()).toContainText('Hello.');
  expect(await ofTools(page)).toHaveLength(1);
  const { chatUrl, url } = shop.platform;
  const script = `<script nonce="n0nce" src="${chatUrl}/webchat.js" async></script>`;
  await page.goto(site.page('/cart', pageHtml(script), { 'content-security-policy': strictCsp(url) }));
  await page.waitForFunction(() => 'logout' in (window.platform ?? {}));
  await shop.call('logout');
  expect(await ofTools(page)).toEqual([]);
});

test('a tool that does not only read any more does not run without a question', async ({ shop, page }) => {
  await open(shop);
  // Between the look at the tool and its run is the claim.
  await page.route('**/interrupts/*/claim', async (route) => {
    await page.evaluate(() => Object.assign(window, { turned: true }));
    await route.continue();
  });
  await shop.send('call turns');
  await expect(shop.botRows.last()).toContainText('Failed: turns.');
  expect(await counts(page)).toEqual({ add: 0, read: 0 });
  expect(JSON.stringify(bodies().at(-1))).toContain('was not called');
});

test('another text of the visitor aborts the tool that runs', async ({ shop, page }) => {
  await callNever(shop);
  await shop.send('hello');
  await page.waitForFunction(() => (window as unknown as { ends: AbortSignal }).ends.aborted);
  await expect(shop.botRows.last()).toContainText('Hello.');
  expect(JSON.stringify(bodies())).not.toContain('id_never","content');
  shop.consoleErrors = shop.consoleErrors.filter((text) => !text.includes('409'));
  shop.expectNoConsoleErrors();
});

test('destroy() aborts the tool that runs, and the next chat does not repeat it', async ({ shop, page }) => {
  await callNever(shop);
  await page.evaluate(() => {
    const { ends } = window as unknown as { ends: AbortSignal };
    Object.assign(window, { first: ends });
    const { platform } = window as unknown as { platform: { destroy(): void; init(): void } };
    platform.destroy();
    platform.init();
  });
  expect(await page.evaluate(() => (window as unknown as { first: AbortSignal }).first.aborted)).toBe(true);
  await shop.launcher.click();
  await expect(shop.botRows.last()).toContainText('Failed: never.');
  expect(await page.evaluate('ends === first')).toBe(true);
  expect(JSON.stringify(bodies().at(-1))).toContain('not known whether the tool has run');
});
