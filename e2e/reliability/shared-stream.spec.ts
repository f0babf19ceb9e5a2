// A tab that joins the shared stream in the middle of an answer, or before its own stream was open.
import { scriptedChat } from '../support/bots/scripted-chat.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, test } from '../support/fixtures.ts';
import { countStreams, newTab, openTab } from '../support/tabs.ts';

test.use(scriptedChat);

/** Posts a message as another tab of the visitor. */
async function postAsTab(tab: ChatPage, body: object) {
  const { conversationId } = await tab.storedSession();
  const name = `platform-webchat:${tab.platform.chatUrl}:${conversationId}`;
  await tab.page.evaluate(([to, what]) => new BroadcastChannel(to as string).postMessage(what), [
    name,
    { from: '0', term: 9, ...body },
  ] as const);
}

test('a tab that opens while another leads opens no stream, also in the middle of an answer', async ({
  chat,
}) => {
  const streams = countStreams(chat.page);
  await chat.startConversation();
  const gate = await startRequestGate();
  await chat.instructBot({ stream: ['word1 ', 'word2 ', { until: gate.url, text: 'word3' }] });
  await expect(chat.botRows.last()).toContainText('word2');
  const second = await openTab(chat);
  await second.launcher.click();
  await expect(second.botRows.last()).toContainText('word1 word2');
  // A leader that is too busy to answer within 100 ms has another leader for a moment, so only the end is asserted.
  await expect.poll(() => streams() + second.streams()).toBe(1);
  gate.open();
  for (const tab of [chat, second]) await expect(tab.botRows.last()).toContainText('word1 word2 word3');
  await expect.poll(() => streams() + second.streams()).toBe(1);
});

test('a tab whose own stream is not open yet shows the messages, when a leader answers late', async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.page.close();
  const second = await newTab(chat);
  // The requests stay unanswered.
  await second.page.route('**/listen', () => {});
  await second.goto();
  await second.launcher.click();
  await expect.poll(second.streams).toBe(1);
  await postAsTab(second, { type: 'leading', connection: 'online', position: undefined, isHidden: false });
  await expect(second.botRows).toHaveCount(1);
  await expect.poll(second.streams).toBe(0);
  await second.send('not held back');
  await expect(second.rows.filter({ hasText: 'not held back' })).toHaveAttribute('data-status', 'sent');
});
