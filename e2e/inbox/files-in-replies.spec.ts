// Files in replies: chosen, pasted and dropped by a member, refused and cancelled, and seen by the visitor as any other file.
import { Buffer } from 'node:buffer';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { strictCsp } from '../support/host-page.ts';
import { expect, type InboxPage, phone, test } from './inbox-page.ts';

test.use({
  env: { MAX_FILE_BYTES: '1000', FILE_TYPES: 'image/*, text/plain' },
  csp: strictCsp('PLATFORM', { media: true }),
});

/** A valid PNG of 1 by 1 pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Chosen = { name: string; mimeType: string; buffer: Buffer };

async function choose({ page, conversation, composer }: InboxPage, files: Chosen[]): Promise<void> {
  // On a phone the tools appear with the focus.
  await composer.focus();
  const choosing = page.waitForEvent('filechooser');
  const button = conversation.getByRole('button', { name: 'Attach files' });
  await button.focus();
  await page.keyboard.press('Enter');
  await (await choosing).setFiles(files);
}
const tray = ({ conversation }: InboxPage) =>
  conversation.getByRole('list', { name: 'Files of this reply' }).getByRole('listitem');

/** Pastes or drops a picture on the text box. */
const give = ({ composer }: InboxPage, kind: 'paste' | 'drop', name: string) =>
  composer.evaluate(
    (box, { kind, name, bytes }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name, { type: 'image/png' }));
      const options = { bubbles: true, cancelable: true };
      box.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent('paste', { ...options, clipboardData: data })
          : new DragEvent('drop', { ...options, dataTransfer: data }),
      );
    },
    { kind, name, bytes: [...png] },
  );

test('chosen, pasted and dropped files are one reply', async ({ chat, member, openInbox, handOff }) => {
  await chat.startConversation();
  await chat.exchange('Where is it?');
  const { conversationId = '' } = await chat.storedSession();
  await handOff(conversationId);
  const path = `?list=all&conversation=${conversationId}`;
  const inbox = await openInbox(await member('Ada'), path);
  const colleague = await openInbox(await member('Ben'), path);
  await expect(inbox.composer).toBeVisible();
  await choose(inbox, [{ name: 'way.txt', mimeType: 'text/plain', buffer: Buffer.from('Turn left.') }]);
  await expect(tray(inbox)).toHaveAttribute('data-status', 'uploaded');
  await give(inbox, 'paste', 'pasted.png');
  await give(inbox, 'drop', 'dropped.png');
  await expect(tray(inbox)).toHaveCount(3);
  await expect(tray(inbox).and(inbox.page.locator('[data-status="uploaded"]'))).toHaveCount(3);
  expect(await inbox.violations()).toEqual([]);
  await inbox.conversation.getByRole('button', { name: 'Remove pasted.png' }).press('Enter');
  await expect(tray(inbox)).toHaveCount(2);
  await expect(inbox.composer).toBeFocused();
  await inbox.send('Here is the way.');
  await expect(tray(inbox)).toHaveCount(0);
  const { payload } = (await chat.serverMessages()).at(-1) ?? {};
  expect(payload).toMatchObject({
    type: 'bloc',
    items: [
      { type: 'file', title: 'way.txt' },
      { type: 'image', title: 'dropped.png' },
      { type: 'text', text: 'Here is the way.' },
    ],
  });
  await expect(chat.window.getByRole('link', { name: /way\.txt/ })).toBeVisible();
  for (const { entries } of [inbox, colleague]) {
    const entry = entries.filter({ hasText: 'Here is the way.' });
    await expect(entry.getByRole('link', { name: /way\.txt/ })).toBeVisible();
    const picture = entry.getByRole('img', { name: 'dropped.png' });
    await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(1);
  }
  expect(await inbox.violations()).toEqual([]);
});

test('a refused file has a sentence, and the others are sent', async ({ openConversation }) => {
  const { inbox, visitor } = await openConversation('Nora', phone);
  const text = (name: string, size: number) => ({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.alloc(size, 'a'),
  });
  await choose(inbox, [
    text('large.txt', 1_001),
    { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') },
    text('empty.txt', 0),
    text('small.txt', 5),
  ]);
  const of = (name: string) => tray(inbox).filter({ hasText: name });
  await expect(of('large.txt').getByRole('alert')).toHaveText(
    'large.txt: The file has 1 kB; at most 1 kB are allowed.',
  );
  await expect(of('a.pdf').getByRole('alert')).toContainText('not allowed, only image/*, text/plain.');
  await expect(of('empty.txt').getByRole('alert')).toContainText('empty');
  await expect(of('small.txt')).toHaveAttribute('data-status', 'uploaded');
  await expect(inbox.conversation.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  expect(await inbox.violations()).toEqual([]);
  expect(await inbox.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await inbox.conversation.getByRole('button', { name: 'Take and send' }).click();
  await expect(of('small.txt')).toHaveCount(0);
  await expect(tray(inbox)).toHaveCount(3);
  const messages = await visitor.client.list.messages({ conversationId: visitor.conversationId }).collect();
  expect(messages[0]?.payload).toMatchObject({ type: 'file', title: 'small.txt' });
});

test('an upload is cancelled and repeated, and sending waits for it', async ({ openConversation }) => {
  const { inbox, visitor } = await openConversation('Omar');
  const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('Hello') });
  const mayUpload = await holdRequests(inbox.page, '**/uploads/**');
  await choose(inbox, [file('cancelled.txt'), file('sent.txt')]);
  await expect(tray(inbox)).toHaveCount(2);
  await expect(inbox.conversation.getByRole('progressbar')).toHaveCount(2);
  await inbox.composer.fill('With a file');
  const button = inbox.conversation.getByRole('button', { name: 'Uploading…' });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await inbox.composer.press('Control+Enter');
  await inbox.conversation.getByRole('button', { name: 'Cancel cancelled.txt' }).click();
  await expect(tray(inbox)).toHaveCount(1);
  mayUpload();
  await expect(tray(inbox)).toHaveAttribute('data-status', 'uploaded');
  await inbox.page.unroute('**/uploads/**');
  // The announcement of another one is cut, and is repeated by hand.
  await inbox.page.route('**/v1/inbox/conversations/*/files', (route) => route.abort());
  await choose(inbox, [file('again.txt')]);
  const again = tray(inbox).filter({ hasText: 'again.txt' });
  await expect(again.getByRole('alert')).toContainText('The connection was lost.');
  await inbox.page.unroute('**/v1/inbox/conversations/*/files');
  await again.getByRole('button', { name: 'Try again' }).click();
  await expect(again).toHaveAttribute('data-status', 'uploaded');
  expect(await visitor.texts()).not.toContain('bloc');
  await inbox.composer.press('Control+Enter');
  await expect(tray(inbox)).toHaveCount(0);
  expect((await visitor.texts()).filter((text) => text === 'bloc')).toHaveLength(1);
});
