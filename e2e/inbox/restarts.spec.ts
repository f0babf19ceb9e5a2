// The whole way of a conversation with people while the server is killed between the steps: a visitor asks, leaves an address and
// goes; a member answers on a phone; the visitor comes back on another device by the link of the mail.
import type { Page } from '@playwright/test';
import { openMailCatcher } from '../../src/server/notifications/testing.ts';
import { scriptedBot } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';
import { expect, phone, test } from './inbox-page.ts';

let catcher: Awaited<ReturnType<typeof openMailCatcher>>;
const env = {
  ...scriptedBot,
  SMTP_URL: '',
  MAIL_FROM: 'chat@example.com',
  // The address of the server is not known before it listens: the test replaces it in the link.
  PUBLIC_URL: 'http://127.0.0.1:9',
  ANSWER_MAIL_DELAY: '0',
};
test.beforeAll(async () => {
  catcher = await openMailCatcher();
  env.SMTP_URL = catcher.url;
});
test.afterAll(() => catcher.close());
test.use({ env });

const restart = async (platform: PlatformServer) => {
  await platform.kill();
  await platform.start();
};
const linkPattern = /http:\/\/127\.0\.0\.1:9\/c\/#([\w-]+)[\w.-]*/;
const questions = ['Where is my order?', 'It was sent on Monday.'] as const;
const note = 'canary-4711: the order is A-1.';
const own = [...questions, 'It is on its way.', 'Thank you!'];

test('nothing of a conversation with people is lost when the server is killed between its steps, and all pages connect again', async ({
  chat,
  page,
  platform,
  browser,
  member,
  openInbox,
  handOff,
}) => {
  test.slow();
  const ada = await member('Ada');
  const email = 'lena-sqlite@example.com';

  await chat.startConversation();
  await chat.send(questions[0]);
  await expect(chat.botRows).toHaveCount(2);
  const { conversationId = '' } = await chat.storedSession();
  await handOff(conversationId, { note });
  const form = chat.window.locator('[part="mail-address"]');
  await form.getByRole('textbox').fill(email);
  await form.getByRole('textbox').press('Enter');
  await expect(form).toContainText(`We will write to ${email}`);
  await restart(platform);

  const inbox = await openInbox(ada, `?list=unassigned&conversation=${conversationId}`, phone);
  await inbox.page.getByRole('button', { name: 'Take', exact: true }).click();
  await expect(inbox.conversation.locator('.title')).toContainText('You');
  await restart(platform);

  // The chat and the inbox have connected again by themselves.
  await chat.send(questions[1]);
  await expect(inbox.entries.filter({ hasText: questions[1] })).toBeVisible();
  await expect(chat.window.locator('[part="activity"]').last()).toHaveText('Ada joined');
  chat.ignoreConsoleErrors(/ERR_|Failed to load resource/);
  await page.close();
  await inbox.send('It is on its way.');
  await expect(inbox.entries.filter({ hasText: 'It is on its way.' })).toBeVisible();
  // A mail that was under way when the server was killed is sent again after five minutes: not waited for here.
  const { text = '' } = await catcher.mailTo(email);
  expect(text).toContain('It is on its way.');
  await restart(platform);

  const [link = ''] = linkPattern.exec(text) ?? [];
  const context = await browser.newContext();
  const device = await context.newPage();
  await device.goto(link.replace(env.PUBLIC_URL, platform.url));
  await device.getByRole('button', { name: 'Open the conversation' }).click();
  await expect(rowsOf(device).filter({ hasText: questions[1] })).toBeVisible();
  await expect(rowsOf(device).filter({ hasText: 'It is on its way.' })).toBeVisible();
  await restart(platform);
  await device.getByRole('textbox').first().fill('Thank you!');
  await device.keyboard.press('Enter');
  await expect(inbox.entries.filter({ hasText: 'Thank you!' })).toBeVisible();

  await inbox.page.getByRole('button', { name: 'Close', exact: true }).click();
  const rating = device.locator('[part="rating"]');
  await expect(rating.getByRole('radio')).toHaveCount(5);
  await restart(platform);
  await rating.getByRole('radio', { name: '5 of 5', exact: true }).check();
  await rating.getByRole('button', { name: 'Send' }).click();
  await expect(rating).toHaveText('Thank you');
  await inbox.page.goto(`${platform.url}/console/?list=closed&conversation=${conversationId}`);
  await expect(inbox.entries.filter({ hasText: 'Ada joined' })).toBeVisible();
  await expect(inbox.entries.filter({ hasText: 'rated the conversation 5 of 5' })).toBeVisible();

  // Everything once, in its order, and nothing of the team.
  const texts = await rowsOf(device).locator('.text, .markdown').allInnerTexts();
  expect(texts.filter((one) => own.includes(one))).toEqual(own);
  expect(await device.content()).not.toContain('canary');
  expect(text).not.toContain('canary');
  await context.close();
});

const rowsOf = (page: Page) => page.locator('.row[data-status]');
