// The whole conversation on paper and by e-mail: what the printer gets, and what is sent to which address.
import type { Page } from '@playwright/test';
import { getResolvedPDFJS } from 'unpdf';
import { ChatClient } from '../../src/client/index.ts';
import { openMailCatcher } from '../../src/server/notifications/testing.ts';
import { violations } from '../support/axe.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

let catcher: Awaited<ReturnType<typeof openMailCatcher>>;
const env = {
  SMTP_URL: '',
  MAIL_FROM: 'chat@example.com',
  // The address of the server is not known before it listens: the test replaces it in links.
  PUBLIC_URL: 'http://127.0.0.1:9',
};
test.use({ env, attributes: 'data-transcript-mail' });
test.beforeAll(async () => {
  catcher = await openMailCatcher();
  env.SMTP_URL = catcher.url;
});
test.afterAll(() => catcher.close());

/** The words of each page that the printer gets. */
async function printed(page: Page): Promise<string[]> {
  const { getDocument } = await getResolvedPDFJS();
  const document = await getDocument({ data: new Uint8Array(await page.pdf()) }).promise;
  const numbers = Array.from({ length: document.numPages }, (_, n) => n + 1);
  return Promise.all(
    numbers.map(async (number) => {
      const { items } = await (await document.getPage(number)).getTextContent();
      return items.map((item: object) => ('str' in item ? item.str : '')).join(' ');
    }),
  );
}

/** Lets `print()` of the page wait for the test, which prints by itself. */
const holdPrinting = (page: Page) =>
  page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-prints', '');
  });

test('the conversation is printed by the menu, without the page around it', { tag: '@story' }, async ({
  chat,
  page,
}) => {
  await holdPrinting(page);
  await chat.startConversation();
  await chat.exchange('xanadu');
  await chat.choose('Print conversation');
  const paper = page.locator('platform-webchat-print');
  await expect(page.locator('html[data-prints]')).toHaveCount(1);
  await expect(paper).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(paper).toBeVisible();
  for (const text of ['I am the demo bot', 'xanadu', 'You said: “xanadu”'])
    await expect(paper).toContainText(text);
  await expect(page.getByRole('heading', { name: 'A page' })).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(paper).toHaveCount(0);
});

test('the printer gets all messages, and nothing of the page', async ({ chat, page, serve, platform }) => {
  await holdPrinting(page);
  const style = '<style nonce="n0nce">html,body{height:100%;overflow:hidden;background:#123}</style>';
  const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" async></script>`;
  const html = pageHtml(`${style}<h1>Words of the page</h1>${script}`);
  await chat.open(serve('/print', html, {}));
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  // Together with the echoes, more messages than a page of the list has.
  await chat.sendElsewhere(...Array.from({ length: 30 }, (_, n) => `Question <b>${n + 1}</b>`));
  await expect.poll(() => chat.serverMessages().then(({ length }) => length)).toBe(61);
  const before = await page.evaluate(() => document.adoptedStyleSheets.length);

  await chat.choose('Print conversation');
  await expect(page.locator('html[data-prints]')).toHaveCount(1);
  await expect(page.locator('platform-webchat-print')).toBeHidden();
  await expect(chat.window).toBeVisible();
  const pages = await printed(page);
  expect(pages.length).toBeGreaterThan(1);
  const words = pages.join(' ');
  for (const text of ['I am the demo bot', 'Question <b>1</b>', 'Question <b>30</b>', 'You', 'UTC'])
    expect(words).toContain(text);
  expect(words).not.toContain('Words of the page');
  expect(words).not.toContain('Type your message');
  // The end of printing.
  await expect(page.locator('platform-webchat-print')).toHaveCount(0);
  expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(before);
  expect((await printed(page)).join(' ')).toContain('Words of the page');

  // A browser that does not tell of the end, and a chat that ends meanwhile.
  await chat.choose('Print conversation');
  await expect(page.locator('platform-webchat-print')).toHaveCount(1);
  await page.keyboard.press('Shift');
  await expect(page.locator('platform-webchat-print')).toHaveCount(0);
  await chat.choose('Print conversation');
  await expect(page.locator('platform-webchat-print')).toHaveCount(1);
  await page.evaluate(() => (window as { platform?: { destroy(): void } }).platform?.destroy());
  await expect(page.locator('platform-webchat-print')).toHaveCount(0);
});

