// Identity calls of the page before the visitor opens the chat, in a real browser against the real server.
import { signUserKey } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test, userKeySecret } from '../support/fixtures.ts';

const keyOf = (id: string) => signUserKey({ id, secret: userKeySecret });

test('identify resolves before the chat is opened, and the visitor who opens it is that user', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.goto();
  const key = await keyOf(`customer-${Date.now()}`);
  await page.evaluate((userKey) => (window.platform as Platform).identify(userKey), key);
  expect(chat.requests.filter((url) => /\/(users|conversations)$/.test(url))).toEqual([]);
  expect(await chat.storedSession()).toEqual({});
  await page.evaluate(() => void (window.platform as Platform).updateUser({ name: 'Ada' }));
  await chat.launcher.click();
  await expect(chat.botRows.first()).toContainText('Ada');
  expect(await chat.call('getUser')).toMatchObject({
    name: 'Ada',
    userKey: key,
  });
  // The browser reports the refused look-up of a user who does not exist yet.
  chat.ignoreConsoleErrors('401');
});
