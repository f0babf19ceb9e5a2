// The first screen of the console: its bytes, and the address of the inbox before it was a part of the console.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from '../inbox/inbox-page.ts';

test('the list of the inbox is drawn with at most 60,000 bytes of code with brotli', async ({
  member,
  openInbox,
}) => {
  const { page } = await openInbox(await member('Ada'), '?list=mine');
  const files = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    // The code of a conversation is loaded half a second later.
    if (/^\/console\/(?:assets\/(?!OpenConversation).*\.(?:js|css))?$/.test(pathname)) files.add(pathname);
  });
  await page.reload();
  await expect(page.getByText('You answer no conversation now.')).toBeVisible();
  const bytes = [...files].map((name) => {
    const file = join('dist', name.endsWith('/') ? `${name}index.html` : name);
    return brotliCompressSync(readFileSync(file)).length;
  });
  expect(bytes.length).toBeGreaterThan(5);
  expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
});

test('the address of the inbox before the console leads there, with its query and fragment', async ({
  member,
  openInbox,
  platform,
}) => {
  const { page } = await openInbox(await member('Ada'), '?list=mine');
  await page.goto(`${platform.url}/inbox/?list=unassigned#a`);
  await expect(page).toHaveURL(`${platform.url}/console/?list=unassigned#a`);
  await expect(page.getByRole('heading', { name: 'Unassigned' })).toBeVisible();
});
