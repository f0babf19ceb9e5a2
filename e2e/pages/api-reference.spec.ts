// The built API reference page: every operation, search, URLs, keyboard, any width.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { test as base, expect } from '../support/fixtures.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
}

/** Opens the page, optionally at an operation; its errors and requests are checked after each test. */
const test = base.extend<{ goto(hash?: string): Promise<void>; document: Document }>({
  document: async ({ platform }, use) => {
    await use((await (await fetch(`${platform.url}/v1/openapi.json`)).json()) as Document);
  },
  goto: async ({ page, platform }, use) => {
    const consoleMessages: string[] = [];
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    page.on('pageerror', (error) => consoleMessages.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) consoleMessages.push(message.text());
    });
    await use(async (hash = '') => {
      await page.goto(`${platform.url}/v1/docs${hash}`);
      await expect(page.getByRole('status').first()).toHaveText(/^\d+ operations$/);
    });
    expect(consoleMessages).toEqual([]);
    expect([...hosts]).toEqual([platform.url]);
  },
});

test('the API reference leads back to the documentation', async ({ page, goto, platform }) => {
  await goto();
  await page.getByRole('link', { name: 'Documentation' }).click();
  await expect(page).toHaveURL(`${platform.url}/docs/`);
  await expect(page.getByRole('link', { name: 'Get started' }).first()).toBeVisible();
});

test('the API reference lists every operation, and each opens', async ({ page, goto, document }) => {
  // All operations at once are a page of several megabytes, whose layout takes half a minute on two busy cores.
  test.slow();
  await goto();
  const expected = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
  );
  const rows = page.locator('details.operation');
  const shown = await rows.evaluateAll((all) =>
    all.map(
      (one) =>
        `${one.id} ${one.querySelector('.method')?.textContent} ${one.querySelector('h3')?.textContent}`,
    ),
  );
  expect(shown.toSorted()).toEqual(expected.toSorted());
  await page.evaluate(() => {
    for (const one of window.document.querySelectorAll('details.operation'))
      (one as HTMLDetailsElement).open = true;
  });
  await expect(page.locator('details.operation > .body')).toHaveCount(expected.length);
  for (const text of await page.locator('.example:first-child pre').allInnerTexts())
    expect(text).toMatch(/^curl /);
  const wide = await page
    .locator('pre')
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  expect(wide).toBe(0);
});

test('a URL with an operation opens it with all parts', async ({ page, goto, platform, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await goto('/#setBotWebchat');
  const operation = page.locator('#setBotWebchat');
  await expect(operation).toBeInViewport();
  await expect(operation.locator('> summary')).toBeFocused();
  await expect(operation).toContainText('permission webchat.update');
  for (const name of ['authorization', 'x-workspace-id', 'id']) {
    await expect(operation.getByText(name, { exact: true }).first()).toBeVisible();
  }
  await expect(operation).toContainText('404 ResourceNotFound');
  await operation.getByRole('button', { name: 'Copy curl' }).click();
  await expect(operation.getByRole('button', { name: 'Copied' })).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^curl -X PUT '/);
  expect(copied).toContain(`${platform.url}/v1/admin/bots/ID/webchat'`);
  expect(copied).toContain("-H 'x-workspace-id: WORKSPACE_ID'");
  await page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'listBots' }).click();
  await expect(page.locator('#listBots > .body')).toBeVisible();
  await expect(page).toHaveURL(/#listBots$/);
  await page.goBack();
  await expect(operation.locator('> summary')).toBeFocused();
});

test('a link opens its operation again after it was closed', async ({ page, goto }) => {
  await goto('/#%');
  const link = page.getByRole('navigation', { name: 'Operations' }).getByRole('link', { name: 'listBots' });
  const operation = page.locator('#listBots');
  for (const _ of [1, 2]) {
    await link.click();
    await expect(operation.locator('> .body')).toBeVisible();
    await expect(operation.locator('> summary')).toBeFocused();
    await operation.locator('> summary').press('Enter');
    await expect(operation.locator('> .body')).toBeHidden();
  }
});

test('searching, opening an operation and expanding a schema work by keyboard alone', {
  tag: '@story',
}, async ({ page, goto }) => {
  await goto();
  await page.keyboard.press('/');
  await page.keyboard.type('admin listbots');
  await expect(page.getByRole('status').first()).toHaveText('1 operation fits');
  await expect(page.locator('details.operation')).toHaveCount(1);
  await page.locator('#listBots > summary').focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#listBots$/);
  const bot = page.locator('#listBots .part summary', { hasText: 'Bot' });
  await bot.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('#listBots .part').first()).toContainText('createdAt');
  await page.getByRole('searchbox').fill('xyzzy');
  await page.getByRole('button', { name: 'Show all' }).press('Enter');
  await expect(page.getByRole('searchbox')).toHaveValue('');
  await expect(page.getByRole('searchbox')).toBeFocused();
});

test('the API reference fits its width, wide and on a phone', async ({ page, goto }) => {
  await goto('/#createMessage');
  await page.locator('#createMessage .part summary').first().click();
  // A sample is sufficient, because all operations use the same components.
  await page.getByRole('searchbox').fill('messages');
  for (const width of [1280, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    expect(await page.evaluate(() => window.document.documentElement.scrollWidth), String(width)).toBe(width);
  }
});

test('an OpenAPI document that fails to load is reported', async ({ page, platform }) => {
  await page.route('**/v1/openapi.json', (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto(`${platform.url}/v1/docs/`);
  await expect(page.getByRole('alert')).toContainText('HTTP 503');
});

test('without scripts the page leads to the document and to the list of operations', async ({
  browser,
  platform,
}) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
  });
  const page = await context.newPage();
  const response = await page.goto(`${platform.url}/v1/docs/`);
  expect(response?.headers()['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeVisible();
  const document = page.getByRole('link', { name: 'OpenAPI document' });
  await expect(document).toHaveAttribute('href', '../openapi.json');
  expect((await page.request.get(`${platform.url}/v1/openapi.json`)).status()).toBe(200);
  await page.getByRole('link', { name: 'list of all operations' }).click();
  await expect(page).toHaveURL(`${platform.url}/docs/reference/operations.html`);
  await expect(page.getByRole('heading', { level: 1, name: 'API reference' })).toBeVisible();
  await context.close();
});

test('the API reference page weighs at most 25 KB', () => {
  const files = readdirSync('dist/reference', { recursive: true, withFileTypes: true }).filter(
    // The build also writes compressed copies.
    (one) => one.isFile() && !/\.(br|gz)$/.test(one.name),
  );
  const bytes = files.map(
    ({ parentPath, name }) => brotliCompressSync(readFileSync(join(parentPath, name))).length,
  );
  expect(bytes.length).toBeGreaterThan(2);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(25_000);
});
