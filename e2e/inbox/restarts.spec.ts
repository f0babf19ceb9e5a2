// The whole way of a conversation with people while the server is killed between the steps, with both databases: a visitor asks,
// leaves an address and goes; a member answers on a phone; the visitor comes back on another device by the link of the mail.
import { randomBytes } from 'node:crypto';
import type { Page } from '@playwright/test';
import { startPostgres } from '../../scripts/services/postgres.mjs';
import { openMailCatcher } from '../../src/server/mail/testing.ts';
import { scriptedBot } from '../support/fixtures.ts';
import { expect, phone, test } from './inbox-page.ts';

let catcher: Awaited<ReturnType<typeof openMailCatcher>>;
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

for (const [name, env] of Object.entries(environments)) {
  test.describe(`with ${name}`, () => {
    test.use({ env });
    if ('DATABASE_URL' in env) {
      test.beforeAll(async () => {
        postgres = await startPostgres();
        env.DATABASE_URL = `postgres://webchat@127.0.0.1:${postgres.port}/postgres`;
      });
      test.afterAll(() => postgres.stop());
    }

    test('nothing of a conversation with people is lost when the server is killed between its steps', async ({
      chat,
      page,
      platform,
      browser,
      member,
      openInbox,
      handOff,
    }) => {
      test.slow();
      const restart = async () => {
        await platform.kill();
        await platform.start();
      };
      const [ada, ben] = [await member('Ada'), await member('Ben')];
      const email = `lena-${name}@example.com`.toLowerCase();

      await chat.goto();
      await chat.launcher.click();
      await expect(chat.botRows).toHaveCount(1);
      await chat.send('Where is my order?');
      await expect(chat.botRows).toHaveCount(2);
      const { conversationId = '' } = await chat.storedSession();
      await handOff(conversationId, { note: 'canary-4711: the order is A-1.' });
      const form = chat.window.locator('[part="mail-address"]');
      await form.getByRole('textbox').fill(email);
      await form.getByRole('textbox').press('Enter');
      await expect(form).toContainText(`We will write to ${email}`);
      await restart();

      const onDesktop = await openInbox(ben, `?list=all&conversation=${conversationId}`);
      const onPhone = await openInbox(ada, `?list=unassigned&conversation=${conversationId}`, phone);
      await onPhone.page.getByRole('button', { name: 'Take', exact: true }).click();
      await expect(onPhone.conversation.locator('.title')).toContainText('You');
      await expect(onDesktop.entries.filter({ hasText: 'Ada joined' })).toBeVisible();
      await restart();

      // The chat and both pages have connected again by themselves.
      await chat.send('It was sent on Monday.');
      for (const inbox of [onPhone, onDesktop])
        await expect(inbox.entries.filter({ hasText: 'It was sent on Monday.' })).toBeVisible();
      await expect(chat.window.locator('[part="activity"]').last()).toHaveText('Ada joined');
      chat.ignoreConsoleErrors(/ERR_|Failed to load resource/);
      await page.close();
      await onPhone.send('It is on its way.');
      await expect(onDesktop.entries.filter({ hasText: 'It is on its way.' })).toBeVisible();
      // A mail that was under way when the server was killed is sent again after five minutes: not waited for here.
      const { text = '' } = await catcher.mailTo(email);
      expect(text).toContain('It is on its way.');
      await restart();

      const [link = ''] = /http:\/\/127\.0\.0\.1:9\/c\/#[\w.-]+/.exec(text) ?? [];
      const context = await browser.newContext();
      const device = await context.newPage();
      await device.goto(link.replace(mail.PUBLIC_URL, platform.url));
      await device.getByRole('button', { name: 'Open the conversation' }).click();
      await expect(rowsOf(device).filter({ hasText: 'It was sent on Monday.' })).toBeVisible();
      await expect(rowsOf(device).filter({ hasText: 'It is on its way.' })).toBeVisible();
      await restart();
      await device.getByRole('textbox').first().fill('Thank you!');
      await device.keyboard.press('Enter');
      for (const inbox of [onPhone, onDesktop])
        await expect(inbox.entries.filter({ hasText: 'Thank you!' })).toBeVisible();

      await onPhone.page.getByRole('button', { name: 'Close', exact: true }).click();
      const rating = device.locator('[part="rating"]');
      await expect(rating.getByRole('radio')).toHaveCount(5);
      await restart();
      await rating.getByRole('radio', { name: '5 of 5', exact: true }).check();
      await rating.getByRole('button', { name: 'Send' }).click();
      await expect(rating).toHaveText('Thank you');
      await expect(onDesktop.entries.filter({ hasText: 'rated the conversation 5 of 5' })).toBeVisible();

      // Everything once, in its order, and nothing of the team.
      const texts = await rowsOf(device).locator('.text, .markdown').allInnerTexts();
      const own = ['Where is my order?', 'It was sent on Monday.', 'It is on its way.', 'Thank you!'];
      expect(texts.filter((one) => own.includes(one))).toEqual(own);
      expect(await device.content()).not.toContain('canary');
      expect(text).not.toContain('canary');
      await context.close();
    });
  });
}

const rowsOf = (page: Page) => page.locator('.row[data-status]');
