// The limits of files for one bot: the administrator stores them, the visitor reads them before an upload, and the server
// enforces them.
import type { Configuration } from '../../src/protocol/page-api/config.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { drawImage } from '../support/images.ts';

test.use({ env: scriptedBot });

const limits = {
  allowFileUpload: true,
  maxFiles: 2,
  maxFileBytes: 60_000,
  fileTypes: 'image/*, text/plain',
} satisfies Configuration;

const text = (name: string, size = 5) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.alloc(size, 'a'),
});

test.afterEach(({ chat }) => chat.storeConfiguration({}));

test('the stored limits are told before anything is uploaded', async ({ chat }) => {
  await chat.storeConfiguration(limits);
  await chat.startConversation();
  await expect(chat.window.locator('input[type="file"]')).toHaveAttribute('accept', 'image/*,text/plain');
  await chat.attach([
    text('large.txt', 60_001),
    { ...text('a.pdf'), mimeType: 'application/pdf' },
    text('1.txt'),
    text('2.txt'),
    text('3.txt'),
  ]);
  const alerts = chat.window.locator('.attachment').getByRole('alert');
  await expect(alerts).toHaveText([
    'large.txt: Larger than 60 kB',
    'a.pdf: This kind of file is not taken',
    '3.txt: At most 2 files at a time',
  ]);
  await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(2);
  expect(chat.requests.filter((url) => url.endsWith('/files')).length).toBe(2);
});

test('a photo is measured after it was scaled down', async ({ chat, page }) => {
  await chat.storeConfiguration({ ...limits, maxImageSide: 200 });
  await chat.startConversation();
  const photo = await drawImage(page, 'image/jpeg', 600, 400);
  expect(photo.length).toBeGreaterThan(limits.maxFileBytes);
  const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: photo };
  await chat.attach([file]);
  const row = chat.window.locator('.attachment');
  await expect(row).toHaveAttribute('data-status', 'uploaded');
  await chat.window.getByRole('button', { name: 'Remove photo.jpg' }).click();

  // The page can be stricter than the bot.
  await chat.configure({ maxFileBytes: 1_000, maxFiles: 1 });
  await chat.attach([file]);
  await expect(row.getByRole('alert')).toHaveText('photo.jpg: Larger than 1 kB');
  expect(chat.requests.filter((url) => url.endsWith('/files')).length).toBe(1);
  await chat.window.getByRole('button', { name: 'Remove photo.jpg' }).click();
  await chat.attach([text('1.txt'), text('2.txt')]);
  await expect(row.getByRole('alert')).toHaveText('2.txt: At most 1 file at a time');
});
