// The API client in a real page: the built files, served from the server's own origin.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as client from '../../src/client/index.ts';
import { expect, test } from '../support/fixtures.ts';

test.beforeEach(async ({ page, platform }) => {
  // A page of the server's origin, like administrators' pages, because the Admin API has no CORS.
  await page.route(`${platform.url}/admin-page/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.replace('/admin-page/', '');
    if (path === '')
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A page</title>' });
    const body = await readFile(join('dist/node/src', path));
    return route.fulfill({ contentType: 'text/javascript', body });
  });
  await page.goto(`${platform.url}/admin-page/`);
});

test('in a page the client calls the page’s own server without any configuration', async ({
  page,
  platform,
}) => {
  const seen = await page.evaluate(async (options) => {
    const { Client, ResourceNotFoundError } = (await import(
      `${location.href}client/index.js`
    )) as typeof client;
    const admin = new Client(options);
    const [bot] = await admin.list.bots().collect();
    const id = bot?.id ?? '';
    const configuration = { botName: 'Grüße' };
    await admin.setBotWebchat({ id, configuration });
    const stored = (await admin.getBotWebchat({ id })).configuration;
    // Other tests use this bot too.
    await admin.setBotWebchat({ id, configuration: {} });
    const missing = await admin.getBot({ id: 'a/b?c' }).catch((error) => error);
    const controller = new AbortController();
    const aborted = admin.listBots({}, { signal: controller.signal }).catch((error) => error);
    controller.abort('left');
    return {
      name: bot?.name,
      stored,
      missing: [missing instanceof ResourceNotFoundError, missing.code, missing.type],
      aborted: await aborted,
    };
  }, platform.admin);
  expect(seen).toEqual({
    name: 'demo',
    stored: { botName: 'Grüße' },
    missing: [true, 404, 'ResourceNotFound'],
    aborted: 'left',
  });
});

test('in a page the client uploads a file with progress, and reads it back', { tag: '@story' }, async ({
  page,
  platform,
}) => {
  const seen = await page.evaluate(async (options) => {
    const { Client } = (await import(`${location.href}client/index.js`)) as typeof client;
    const [bot] = await new Client(options).list.bots().collect({ limit: 1 });
    const files = new Client({ ...options, botId: bot?.id });
    const content = new File([new Uint8Array(3_000_000).fill(65)], 'a.txt', { type: 'text/plain' });
    const reported: number[] = [];
    const { file } = await files.uploadFile({
      key: 'Grüße/a.txt',
      content,
      onProgress: (sent) => reported.push(sent),
    });
    const response = await files.downloadFile({ id: file.key }, { signal: new AbortController().signal });
    const empty = await files.uploadFile({ key: 'empty.txt', content: '' }).catch((error) => error);
    return {
      file,
      reported,
      text: await response.text(),
      empty: String(empty.innerError?.type ?? empty.file?.size),
    };
  }, platform.admin);
  expect(seen.file).toMatchObject({ key: 'Grüße/a.txt', size: 3_000_000, status: 'upload_completed' });
  expect(seen.reported.at(-1)).toBe(3_000_000);
  expect(seen.reported).toEqual(seen.reported.toSorted((a, b) => a - b));
  expect(seen.text).toBe('A'.repeat(3_000_000));
  expect(seen.empty).toBe('0');
});
