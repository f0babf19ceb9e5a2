// A visitor who waits for a person leaves an e-mail address, goes, and opens the conversation by the link of a mail in another
// browser.
import type { Page } from '@playwright/test';
import { InboxClient } from '../../src/client/index.ts';
import { openMailCatcher } from '../../src/server/notifications/testing.ts';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import { violations } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';
import { ada, closeDesk, openChat, openDesk, waitForPerson } from './desk.ts';

let catcher: Awaited<ReturnType<typeof openMailCatcher>>;
const env = {
  ...scriptedBot,
  SMTP_URL: '',
  MAIL_FROM: 'chat@example.com',
  // The address of the server is not known before it listens: the tests replace it in links.
  PUBLIC_URL: 'http://127.0.0.1:9',
  ANSWER_MAIL_DELAY: '0',
};
// The picture of a person is on the server.
test.use({ env, csp: `${strictCsp('PLATFORM')}; img-src PLATFORM` });
test.beforeAll(async () => {
  catcher = await openMailCatcher();
  env.SMTP_URL = catcher.url;
});
test.afterAll(() => catcher.close());
// Other tests use the server, too.
test.afterEach(async ({ chat, platform }) => {
  await closeDesk(platform);
  await chat.storeConfiguration({});
  const team = new InboxClient({ apiUrl: platform.url, ...platform.admin });
  await team.setOpeningHours({ timeZone: 'UTC', always: true, week: {}, exceptions: [] });
});

const form = (chat: ChatPage) => chat.window.locator('[part="mail-address"]');
const field = (chat: ChatPage) =>
  form(chat).getByRole('textbox', { name: 'We will write to you when somebody has answered' });

/** The address of a link at the server of the test. */
const atServer = (text = '', pattern: RegExp, url: string) =>
  (pattern.exec(text)?.[0] ?? '').replace(env.PUBLIC_URL, url);