test('the conversation is mailed by keyboard: a link to a new address, and the words when it is confirmed', {
  tag: '@story',
}, async ({ chat, page, platform }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await chat.startConversation();
  await chat.exchange('xanadu');
  const dialog = chat.window.getByRole('alertdialog', { name: 'Send conversation by e-mail' });
  const field = dialog.getByRole('textbox', { name: 'Your e-mail address' });
  await chat.choose('Send conversation by e-mail');
  await expect(field).toBeFocused();
  expect(await violations(page)).toEqual([]);
  await field.fill('ann at example');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Please enter a valid address');
  await expect(field).toBeFocused();
  await field.fill('ann@example.com');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Open the link that we have sent to ann@example.com');
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  const link = await catcher.mailTo('ann@example.com');
  expect(link.text).not.toContain('xanadu');
  await page.keyboard.press('Enter');
  await expect(chat.window.getByRole('button', { name: 'More', exact: true })).toBeFocused();

  // Whoever reads the mail opens the link.
  const token = /\/c\/#([\w-]{43})\./.exec(link.text ?? '')?.[1] ?? '';
  await new ChatClient({ chatUrl: platform.chatUrl }).useReturnLink({ token });
  await chat.exchange('More of it');
  await chat.choose('Send conversation by e-mail');
  await expect(field).toHaveValue('ann@example.com');
  await expect(field).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('The conversation was sent to ann@example.com');
  await expect.poll(() => catcher.mails.length).toBe(2);
  const mail = catcher.mails.at(-1);
  expect(mail?.text).toMatch(/\] You:\nxanadu\n/);
  expect(mail?.text).toContain('More of it');
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  // Offline the dialog stays with what was entered.
  await chat.choose('Send conversation by e-mail');
  await expect(field).toHaveValue('ann@example.com');
  await expect(field).toBeFocused();
  await page.context().setOffline(true);
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('Could not be sent. Please try again.');
  await expect(field).toHaveValue('ann@example.com');
  await page.context().setOffline(false);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  chat.ignoreConsoleErrors(/ERR_INTERNET_DISCONNECTED/);
});

test('an open dialog has nothing of the address when another user comes', async ({ chat, page }) => {
  await chat.startConversation();
  const dialog = chat.window.getByRole('alertdialog', { name: 'Send conversation by e-mail' });
  const field = dialog.getByRole('textbox', { name: 'Your e-mail address' });
  await chat.choose('Send conversation by e-mail');
  await field.fill('first@example.com');
  const link = page.getByRole('link', { name: 'A link of the page' });
  await link.focus();
  const before = await chat.storedSession();
  await chat.identifyCustomer();
  await expect(field).toHaveValue('');
  await expect(link).toBeFocused();
  const after = await chat.storedSession();
  expect(after.userId).not.toBe(before.userId);

  // Also what was sent.
  await field.fill('second@example.com');
  await field.press('Enter');
  await expect(dialog).toContainText('Open the link that we have sent to second@example.com');
  await chat.identifyCustomer();
  await expect(field).toHaveValue('');
  await expect(dialog).not.toContainText('second@example.com');
  await expect(field).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(chat.window.getByRole('button', { name: 'More', exact: true })).toBeFocused();
  await chat.exchange('As the third');
});

test('a logout closes the open dialog, and asks nothing without a user', async ({ chat }) => {
  await chat.startConversation();
  const dialog = chat.window.getByRole('alertdialog', { name: 'Send conversation by e-mail' });
  await chat.choose('Send conversation by e-mail');
  await dialog.getByRole('textbox').fill('first@example.com');
  await chat.call('logout');
  await expect(chat.window).toBeHidden();
  await chat.launcher.click();
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  await expect(dialog).toHaveCount(0);
  await chat.exchange('As another visitor');
});

test('a download that ends late leaves a menu that was opened meanwhile open', async ({ chat, page }) => {
  await chat.startConversation();
  const release = await holdRequests(page, /\/conversations\/[^/]+\/messages(\?|$)/);
  const downloading = page.waitForEvent('download');
  const more = chat.window.getByRole('button', { name: 'More', exact: true });
  const menu = chat.window.getByRole('menu');
  await chat.choose('Download conversation');
  await expect(menu.getByRole('menuitem', { name: 'Preparing the download' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await more.click();
  const first = menu.getByRole('menuitem').first();
  await expect(first).toBeFocused();
  release();
  await downloading;
  await page.keyboard.press('ArrowDown');
  await expect(menu.getByRole('menuitem').nth(1)).toBeFocused();
  await expect(menu).toBeVisible();

  // An open menu closes with its own download, and its button has the focus.
  await menu.getByRole('menuitem', { name: 'Download conversation' }).click();
  await expect(menu).toHaveCount(0);
  await expect(more).toBeFocused();
});
