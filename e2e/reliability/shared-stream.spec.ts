// A tab that joins the shared stream in the middle of an answer.
import { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { startRequestGate } from '../support/request-gate.ts';
import { scriptedChat } from '../support/scripted-chat.ts';

test.use(scriptedChat);

test('a tab that opens while another leads opens no stream, also in the middle of an answer', async ({
  chat,
  context,
  platform,
}) => {
  await chat.startConversation();
  const gate = await startRequestGate();
  await chat.instructBot({ stream: ['word1 ', 'word2 ', { until: gate.url, text: 'word3' }] });
  await expect(chat.botRows.last()).toContainText('word2');
  const second = new ChatPage(await context.newPage(), chat.url, platform);
  await second.goto();
  await second.launcher.click();
  await expect(second.botRows.last()).toContainText('word1 word2');
  gate.open();
  for (const tab of [chat, second]) await expect(tab.botRows.last()).toContainText('word1 word2 word3');
  expect(second.requests.filter((url) => url.endsWith('/listen'))).toEqual([]);
});
