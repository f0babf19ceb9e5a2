// All pages of the documentation site in a browser: their weight, errors of the policy, and reading without scripts.
import { expect, test } from '../support/fixtures.ts';

/** The bytes that a page may load in total, with scripts and the pictures that its first screen needs. */
const maxBytes = 150_000;

test('every page loads less than 150 KB with pictures and scripts, and without an error', async ({
  browser,
  platform,
}) => {
  test.slow();
  const list = await (await fetch(`${platform.url}/llms.txt`)).text();
  const addresses = [...list.matchAll(/\]\((\/docs\/[^)]+)\.md\)/g)].map(([, path]) => `${path}.html`);
  expect(addresses.length).toBeGreaterThan(80);
  const heavy: string[] = [];
  const errors: string[] = [];
  for (const address of ['/docs/', '/v1/docs/', '/docs/decisions/archive/README.html', ...addresses]) {
    // A browser that has nothing yet.
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(`${address}: ${message.text()}`);
    });
    page.on('pageerror', (error) => errors.push(`${address}: ${error.message}`));
    await page.goto(`${platform.url}${address}`);
    if ((await page.locator('img').count()) > 0 || address === '/v1/docs/')
      await page.waitForLoadState('networkidle');
    const bytes = await page.evaluate(() => {
      // How far below the first screen the browser loads pictures early depends on the speed that it estimates.
      const below = new Set(
        [...document.images]
          .filter((image) => image.loading === 'lazy' && image.getBoundingClientRect().top > innerHeight)
          .map(({ src }) => src),
      );
      return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .filter(({ name }) => !below.has(name))
        .map((entry) => (entry as PerformanceResourceTiming).transferSize)
        .reduce((sum, size) => sum + size, 0);
    });
    expect(bytes, address).toBeGreaterThan(5_000);
    if (bytes > maxBytes) heavy.push(`${address}: ${bytes}`);
    await context.close();
  }
  expect({ heavy, errors }).toEqual({ heavy: [], errors: [] });
});

test('without scripts every page can be read, and its menu is reached', async ({ browser, platform }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  await page.goto(`${platform.url}/docs/reference/configuration.html`);
  await expect(page.getByRole('heading', { level: 1, name: 'Configuration' })).toBeVisible();
  await expect(page.getByText('Name shown in the header.')).toBeVisible();
  // Functions of scripts are not offered.
  for (const name of ['Search', 'Dark mode', 'Try botName', 'Copy'])
    await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0);
  await page.getByText('On this page').first().click();
  await page.getByRole('link', { name: 'Placement', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: 'Placement' })).toBeInViewport();
  await page.getByRole('link', { name: 'Menu' }).click();
  const sidebar = page.getByRole('navigation', { name: 'Documentation' });
  await expect(sidebar).toBeInViewport();
  await sidebar.getByText('Contributors').click();
  await sidebar.getByRole('link', { name: 'Architecture' }).click();
  await page.getByText('The diagram in words').first().click();
  await expect(page.getByText('Host page ↔ launcher: window.platform')).toBeVisible();
  await context.close();
});

test('on a phone no page of sentences is wider than the screen, and a row names its cells', async ({
  page,
  platform,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const name of [
    'reference/settings',
    'reference/errors',
    'reference/operations',
    'guides/bots',
    'ARCHITECTURE',
  ]) {
    await page.goto(`${platform.url}/docs/${name}.html`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBe(390);
  }
  await page.goto(`${platform.url}/docs/reference/settings.html`);
  const row = page.getByRole('row', { name: /^DATA_DIR/ });
  await expect(row.getByRole('cell')).toHaveCount(3);
  for (const cell of await row.getByRole('cell').all()) {
    const box = await cell.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
  }
  const [name, described] = [row.getByRole('cell').first(), row.getByRole('cell').last()];
  expect((await described.boundingBox())?.y).toBeGreaterThan((await name.boundingBox())?.y ?? 0);
});
