// File uploads: choosing, pasting, dropping; progress, retry and cancellation; limits; the resulting payloads.
import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';

test.use({
  env: scriptedBot,
  attributes: 'data-allow-file-upload',
  csp: strictCsp('PLATFORM', { media: true }),
});

/** A valid PNG of 1 by 1 pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const file = (name: string, mimeType: string, buffer: Buffer | string) => ({
  name,
  mimeType,
  buffer: Buffer.from(buffer),
});

/** Data that the visitor has copied or drags: pictures with these names, and perhaps a text. */
const transfer = (page: Page, names: string[], text?: string) =>
  page.evaluateHandle(
    ({ names, text, bytes }) => {
      const data = new DataTransfer();
      for (const name of names)
        data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
      if (text) data.setData('text/plain', text);
      return data;
    },
    { names, text, bytes: [...png] },
  );
const paste = (chat: ChatPage, data: Awaited<ReturnType<typeof transfer>>) =>
  chat.input.evaluate((e, clipboardData) => {
    e.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, composed: true, cancelable: true }),
    );
  }, data);
const uploads = (chat: ChatPage) => chat.requests.filter((url) => /\/(files|uploads)(\/|$)/.test(url));
const tray = (chat: ChatPage) =>
  chat.window.getByRole('list', { name: 'Files to send' }).getByRole('listitem');
const send = (chat: ChatPage) => chat.window.getByRole('button', { name: 'Send message' });
const newest = async (chat: ChatPage) =>
  (await chat.serverMessages()).filter(({ metadata }) => metadata?.clientMessageId).at(-1)
    ?.payload as unknown as Record<string, unknown> & { items?: Record<string, unknown>[] };

test('a single picture without text is sent as an image payload and is readable by its address', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  await chat.attach([file('dot.png', 'image/png', png)]);
  await expect(tray(chat)).toHaveAttribute('data-status', 'uploaded');
  await expect(tray(chat).locator('canvas')).toBeVisible();
  await send(chat).click();
  await expect(tray(chat)).toHaveCount(0);
  const own = chat.window.locator('[data-side="visitor"]');
  await expect(own.getByRole('button', { name: 'dot.png, enlarge' })).toBeVisible();
  await expect.poll(() => own.locator('img').evaluate((e: HTMLImageElement) => e.naturalWidth)).toBe(1);
  // The picture is shown before the server has the message.
  await expect(chat.botRows.last()).toContainText('received image');
  const payload = await newest(chat);
  expect(payload).toMatchObject({
    type: 'image',
    title: 'dot.png',
    width: 1,
    height: 1,
    fileId: expect.stringMatching(/^file_/),
  });
  const response = await fetch(String(payload.imageUrl));
  expect(Buffer.from(await response.arrayBuffer()).equals(png)).toBe(true);
});

