// Several tabs of one visitor: one conversation and one stream, also when tabs open and close.
import { expect, test } from '../support/fixtures.ts';
import { countStreams, newTab, openTab } from '../support/tabs.ts';

const launcherName = (count: number) => new RegExp(`\\b${count} unread message`);

test('all tabs share one stream, and another one takes over when the leader closes', async ({ chat }) => {
  const streams = countStreams(chat.page);
  await chat.startConversation();
  const [second, third] = [await openTab(chat), await openTab(chat)];
  for (const tab of [second, third]) {
    await tab.launcher.click();
    await expect(tab.botRows.first()).toContainText('I am the demo bot');
    await expect.poll(tab.streams).toBe(0);
  }
  expect(streams()).toBe(1);

  await chat.exchange('from the first');
  await second.exchange('from the second');
  await expect(third.rows).toHaveCount(5);
  const all = await third.texts();
  expect(all.map((text) => text.split('\n')[0])).toEqual([
    expect.stringContaining('demo bot'),
    'from the first',
    expect.stringContaining('“from the first”'),
    'from the second',
    expect.stringContaining('“from the second”'),
  ]);
  for (const tab of [chat, second]) await expect.poll(() => tab.texts()).toEqual(all);
  // A streamed answer is shown in every tab.
  await third.send('streaming');
  for (const tab of [chat, second, third]) {
    await expect(tab.rows).toHaveCount(7);
    await expect(tab.rows.last()).toHaveAttribute('data-status', 'sent');
    await expect(tab.rows.last().getByRole('heading', { name: 'What Markdown can do' })).toBeVisible();
  }
  const last = await third.rows.last().locator('.markdown').innerText();
  for (const tab of [chat, second]) {
    await expect.poll(() => tab.rows.last().locator('.markdown').innerText()).toBe(last);
  }

  await chat.page.close();
  await expect.poll(() => second.streams() + third.streams()).toBe(1);
  await second.exchange('after the first has gone');
  await third.exchange('and again');
  await expect.poll(() => second.texts()).toEqual(await third.texts());
  const sentTexts = (await second.serverTexts()).filter((text) => text.startsWith('a'));
  expect(sentTexts).toEqual(['after the first has gone', 'and again']);
  for (const tab of [second, third]) tab.expectNoConsoleErrors();
});

test('the unread count, the draft and a restart are shared between tabs', { tag: '@story' }, async ({
  chat,
}) => {
  await chat.startConversation();
  const second = await openTab(chat);
  // A returning visitor is connected without an action.
  await expect.poll(() => second.requests.filter((url) => /background-.*\.js/.test(url)).length).toBe(1);
  await expect.poll(second.streams).toBe(0);
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  await second.instructBot({});
  await expect(second.launcher).toHaveAccessibleName(launcherName(1));
  await expect(chat.launcher).toHaveAccessibleName(launcherName(1));
  await second.launcher.click();
  await expect(second.botRows).toHaveCount(2);
  // A message that is read in one tab counts as read in all tabs.
  await expect(chat.launcher).not.toHaveAccessibleName(/unread/);

  await second.input.fill('half a sentence');
  await chat.page.bringToFront();
  await chat.launcher.click();
  await expect(chat.input).toHaveValue('half a sentence');

  const before = (await chat.storedSession()).conversationId;
  await chat.call('restartConversation');
  await expect(chat.rows).toHaveCount(1);
  await expect(second.rows).toHaveCount(1);
  const { conversationId } = await chat.storedSession();
  expect(conversationId).not.toBe(before);
  await second.page.bringToFront();
  await second.exchange('in the new one');
  await expect(chat.rows).toHaveCount(3);
  second.expectNoConsoleErrors();
});

test('logout removes the stored session in every tab', { tag: '@story' }, async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('private');
  const second = await openTab(chat);
  await second.launcher.click();
  await expect(second.rows).toHaveCount(3);
  await expect.poll(second.streams).toBe(0);
  const { userKey, conversationId } = await chat.storedSession();

  await chat.call('logout');
  for (const tab of [chat, second]) {
    await expect(tab.window).toBeHidden();
    await expect(tab.page.locator('.row[data-status]')).toHaveCount(0);
  }
  const storage = await chat.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
  for (const secret of [userKey, conversationId, 'private']) expect(storage).not.toContain(secret);

  await second.launcher.click();
  await expect(second.botRows).toHaveCount(1);
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await second.exchange('Another user');
  await expect(chat.rows).toHaveCount(3);
  expect((await chat.storedSession()).conversationId).not.toBe(conversationId);
  expect(await chat.serverTexts()).not.toContain('private');
  second.expectNoConsoleErrors();
});

test('fourteen tabs have one stream in the end, and eight can send messages', async ({ chat }) => {
  test.slow();
  const streams = countStreams(chat.page);
  await chat.startConversation();
  const tabs = await Promise.all(Array.from({ length: 13 }, () => newTab(chat)));
  await Promise.all(tabs.map((tab) => tab.goto()));
  const all = () => [streams, ...tabs.map((tab) => tab.streams)].reduce((sum, count) => sum + count(), 0);
  await expect.poll(all).toBe(1);
  await chat.exchange('to all');
  for (const tab of tabs) {
    await tab.page.bringToFront();
    await tab.launcher.click();
    await expect(tab.rows).toHaveCount(3);
  }
  // A leader that was slow to answer may have been replaced.
  await expect.poll(all).toBe(1);
  // More than the six connections need no more tabs.
  const rest = tabs.splice(7);
  await Promise.all(rest.map((tab) => tab.page.close()));
  await Promise.all(tabs.map((tab, i) => tab.exchange(`I am tab ${i}`)));
  for (const tab of [chat, ...tabs]) await expect(tab.rows).toHaveCount(17);
  expect(new Set(await chat.serverTexts()).size).toBe(17);
});
