// The whole way of a conversation with people while the server is killed between the steps: a visitor asks, leaves an address and
// goes; a member answers on a phone; the visitor comes back on another device by the link of the mail. With SQLite in browsers,
// and with PostgreSQL by the APIs alone: pages do not notice which database the server has.
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startPostgres } from '../../scripts/services/postgres.mjs';
import { ChatClient, InboxClient } from '../../src/client/index.ts';
import { openMailCatcher } from '../../src/server/mail/testing.ts';
import { scriptedBot } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';
import { expect, phone, test } from './inbox-page.ts';

let catcher: Awaited<ReturnType<typeof openMailCatcher>>;
let server: PlatformServer | undefined;
let postgres: Awaited<ReturnType<typeof startPostgres>>;
const mail = {
  SMTP_URL: '',
  MAIL_FROM: 'chat@example.com',
  // The address of the server is not known before it listens: the test replaces it in the link.
  PUBLIC_URL: 'http://127.0.0.1:9',
  ANSWER_MAIL_DELAY: '0',
};
const environments = {
  SQLite: { ...scriptedBot, ...mail },
  PostgreSQL: {
    ...scriptedBot,
    ...mail,
    DATABASE_URL: '',
    USER_KEY_SECRET: randomBytes(32).toString('hex'),
    ADMIN_TOKEN: randomBytes(32).toString('hex'),
  },
};

test.beforeAll(async () => {
  catcher = await openMailCatcher();
  for (const env of Object.values(environments)) env.SMTP_URL = catcher.url;
});
test.afterAll(() => catcher.close());

const restart = async (platform: PlatformServer) => {
  await platform.kill();
  await platform.start();
};
const linkPattern = /http:\/\/127\.0\.0\.1:9\/c\/#([\w-]+)[\w.-]*/;
const questions = ['Where is my order?', 'It was sent on Monday.'] as const;
const note = 'canary-4711: the order is A-1.';
const own = [...questions, 'It is on its way.', 'Thank you!'];

test.describe('with SQLite', () => {
  test.use({ env: environments.SQLite });

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

    await chat.goto();
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
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
    await device.goto(link.replace(mail.PUBLIC_URL, platform.url));
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
    await inbox.page.goto(`${platform.url}/inbox/?list=closed&conversation=${conversationId}`);
    await expect(inbox.entries.filter({ hasText: 'Ada joined' })).toBeVisible();
    await expect(inbox.entries.filter({ hasText: 'rated the conversation 5 of 5' })).toBeVisible();

    // Everything once, in its order, and nothing of the team.
    const texts = await rowsOf(device).locator('.text, .markdown').allInnerTexts();
    expect(texts.filter((one) => own.includes(one))).toEqual(own);
    expect(await device.content()).not.toContain('canary');
    expect(text).not.toContain('canary');
    await context.close();
  });
});

test.describe('with PostgreSQL', () => {
  test.use({ env: environments.PostgreSQL });
  test.beforeAll(async () => {
    postgres = await startPostgres();
    environments.PostgreSQL.DATABASE_URL = `postgres://webchat@127.0.0.1:${postgres.port}/postgres`;
  });
  // The server would look for its database until the worker ends.
  test.afterAll(async () => {
    await server?.kill();
    await postgres.stop();
  });

  test('nothing of a conversation with people is lost in the database when the server is killed between its steps', async ({
    platform,
    member,
    visitor,
    handOff,
  }) => {
    test.slow();
    server = platform;
    const { token } = await member('Ada');
    const { workspaceId } = platform.admin;
    const inbox = new InboxClient({ apiUrl: platform.url, workspaceId, token });
    const email = 'lena-postgresql@example.com';
    const say = (client: ChatClient, text: string) =>
      client.createMessage({ conversationId, payload: { type: 'text', text } });
    const lena = await visitor('Lena', { asks: false });
    const { conversationId } = lena;
    await lena.say(questions[0]);
    await handOff(conversationId, { note });
    await lena.client.setContact({ email });
    await restart(platform);

    await inbox.takeConversation({ id: conversationId });
    await restart(platform);

    await lena.say(questions[1]);
    const { seq } = await inbox.getInboxTimeline({ id: conversationId });
    await inbox.createReply({
      id: conversationId,
      payload: { type: 'text', text: 'It is on its way.' },
      seenSeq: seq,
    });
    const { text = '' } = await catcher.mailTo(email);
    expect(text).toContain('It is on its way.');
    await restart(platform);

    const [, linkToken = ''] = linkPattern.exec(text) ?? [];
    const device = new ChatClient({ chatUrl: platform.chatUrl });
    const { userKey } = await device.useReturnLink({ token: linkToken });
    device.userKey = userKey;
    await restart(platform);
    await say(device, 'Thank you!');

    await inbox.closeInboxConversation({ id: conversationId });
    await restart(platform);
    const { handling, rating } = await device.listActivities({ id: conversationId });
    expect(handling.state).toBe('closed');
    await device.rateConversation({
      id: conversationId,
      handoffId: rating?.handoffId ?? '',
      rating: 5,
    });

    // Everything once, in its order, and nothing of the team.
    expect((await lena.texts()).filter((one) => own.includes(one))).toEqual(own);
    const seen = JSON.stringify([
      await device.list.messages({ conversationId }).collect(),
      await device.listActivities({ id: conversationId }),
    ]);
    for (const one of [seen, text]) expect(one).not.toContain('canary');
    const timeline = JSON.stringify(await inbox.getInboxTimeline({ id: conversationId }));
    for (const one of [...own, note, 'Ada']) expect(timeline).toContain(one);
    expect(timeline).toContain('"rating":5');
  });
});

const rowsOf = (page: Page) => page.locator('.row[data-status]');