test('several files and text are sent as a bloc, files first, each with the type of its content', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  await chat.attach([
    file('dot.png', 'image/png', png),
    file('notes.txt', 'text/plain', 'Some notes'),
    // The name of a file does not prove its type.
    file('false.png', 'image/png', '<script>alert(1)</script>'),
    file('page.html', 'text/html', '<script>alert(1)</script>'),
    file('drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  ]);
  await expect(tray(chat)).toHaveCount(5);
  await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(5);
  await chat.input.fill('Look at these');
  await chat.input.press('Enter');
  await expect(chat.botRows.last()).toContainText('received bloc');
  const payload = await newest(chat);
  expect(payload.items?.map(({ type, title, text }) => [type, title ?? text])).toEqual([
    ['image', 'dot.png'],
    ['file', 'notes.txt'],
    ['file', 'false.png'],
    ['file', 'page.html'],
    ['file', 'drawing.svg'],
    ['text', 'Look at these'],
  ]);
  for (const { fileUrl } of payload.items?.slice(1, 5) ?? []) {
    const { headers } = await fetch(String(fileUrl));
    expect(headers.get('content-disposition')).toMatch(/^attachment/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-type')).not.toMatch(/html|svg|xml/);
  }
});

test('pasted and dropped files are attached, and pasted text stays text', async ({ chat, page }) => {
  await chat.startConversation();
  // Its code takes pasted and dropped files, too: from the frame after it was drawn.
  await expect(chat.window.getByRole('button', { name: 'Attach files' })).toBeVisible();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await chat.input.focus();
  await paste(chat, await transfer(page, ['image.png']));
  await expect(tray(chat)).toHaveCount(1);
  // Office programs put a picture of the text on the clipboard in addition to the text.
  await paste(chat, await transfer(page, ['image.png'], 'Some text'));
  await expect(tray(chat)).toHaveCount(1);

  const data = await transfer(page, ['dropped.png']);
  const viewport = chat.window.locator('.viewport');
  await viewport.dispatchEvent('dragover', { dataTransfer: data });
  await expect(chat.window.getByText('Drop files to send them')).toBeVisible();
  await viewport.dispatchEvent('drop', { dataTransfer: data });
  await expect(chat.window.getByText('Drop files to send them')).toHaveCount(0);
  await expect(tray(chat)).toHaveCount(2);
  await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(2);
  await send(chat).click();
  await expect(chat.botRows.last()).toContainText('received bloc');
});

test('files are not taken where the composer is covered, and replace no page', async ({ chat, page }) => {
  await chat.startConversation();
  await expect(chat.window.getByRole('button', { name: 'Attach files' })).toBeVisible();
  const list = chat.window.getByRole('dialog', { name: 'Conversations' });
  const drop = async () => {
    const dataTransfer = await transfer(page, ['dropped.png']);
    return list.evaluate((e, data) => {
      const init = { dataTransfer: data, bubbles: true, composed: true, cancelable: true };
      return ['dragover', 'drop'].map((type) => !e.dispatchEvent(new DragEvent(type, init)));
    }, dataTransfer);
  };
  await chat.choose('Conversations');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  // Otherwise the browser would open the file.
  expect(await drop()).toEqual([true, true]);
  await paste(chat, await transfer(page, ['image.png']));
  await list.getByRole('button', { name: 'Back to the conversation' }).click();
  await expect(chat.input).toBeFocused();
  await expect(chat.window.getByText('Drop files to send them')).toHaveCount(0);
  await expect(tray(chat)).toHaveCount(0);
  expect(uploads(chat)).toEqual([]);
  await paste(chat, await transfer(page, ['image.png']));
  await expect(tray(chat)).toHaveCount(1);
});

test.describe('with a home screen', () => {
  test.use({ attributes: `data-allow-file-upload data-home='{"title":"Hello!"}'` });

  test('files that are dropped on it are attached to its text box, and sent with the first message', async ({
    chat,
    page,
  }) => {
    await chat.open();
    const home = chat.window.locator('.home');
    await expect(home).toBeVisible();
    await expect(chat.window.locator('[part="attach"]')).toBeVisible();
    const dataTransfer = await transfer(page, ['dropped.png']);
    for (const type of ['dragover', 'drop']) await home.dispatchEvent(type, { dataTransfer });
    await expect(tray(chat)).toHaveCount(1);
    await expect(tray(chat)).toBeVisible();
    await chat.window.getByRole('button', { name: 'Send message' }).click();
    await expect(home).toHaveCount(0);
    await expect(chat.botRows.last()).toContainText('received image');
  });
});

test('an upload shows its progress, is cancelled, retried and resumed', async ({ chat, page }) => {
  await chat.startConversation();
  const bytes = Buffer.alloc(2_000_000, 'abcdefgh');
  let cuts = 0;
  const offsets: (string | null)[] = [];
  let release = () => {};
  const seen = new Promise<void>((resolve) => {
    release = resolve;
  });
  // The first two attempts are interrupted: one before a byte arrived, one after some bytes.
  await page.route(/\/uploads\//, async (route) => {
    const request = route.request();
    if (request.method() === 'PATCH') offsets.push(await request.headerValue('upload-offset'));
    if (['PUT', 'PATCH'].includes(request.method()) && cuts++ === 0) {
      const half = bytes.subarray(0, 1_000_000);
      await seen;
      await fetch(request.url(), {
        method: 'PATCH',
        headers: { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: half,
      });
      return route.abort();
    }
    return route.continue();
  });
  await chat.attach([file('long.bin', 'application/octet-stream', bytes)]);
  await expect(tray(chat).getByRole('progressbar', { name: 'Uploading long.bin' })).toBeVisible();
  await expect(send(chat)).toBeDisabled();
  release();
  await expect(tray(chat)).toHaveAttribute('data-status', 'uploaded', { timeout: 20_000 });
  expect(offsets).toContain('1000000');
  await send(chat).click();
  const answers = chat.botRows.filter({ hasText: 'received file' });
  await expect(answers).toHaveCount(1);
  const { fileUrl } = await newest(chat);
  expect(Buffer.from(await (await fetch(String(fileUrl))).arrayBuffer()).equals(bytes)).toBe(true);

  await page.unroute(/\/uploads\//);
  await page.route(/\/files$/, (route) => route.fulfill({ status: 500, json: {} }));
  await chat.attach([file('later.txt', 'text/plain', 'later')]);
  await expect(tray(chat).getByRole('alert')).toHaveText('later.txt: Not uploaded');
  await page.unroute(/\/files$/);
  await chat.window.getByRole('button', { name: 'Try later.txt again' }).press('Enter');
  // The pressed button is removed: a window without the focus would not be closed by Escape.
  await expect(chat.window.getByRole('button', { name: 'Remove later.txt' })).toBeFocused();
  await expect(tray(chat)).toHaveAttribute('data-status', 'uploaded');

  // A cancelled upload disappears, and the typed text is sent alone.
  await page.route(/\/uploads\//, () => {});
  await chat.attach([file('never.txt', 'text/plain', 'never')]);
  await expect(tray(chat)).toHaveCount(2);
  await chat.window.getByRole('button', { name: 'Remove never.txt' }).click();
  await expect(tray(chat)).toHaveCount(1);
  await send(chat).click();
  await expect(answers).toHaveCount(2);
  expect(await newest(chat)).toMatchObject({ type: 'file', title: 'later.txt' });
  chat.ignoreConsoleErrors(/500|ERR_FAILED/);
});

test('without allowFileUpload files can be neither chosen, pasted nor dropped', async ({
  chat,
  serve,
  platform,
  page,
}) => {
  const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js"></script>`;
  await chat.startConversation(serve('/no-files', pageHtml(script)));
  await expect(chat.window.getByRole('button', { name: 'Attach files' })).toHaveCount(0);
  await chat.input.focus();
  await paste(chat, await transfer(page, ['image.png']));
  const data = await transfer(page, ['dropped.png']);
  const viewport = chat.window.locator('.viewport');
  await viewport.dispatchEvent('dragover', { dataTransfer: data });
  await viewport.dispatchEvent('drop', { dataTransfer: data });
  // The message that follows has only its text.
  await chat.send('No files');
  await expect(chat.botRows.last()).toContainText('received text');
  await expect(tray(chat)).toHaveCount(0);
  await expect(chat.window.getByText('Drop files to send them')).toHaveCount(0);
  expect(await newest(chat)).toEqual({ type: 'text', text: 'No files' });
  expect(uploads(chat)).toEqual([]);
  expect(page.url()).toContain('/no-files');
});

test('files can be chosen, removed and sent by keyboard alone', async ({ chat, page }) => {
  await chat.startConversation();
  // The window moves the focus to the text box once when it has opened.
  await expect(chat.input).toBeFocused();
  await chat.window.getByRole('button', { name: 'Attach files' }).focus();
  const choosing = page.waitForEvent('filechooser');
  // Playwright switches the interception on without waiting for it, and keys reach the page by a faster way: a dialog
  // that opens before is not reported. The page answers after it has switched.
  await page.evaluate(() => 0);
  await page.keyboard.press('Enter');
  await (await choosing).setFiles([file('a.txt', 'text/plain', 'a'), file('b.txt', 'text/plain', 'b')]);
  await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(2);
  await page.keyboard.press('Shift+Tab');
  await expect(chat.window.getByRole('button', { name: 'Remove b.txt' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.input).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.botRows.last()).toContainText('received file');
  expect(await newest(chat)).toMatchObject({ type: 'file', title: 'a.txt' });
});