test('the address is left, changed and removed by keyboard', async ({ chat, page, platform }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await recordAnnouncements(page);
  await openDesk(platform);
  await waitForPerson(chat);
  await expect(form(chat)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const box = await field(chat).boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(40);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await field(chat).fill('ann at example');
  await page.keyboard.press('Enter');
  await expect(form(chat)).toContainText('Please enter an e-mail address');
  await expect(field(chat)).toBeFocused();
  await expect(field(chat)).toHaveAttribute('aria-invalid', 'true');
  await expect(field(chat)).toHaveValue('ann at example');
  await field(chat).fill('ann@example.com');
  await page.keyboard.press('Enter');
  await expect(form(chat)).toContainText('We will write to ann@example.com');
  await expect(form(chat)).toBeFocused();
  await expect.poll(() => announcements(page)).toContain('polite: We will write to ann@example.com');
  await chat.reopen();
  await expect(form(chat)).toContainText('We will write to ann@example.com');
  await page.screenshot({ path: 'test-results/contact-phone.png' });
  await form(chat).getByRole('button', { name: 'Change' }).press('Enter');
  await expect(field(chat)).toHaveValue('ann@example.com');
  await field(chat).fill('bea@example.com');
  await form(chat).getByRole('button', { name: 'Save' }).press('Enter');
  await expect(form(chat)).toContainText('We will write to bea@example.com');
  await form(chat).getByRole('button', { name: 'Remove' }).press('Enter');
  await expect(field(chat)).toHaveValue('');
});

test('the link of a mail opens the conversation in another browser by a press, stores nothing, and offers only what it can do', async ({
  chat,
  page,
  platform,
  browser,
}) => {
  const desk = await openDesk(platform);
  const conversationId = await waitForPerson(chat);
  await field(chat).fill('gone@example.com');
  await field(chat).press('Enter');
  await expect(form(chat)).toContainText('We will write to gone@example.com');
  await chat.storeConfiguration({ deleteData: true, transcriptMail: true });
  await page.close();
  await desk.acceptHandoff({ id: conversationId, person: ada(platform) });
  await desk.createMessage({
    conversationId,
    payload: { type: 'text', text: 'It is on its way.' },
    as: 'person',
  });
  const mail = await catcher.mailTo('gone@example.com');
  expect(mail.text).toContain('It is on its way.');
  const link = atServer(mail.text, /http:\/\/127\.0\.0\.1:9\/c\/#[\w.-]+/, platform.url);

  const context = await browser.newContext({ locale: 'de-DE' });
  const other = await context.newPage();
  const requests: string[] = [];
  const problems: string[] = [];
  other.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  other.on('pageerror', (error) => problems.push(String(error)));
  other.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  const response = await other.goto(link);
  expect(response?.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
  expect(response?.headers()['content-security-policy']).toContain("default-src 'none'");
  const open = other.getByRole('button', { name: 'Unterhaltung öffnen' });
  await expect(open).toBeVisible();
  expect(other.url()).toBe(`${platform.url}/c/`);
  expect(requests.filter((request) => request.startsWith('POST'))).toEqual([]);
  expect(await pageViolations(other)).toEqual([]);
  await open.click();
  const row = other.locator('.row[data-side="bot"][data-status]').last();
  await expect(row).toContainText('It is on its way.');
  await other.getByRole('textbox').first().fill('Thank you');
  await other.keyboard.press('Enter');
  await expect
    .poll(async () => (await desk.listMessages({ conversationId })).messages[0]?.payload)
    .toMatchObject({ text: 'Thank you' });
  expect(await other.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 0]);
  const token = link.slice(link.indexOf('#') + 1).split('.')[0] ?? '';
  expect(requests.join('\n')).not.toContain(token);
  await other.screenshot({ path: 'test-results/return-page.png' });
  await other.getByRole('button', { name: 'Mehr' }).click();
  await expect(other.getByRole('menuitem', { name: 'Herunterladen' })).toBeVisible();
  await expect(other.getByRole('menuitem', { name: /löschen|E-Mail/ })).toHaveCount(0);
  await other.keyboard.press('Escape');
  expect(problems).toEqual([]);

  const stop = atServer(mail.text, /http:\/\/127\.0\.0\.1:9\/c\/unsubscribe\/\w+/, platform.url);
  await other.goto(stop);
  await other.getByRole('button', { name: 'Keine weiteren E-Mails' }).click();
  await expect(other.getByRole('heading')).toHaveText(
    'An diese Adresse werden keine weiteren E-Mails gesendet.',
  );
  await other.goto(`${platform.url}/c/#${'x'.repeat(43)}.demo`);
  await other.getByRole('button', { name: 'Unterhaltung öffnen' }).click();
  await expect(other.getByRole('heading')).toHaveText('Dieser Link funktioniert nicht mehr.');
  await context.close();
});

test('the page of a link says that the chat has not loaded, and tries again', async ({ page, platform }) => {
  const answer = { userKey: 'a key', conversationId: 'conv_1' };
  await page.route('**/chat/demo/links/use', (route) => route.fulfill({ json: answer }));
  // The script of the chat, and then one of its files.
  for (const file of ['**/webchat/webchat.js', /\/webchat\/chat-.*\.js/]) {
    await page.route(file, (route) => route.abort());
    await page.goto('about:blank');
    await page.goto(`${platform.url}/c/#${'x'.repeat(43)}.demo`);
    const open = page.getByRole('button', { name: 'Open the conversation' });
    await open.click();
    await expect(page.getByRole('alert')).toHaveText('This did not work. Please try again.');
    await expect(open).toBeEnabled();
    await page.unroute(file);
  }
  const open = page.getByRole('button', { name: 'Open the conversation' });
  await open.click();
  await expect(page.locator('.window')).toBeVisible();
  await expect(open).toBeHidden();
});

test('a message is left outside of the opening hours by keyboard, and its answer arrives as a mail', {
  tag: '@story',
}, async ({ chat, page, platform }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await recordAnnouncements(page);
  const desk = await openDesk(platform);
  const team = new InboxClient({ apiUrl: platform.url, ...platform.admin });
  const soon = new Date(Date.now() + 3 * 24 * 60 * 60_000).toISOString().slice(0, 10);
  const exceptions = [{ from: soon, to: soon, intervals: [['10:00', '11:00']] as [string, string][] }];
  await team.setOpeningHours({ timeZone: 'UTC', week: {}, exceptions });
  await openChat(chat);
  await chat.choose('Talk to a person');
  const bar = chat.window.locator('[part="handling"]');
  await expect(bar).toContainText('A person answers again');
  const open = bar.getByRole('button', { name: 'Leave a message' });
  const text = bar.getByRole('textbox', { name: 'Leave a message' });
  const email = bar.getByRole('textbox', { name: 'We will write to you when somebody has answered' });
  // Nothing takes the focus before a press. Discarding gives it back.
  await expect(text).toHaveCount(0);
  await open.press('Enter');
  await expect(text).toBeFocused();
  await bar.getByRole('button', { name: 'Discard' }).press('Enter');
  await expect(open).toBeFocused();
  await open.press('Enter');
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await email.press('Enter');
  await expect(text).toBeFocused();
  await expect(text).toHaveAccessibleDescription('Please enter a message');
  await text.fill('Please call me back.');
  await email.fill('ann at example');
  await email.press('Enter');
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription('Please enter an e-mail address');
  await expect(text).toHaveAttribute('aria-invalid', 'false');
  // Also above the keyboard of a phone.
  await page.setViewportSize({ width: 320, height: 380 });
  await email.press('Enter');
  const words = bar.getByText('Please enter an e-mail address');
  for (const part of [email, words, bar.getByRole('button', { name: 'Send' }), chat.input])
    await expect(part).toBeInViewport({ ratio: 1 });
  const [shown, send] = [
    await words.boundingBox(),
    await bar.getByRole('button', { name: 'Send' }).boundingBox(),
  ];
  expect((shown?.y ?? Number.NaN) + (shown?.height ?? 0)).toBeLessThanOrEqual(send?.y ?? 0);
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => announcements(page)).toContain('polite: Please enter an e-mail address');
  await email.fill('late@example.com');

  // Without a connection nothing is lost.
  await page.context().setOffline(true);
  await email.press('Enter');
  await expect(bar).toContainText('This did not work. Please try again.');
  await page.context().setOffline(false);
  await expect(text).toHaveValue('Please call me back.');
  await email.press('Enter');
  await expect(bar).toContainText('Waiting for a person');
  await expect(bar).toContainText('A person answers again');
  await expect(bar).toContainText('We will write to late@example.com');
  await expect(chat.rows.last()).toContainText('Please call me back.');
  const conversationId = (await chat.storedSession()).conversationId ?? '';
  await expect
    .poll(async () => (await desk.listMessages({ conversationId })).messages[0]?.payload)
    .toMatchObject({ text: 'Please call me back.' });
  await page.close();
  chat.ignoreConsoleErrors('ERR_INTERNET_DISCONNECTED');
  await desk.acceptHandoff({ id: conversationId, person: ada(platform) });
  const payload = { type: 'text', text: 'We call you today.' } as const;
  await desk.createMessage({ conversationId, payload, as: 'person' });
  expect((await catcher.mailTo('late@example.com')).text).toContain('We call you today.');
});

/** Findings of axe on a page without a widget. */
const pageViolations = (page: Page) => violations(page, 'main');
