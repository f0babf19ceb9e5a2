// The footprint on the host page: bytes, requests, storage, and robustness against the page.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { byteLimits } from './byte-limits.ts';

const cure =
  'Move code to a lazy bundle, or raise byteLimits in e2e/embedding/byte-limits.ts (or the limit in this file) in the same commit, run npm run generate, and explain why.';

test.describe('without loading the chat early', () => {
  test.use({ attributes: 'data-prefetch="false"' });

  test('the transferred bytes for the launcher, the usable window and Markdown are within their limits', async ({
    chat,
    page,
  }) => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Network.enable');
    const sizes = new Map<string, number>();
    const urls = new Map<string, string>();
    cdp.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
    cdp.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
      sizes.set(requestId, (sizes.get(requestId) ?? 0) + encodedDataLength);
    });
    /** Transferred bytes of response bodies, by file name without hash. */
    const bytes = () => {
      const result: Record<string, number> = {};
      for (const [id, size] of sizes) {
        const name = /([\w-]+?)(-[\w-]{6})?\.js$/.exec(urls.get(id) ?? '')?.[1];
        if (name) result[name] = (result[name] ?? 0) + size;
      }
      return result;
    };
    const encoding = page
      .waitForResponse(/webchat\.js$/)
      .then((response) => response.headerValue('content-encoding'));

    await chat.goto();
    expect(await encoding).toBe('br');
    expect(Object.keys(bytes())).toEqual(['webchat']);
    expect(bytes().webchat, cure).toBeLessThanOrEqual(byteLimits.launcher);
    expect(bytes().webchat).toBeGreaterThan(3_000);
    expect(chat.requests.filter((url) => url.startsWith(chat.platform.url))).toHaveLength(1);

    await chat.openWindow();
    // The window is usable. The chunks that load while the page is idle may already be loaded.
    const { background: _, people: __, ...open } = bytes();
    expect(Object.keys(open)).toEqual(['webchat', 'chat']);
    expect((open.webchat ?? 0) + (open.chat ?? 0), cure).toBeLessThanOrEqual(byteLimits.window);
    await expect.poll(() => Object.keys(bytes())).toContain('background');
    // It contains older messages, typing, names of participants, deferred messages and the election of the tab with the stream
    // (decision 32), and the proof of work. Its size varies by 20 bytes, like that of the people.
    expect(bytes().background, cure).toBeLessThanOrEqual(4_200);
    // The name of the person, asking for a person, reads of both sides, the forms for an e-mail address and for a message, the
    // question how helpful the person was, and notifications about answers.
    await expect.poll(() => Object.keys(bytes())).toContain('people');
    // Its size varies by 20 bytes with the hashes of the files that it imports.
    expect(bytes().people, cure).toBeLessThanOrEqual(7_300);

    await chat.send('markdown');
    await expect(chat.botRows.nth(1).getByRole('table')).toBeVisible();
    expect(bytes().markdown, cure).toBeLessThanOrEqual(byteLimits.markdown);
    // Code highlighting loads only with the first code block.
    expect(Object.keys(open)).not.toContain('highlight');
    await expect.poll(() => Object.keys(bytes())).toContain('highlight');
    expect(bytes().highlight, cure).toBeLessThanOrEqual(4_000);
    const hosts = new Set(chat.requests.map((url) => new URL(url).origin));
    expect([...hosts].sort()).toEqual([new URL(chat.url).origin, chat.platform.url].sort());
    const types = chat.requests.filter((url) => /\.(woff2?|ttf|png|svg|jpe?g|css)$/.test(url));
    expect(types).toEqual([]);
  });
});

test.describe('an answer with parts, and a question', () => {
  test.use({ env: scriptedBot });

  test('load their bundles when they are needed, each within its limit', async ({ chat, page }) => {
    const bytes = new Map<string, number>();
    page.on('response', async (response) => {
      const name = /([\w-]+?)-[\w-]{6}\.js$/.exec(response.url())?.[1];
      if (name) bytes.set(name, Number(await response.headerValue('content-length')));
    });
    const loaded = () => ['answers', 'interactive'].filter((name) => bytes.has(name));
    await chat.startConversation();
    expect(loaded()).toEqual([]);
    await chat.instructBot({ stream: [{ tool: { name: 'search', input: { id: 1 } } }, 'Found.'] });
    const step = chat.botRows.last().getByRole('button', { name: /^search/ });
    await expect(step).toBeVisible();
    await expect.poll(loaded).toEqual(['answers']);
    await step.click();
    await expect(chat.botRows.last().getByRole('group', { name: 'Input' })).toBeVisible();
    await expect.poll(loaded).toEqual(['answers', 'interactive']);
    await chat.instructBot({ stream: [], ask: [{ reason: 'confirmation', message: 'Shall I?' }] });
    await expect(chat.window.getByRole('group', { name: 'Shall I?' })).toBeVisible();
    expect(bytes.get('answers'), cure).toBeLessThanOrEqual(4_620);
    expect(bytes.get('interactive'), cure).toBeLessThanOrEqual(7_700);
    for (const size of bytes.values()) expect(size).toBeGreaterThan(500);
  });
});

