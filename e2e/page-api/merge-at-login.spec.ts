// The login of an anonymous visitor whose conversation continues (mergeAnonymous), in a real browser with two tabs.
import { signUserKey } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test, userKeySecret } from '../support/fixtures.ts';
import { openTab } from '../support/tabs.ts';

test.use({ attributes: 'data-merge-anonymous' });

const keyOf = (name: string) => signUserKey({ id: `${name}-${Date.now()}`, secret: userKeySecret });
const identify = ({ page }: ChatPage, key: string) =>
  page.evaluate((userKey) => (window.platform as Platform).identify(userKey), key);

test('after a login the conversation goes on in this tab, in another one and after a reload', {
  tag: '@story',
}, async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('Before the login');
  const other = await openTab(chat);
  await other.launcher.click();
  await expect(other.rows.filter({ hasText: 'Before the login' })).toHaveCount(2);
  await chat.input.fill('half a sentence');
  const before = await chat.storedSession();

  const key = await keyOf('customer');
  await identify(chat, key);
  await expect(chat.rows.filter({ hasText: 'Before the login' })).toHaveCount(2);
  await expect(chat.input).toHaveValue('half a sentence');
  await chat.input.fill('');
  await chat.exchange('After the login');
  await expect(other.rows.filter({ hasText: 'After the login' })).toHaveCount(2);
  await other.exchange('In the other tab');
  await expect(chat.rows.filter({ hasText: 'In the other tab' })).toHaveCount(2);
  const { conversationId, userId } = await chat.storedSession();
  expect(conversationId).toBe(before.conversationId);
  expect(userId).not.toBe(before.userId);
  expect((await chat.serverMessages()).filter(({ userId: author }) => author === before.userId)).toEqual([]);

  await chat.page.reload();
  await expect(chat.launcher).toBeVisible();
  await identify(chat, key);
  await chat.launcher.click();
  await expect(chat.rows.filter({ hasText: 'Before the login' })).toHaveCount(2);
  chat.ignoreConsoleErrors(/40[13]/);
});

test('a login in the middle of a streamed answer shows the whole answer once', async ({ chat }) => {
  await chat.startConversation();
  await chat.send('streaming');
  await expect(chat.botRows).toHaveCount(2);
  await identify(chat, await keyOf('reader'));
  await chat.exchange('And then?');
  const texts = (await chat.serverMessages()).filter(({ payload }) => payload.type === 'markdown');
  expect(texts).toHaveLength(1);
  await expect(chat.botRows).toHaveCount(3);
  chat.ignoreConsoleErrors(/40[13]/);
});
