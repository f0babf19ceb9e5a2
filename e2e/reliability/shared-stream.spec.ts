// A tab that joins the shared stream in the middle of an answer, or before its own stream was open.
import type { Page } from '@playwright/test';
import { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { startRequestGate } from '../support/request-gate.ts';
import { scriptedChat } from '../support/scripted-chat.ts';

test.use(scriptedChat);

/** Counts the open streams of a page. */
function countStreams(page: Page): () => number {
  const open = new Set<unknown>();
  page.on('request', (request) => request.url().endsWith('/listen') && open.add(request));
  for (const ended of ['requestfinished', 'requestfailed'] as const)
    page.on(ended as 'requestfinished', (request) => open.delete(request));
  return () => open.size;
}

/** Posts a message as another tab of the visitor. */
async function sayAsTab(tab: ChatPage, word: object) {
  const { conversationId } = await tab.storedSession();
  const name = `platform-webchat:${tab.platform.chatUrl}:${conversationId}`;
  await tab.page.evaluate(([to, what]) => new BroadcastChannel(to as string).postMessage(what), [
    name,
    { from: '0', term: 9, ...word },
  ] as const);
}

test('a tab that opens while another leads opens no stream, also in the middle of an answer', async ({
  chat,
  context,
  platform,
}) => {
  const streams = countStreams(chat.page);
  await chat.startConversation();
  const gate = await startRequestGate();
  await chat.instructBot({ stream: ['word1 ', 'word2 ', { until: gate.url, text: 'word3' }] });
  await expect(chat.botRows.last()).toContainText('word2');
  const page = await context.newPage();
  const second = Object.assign(new ChatPage(page, chat.url, platform), { streams: countStreams(page) });
  await second.goto();
  await second.launcher.click();
  await expect(second.botRows.last()).toContainText('word1 word2');
  // A leader that is too busy to answer within 100 ms has another leader for a moment, so only the end is asserted.
  await expect.poll(() => streams() + second.streams()).toBe(1);
  gate.open();
  for (const tab of [chat, second]) await expect(tab.botRows.last()).toContainText('word1 word2 word3');
  expect(streams() + second.streams()).toBe(1);
});

test('a tab whose own stream is not open yet shows the messages, when a leader answers late', async ({
  chat,
  context,
  platform,
}) => {
  await chat.startConversation();
  await chat.page.close();
  const second = new ChatPage(await context.newPage(), chat.url, platform);
  const streams = countStreams(second.page);
  // The requests stay unanswered.
  await second.page.route('**/listen', () => {});
  await second.goto();
  await second.launcher.click();
  await expect.poll(streams).toBe(1);
  await sayAsTab(second, { type: 'leading', connection: 'online', position: undefined, isHidden: false });
  await expect(second.botRows).toHaveCount(1);
  expect(streams()).toBe(0);
  await second.send('not held back');
  await expect(second.rows.filter({ hasText: 'not held back' })).toHaveAttribute('data-status', 'sent');
});