// A file that two bundles share is one more request, and the bundler adds a loop to bundles that others import, which fails on
// pages that extend Object.prototype.
test('a bundle imports no other bundle than the one it belongs to', async () => {
  const names = (await readdir('dist/webchat')).filter((name) => name.endsWith('.js'));
  const imported = new Set<string>();
  for (const name of names) {
    const code = await readFile(join('dist/webchat', name), 'utf8');
    for (const [, other = ''] of code.matchAll(/(?:from|import)"\.\/([\w-]+)-\w{6}\.js"/g))
      imported.add(other);
  }
  expect([...imported].sort()).toEqual(['chat', 'host-page']);
});

test('compressed and uncompressed files have the same content', async ({ platform }) => {
  const url = `${platform.chatUrl}/webchat.js`;
  const { request } = await import('node:http');
  const fetchRaw = (encoding: string) =>
    new Promise<Buffer>((resolve, reject) => {
      request(url, { headers: { 'accept-encoding': encoding } }, async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part as Buffer);
        resolve(Buffer.concat(parts));
      })
        .on('error', reject)
        .end();
    });
  const plain = await fetchRaw('identity');
  expect(brotliDecompressSync(await fetchRaw('br')).equals(plain)).toBe(true);
  expect(plain.toString()).not.toContain('%WEBCHAT_BOOT%');
});

test('nothing is stored or created on the server before the visitor opens the window', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await chat.launcher.hover();
  await chat.launcher.focus();
  await page.waitForLoadState('networkidle');
  const stored = await page.evaluate(async () => [
    localStorage.length,
    sessionStorage.length,
    document.cookie,
    (await indexedDB.databases()).length,
    (await caches.keys()).length,
  ]);
  expect(stored).toEqual([0, 0, '', 0, 0]);
  // Hovering may fetch the chunk; it sends no other request.
  const api = chat.requests.filter(
    (url) => url.startsWith(chat.platform.url) && !/\/webchat\/chat-.+\.js$/.test(url),
  );
  expect(api).toEqual([`${chat.platform.chatUrl}/webchat.js`]);
});

test('user keys never appear in a URL', async ({ chat }) => {
  await chat.startConversation();
  const { userKey = '' } = await chat.storedSession();
  expect(userKey.length).toBeGreaterThan(20);
  expect(chat.requests.filter((url) => url.includes(userKey.slice(0, 20)))).toEqual([]);
});

test('when the chat chunk cannot be loaded the page keeps working, the launcher reports it, and a click retries', async ({
  chat,
  page,
}) => {
  const chunk = /\/webchat\/chat-.*\.js/;
  await page.route(chunk, (route) => route.abort());
  await chat.goto();
  await chat.recordEvents();
  await chat.launcher.click();
  await expect(chat.launcher).toHaveAccessibleName('The chat could not be loaded. Click to try again.');
  await expect(page.locator('.badge')).toHaveText('The chat could not be loaded. Click to try again.');
  await expect(chat.launcher).toBeFocused();
  await expect(chat.window).toBeHidden();
  await page.getByRole('link', { name: 'A link of the page' }).click();
  await expect(page).toHaveURL(/#there$/);
  expect(await chat.eventTypes()).toContain('error');

  await page.unroute(chunk);
  await chat.openWindow();
  await expect(page.locator('.badge')).toBeHidden();
  // The other chunks share its copy of Preact, also after a retry.
  await chat.send('dropdown');
  await expect(chat.window.getByRole('combobox')).toBeVisible();
  expect(chat.consoleErrors.splice(0).every((line) => line.includes('net::ERR_FAILED'))).toBe(true);
});

test('a click shows the window frame at once, before the chat chunk has loaded', async ({ chat, page }) => {
  const release = await holdRequests(page, /\/webchat\/chat-.*\.js/);
  await chat.goto();
  await chat.launcher.click();
  await expect(chat.window).toBeVisible();
  await expect(chat.window).toHaveAccessibleName('The chat is loading');
  await expect(chat.window).toBeFocused();
  release();
  await expect(chat.input).toBeFocused();
  await expect(chat.botRows).toHaveCount(1);
});
