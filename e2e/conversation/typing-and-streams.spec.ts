// Signals of a conversation: typing, control of the window by the bot, and answers that are streamed, stopped and aborted.
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { joinChat } from '../support/test-data/participants.ts';

test.use({ env: scriptedBot });

test('other participants see that the visitor is typing, and the visitor does not', async ({ chat }) => {
  await chat.startConversation();
  const { conversationId = '' } = await chat.storedSession();
  const seen: string[] = [];
  const { client: colleague } = await joinChat(chat, {});
  const open = await new Promise<{ close(): void }>((resolve) => {
    const connection = colleague.listen(conversationId, {
      onSignal: ({ type }) => void seen.push(type),
      onOpen: () => resolve(connection),
      onError: () => {},
    });
  });
  await chat.input.pressSequentially('Hello there');
  await expect.poll(() => seen).toEqual(['typing_started']);
  await chat.input.fill('');
  await expect.poll(() => seen).toEqual(['typing_started', 'typing_stopped']);
  await expect(chat.window.getByRole('img', { name: 'Bot is typing' })).toHaveCount(0);
  open.close();
});

test('the bot can open and close the window and change its configuration', { tag: '@story' }, async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.instructBot({ show: 'hide' });
  await expect(chat.window).toBeHidden();
  await chat.instructBot({ show: 'toggle' });
  await expect(chat.window).toBeVisible();
  await chat.instructBot({ configure: { botName: 'Renamed', color: '#00AA77' } });
  await expect(chat.window).toHaveAccessibleName('Chat with Renamed');
  const fill = () => page.locator('.box').evaluate((e) => getComputedStyle(e).getPropertyValue('--accent'));
  const before = await fill();
  // The later call overrides the earlier one, from the page or from the bot.
  await chat.configure({ botName: 'Page' });
  await expect(chat.window).toHaveAccessibleName('Chat with Page');
  expect(await fill()).toBe(before);
});

test.describe('streams', () => {
  const pieces = (count: number) => Array.from({ length: count }, (_, i) => `word${i} `);

  test('an answer that the visitor stops keeps the received text and is marked as stopped, also after a reload', {
    tag: '@story',
  }, async ({ chat }) => {
    await chat.startConversation();
    const gate = await startRequestGate();
    await chat.instructBot({ stream: [...pieces(6), { until: gate.url, text: 'more ' }, 'never'] });
    const row = chat.botRows.nth(1);
    await expect(row).toContainText('word5 ');
    const stop = chat.window.getByRole('button', { name: 'Stop the answer' });
    await stop.click();
    await expect(row).toHaveAttribute('data-status', 'aborted');
    await expect(row).toContainText('Stopped');
    await expect(stop).toHaveCount(0);
    const stored = (await chat.serverMessages()).flatMap(({ payload }) =>
      payload.type === 'markdown' ? [payload.markdown.trim()] : [],
    );
    expect(stored).toHaveLength(1);
    expect(stored[0]).toContain('word5');
    expect(stored[0]).not.toContain('never');
    // The end of a text is drawn in a frame after its status.
    const shown = async () => (await row.locator('.bubble').innerText()).replace(/^Bot:/, '').trim();
    await expect.poll(shown).toBe(stored[0]);
    await chat.reopen();
    await expect(row).toContainText('Stopped');
    await expect.poll(shown).toBe(stored[0]);
  });

  test('a stream changes neither the position of a reader nor the selection', async ({ chat, page }) => {
    await chat.startConversation();
    await chat.botReplies({ type: 'markdown', markdown: pieces(400).join('') });
    const gate = await startRequestGate();
    await chat.instructBot({ stream: [...pieces(100), { until: gate.url }, ...pieces(200)] });
    const row = chat.botRows.nth(2);
    await expect(row).toContainText('word99 ');
    const viewport = chat.window.locator('.viewport');
    // The pointer of a reader loads the extras, which make the messages taller.
    await viewport.hover();
    await expect(chat.window.getByRole('button', { name: /^Copy/ }).first()).toBeAttached();
    await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
    await page.mouse.wheel(0, -400);
    // Waits for the end of a smooth scroll.
    await expect.poll(() => chat.distanceFromEnd()).toBeGreaterThan(395);
    const before = await viewport.evaluate((element) => {
      const [, text] = element.querySelectorAll('.markdown');
      const selection = getSelection();
      const node = document
        .createTreeWalker(element.querySelector('.markdown') as Node, NodeFilter.SHOW_TEXT)
        .nextNode() as Text;
      selection?.setBaseAndExtent(node, 0, node, 10);
      return { top: element.scrollTop, selected: selection?.toString(), hasText: !!text };
    });
    gate.open();
    await expect(row).toHaveAttribute('data-status', 'sent');
    await expect(row).toContainText('word199');
    expect(await viewport.evaluate((e) => e.scrollTop)).toBe(before.top);
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(before.selected);
    expect(before.selected?.length).toBe(10);
  });
});
