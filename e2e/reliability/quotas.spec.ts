// A visitor who reaches a quota: no text is lost, and no new conversation is started.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

test.use({ env: { QUOTA_USER_MESSAGES: '2', DISK_RESERVE_BYTES: '1000000' } });

test('a message beyond the quota is shown as not sent with its text, and can be sent once there is room', async ({
  chat,
  page,
  platform,
}) => {
  await chat.startConversation();
  const sendText = (text: string) =>
    page.evaluate(
      (text) =>
        (window.platform as Platform).sendMessage(text).then(
          () => 'sent',
          ({ code }) => code as string,
        ),
      text,
    );
  expect([await sendText('One.'), await sendText('Two.'), await sendText('Three.')]).toEqual([
    'sent',
    'sent',
    'rejected',
  ]);
  const { userKey = '', conversationId } = await chat.storedSession();
  const row = chat.rows.filter({ hasText: 'Three.' }).first();
  await expect(row).toHaveAttribute('data-status', 'failed');
  await expect(row).toContainText('Not sent');
  await page.reload();
  await chat.launcher.click();
  await expect(row).toHaveAttribute('data-status', 'failed');
  // The visitor deletes a message and retries.
  const headers = { 'x-user-key': userKey };
  const list = await fetch(`${platform.chatUrl}/conversations/${conversationId}/messages`, { headers });
  const { messages } = (await list.json()) as { messages: { id: string; payload: { text?: string } }[] };
  const one = messages.find(({ payload }) => payload.text === 'One.');
  await fetch(`${platform.chatUrl}/messages/${one?.id}`, { method: 'DELETE', headers });
  await row.getByRole('button', { name: /^Try again/ }).click();
  await expect(row).toHaveAttribute('data-status', 'sent');
  expect((await chat.storedSession()).conversationId).toBe(conversationId);
  // The only conversation was created together with the user.
  expect(chat.requests.filter((url) => url.endsWith('/users'))).toHaveLength(1);
  expect(chat.requests.filter((url) => url.endsWith('/conversations'))).toEqual([]);
  chat.ignoreConsoleErrors('403');
});
