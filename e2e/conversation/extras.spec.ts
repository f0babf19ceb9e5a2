// Optional features: feedback, copying, transcript download, sound, typing, stopping an answer, and control by the bot.
import { readFile } from 'node:fs/promises';
import { ChatClient } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { startRequestGate } from '../support/faults/request-gate.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { type NotePlayer, recordNotes } from '../support/notes.ts';
import { openTab } from '../support/tabs.ts';

test.use({ env: scriptedBot });

const clientOf = async (chat: ChatPage) => {
  const { userKey, conversationId = '' } = await chat.storedSession();
  return { client: new ChatClient({ chatUrl: chat.platform.chatUrl, userKey }), conversationId };
};

test.describe('feedback', () => {
  test.use({ attributes: 'data-feedback-enabled' });

  test('feedback can be given, changed, explained and removed, survives a reload, and the bot receives each change', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    const row = await chat.botReplies({ type: 'text', text: 'An answer' });
    const good = row.getByRole('button', { name: 'Good answer: An answer' });
    const bad = row.getByRole('button', { name: 'Bad answer: An answer' });
    const feedback = async () =>
      (await chat.serverMessages()).find(({ payload }) => 'text' in payload && payload.text === 'An answer')
        ?.feedback;
    await good.click();
    await expect(good).toHaveAttribute('aria-pressed', 'true');
    await expect.poll(feedback).toEqual({ value: 'positive' });
    await expect(chat.botRows.last()).toContainText('"value":"positive"');

    await bad.click();
    await expect(good).toHaveAttribute('aria-pressed', 'false');
    const comment = row.getByRole('textbox', { name: /What was wrong/ });
    await expect(comment).toBeFocused();
    await expect.poll(feedback).toEqual({ value: 'negative' });
    await page.keyboard.type('Too short');
    await row.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(comment).toHaveCount(0);
    await expect(bad).toBeFocused();
    await expect.poll(feedback).toEqual({ value: 'negative', comment: 'Too short' });

    await page.reload();
    await chat.launcher.click();
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    await bad.click();
    await expect(bad).toHaveAttribute('aria-pressed', 'false');
    await expect(comment).toHaveCount(0);
    await expect.poll(feedback).toBeUndefined();
    await expect(chat.botRows.last()).toContainText('"value":"none"');
    // The visitor's own messages have no feedback buttons.
    await expect(
      chat.window.locator('[data-side="visitor"]').getByRole('button', { name: /answer:/ }),
    ).toHaveCount(0);
  });

  test('Escape closes the comment dialog and keeps the feedback, and a refusal by the server reverts it with a notice', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await chat.recordEvents();
    const row = await chat.botReplies({ type: 'text', text: 'Another answer' });
    const bad = row.getByRole('button', { name: 'Bad answer' });
    await bad.click();
    await page.keyboard.press('Escape');
    await expect(row.getByRole('textbox')).toHaveCount(0);
    await expect(chat.window).toBeVisible();
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    await page.route(/\/feedback$/, (route) => route.fulfill({ status: 400, json: {} }));
    await bad.click();
    await expect.poll(() => chat.eventTypes()).toContain('error');
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    chat.ignoreConsoleErrors('400');
  });
});

test('a message can be copied and the whole conversation downloaded', async ({ chat, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'markdown', markdown: 'Some **bold** words' });
  await row.hover();
  // The button tells it for two seconds: the page itself looks, from before the click.
  const copied = page.waitForFunction(() =>
    document.querySelector('platform-webchat')?.shadowRoot?.querySelector('.act[aria-label^="Copied"]'),
  );
  await row.getByRole('button', { name: /^Copy/ }).click();
  await copied;
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Some **bold** words');

  const { client, conversationId } = await clientOf(chat);
  // More than one page, so that the file also contains messages that were not loaded.
  for (let i = 0; i < 60; i++) {
    await client.createMessage({ conversationId, payload: { type: 'text', text: `{"n":${i}}` } });
  }
  const more = chat.window.getByRole('button', { name: 'More' });
  await more.click();
  const menu = chat.window.getByRole('menu');
  const items = menu.getByRole('menuitem');
  await expect(items).toHaveText(['Conversations', 'Download conversation', 'Print conversation']);
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(items.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  const downloading = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('Bot.txt');
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d\] Bot:\nI am the demo bot’s scripted double\.\n/);
  expect(text).toContain('Bot:\nSome **bold** words\n');
  expect(text).toContain('You:\n{"n":0}\n');
  expect(text).toContain('You:\n{"n":59}\n');
  await expect(menu).toHaveCount(0);
});

test.describe('sound', () => {
  test.use({ attributes: 'data-sound-enabled' });

  test('each message of the bot plays the sound once until the visitor switches it off, also after a reload', async ({
    chat,
    page,
  }) => {
    await recordNotes(page);
    const notes = async () => (await chat.events()).filter(({ type }) => type === 'note').length;
    await chat.startConversation();
    // Messages that arrive before the extras have loaded are silent.
    await expect(chat.botRows.first().locator('.acts')).toBeAttached();
    await chat.botReplies({ type: 'text', text: 'Ping' });
    await expect.poll(notes).toBeGreaterThan(0);
    // Sounds at the same time are combined, and the audio clock starts late on a busy machine.
    await page.waitForFunction(() => {
      const { audio, lastNoteAt } = window as unknown as NotePlayer;
      return audio.currentTime > lastNoteAt + 0.2;
    });
    const each = await notes();
    await chat.botReplies({ type: 'text', text: 'Pong' });
    await expect.poll(notes).toBe(each + 2);
    await chat.window.getByRole('button', { name: 'More' }).click();
    await chat.window.getByRole('menuitem', { name: 'Turn sound off' }).click();
    await page.keyboard.press('Escape');
    await chat.botReplies({ type: 'text', text: 'Silence' });
    expect(await notes()).toBe(each + 2);
    await page.reload();
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(4);
    await chat.botReplies({ type: 'text', text: 'Still silence' });
    expect(await notes()).toBe(0);
    await chat.window.getByRole('button', { name: 'More' }).click();
    await expect(chat.window.getByRole('menuitem', { name: 'Turn sound on' })).toBeVisible();
  });

  test('with two tabs open a message plays its sound in one of them', async ({ chat, context }) => {
    // Each tab records its notes, and whether it was allowed to play a sound.
    await recordNotes(context);
    await context.addInitScript(() => {
      const record = (type: string) => window.seen?.events.push({ type, payload: undefined });
      const { request } = LockManager.prototype as { request: (...input: unknown[]) => Promise<unknown> };
      LockManager.prototype.request = function (this: LockManager, ...input: unknown[]) {
        const [name, options, use] = input as [string, object, (lock: Lock | null) => unknown];
        if (!name.startsWith('platform-webchat:sound:')) return request.apply(this, input);
        return request.call(this, name, options, (lock: Lock | null) => {
          record(lock ? 'granted' : 'refused');
          return use(lock);
        });
      } as LockManager['request'];
    });
    await chat.startConversation();
    const second = await openTab(chat);
    await second.launcher.click();
    await expect(second.botRows).toHaveCount(1);
    const tabs = [chat, second];
    // Messages that arrive before the extras have loaded are silent.
    for (const tab of tabs) await expect(tab.botRows.first().locator('.acts')).toBeAttached();
    const count = async (type: string) => {
      const events = await Promise.all(tabs.map((tab) => tab.events()));
      return events.flat().filter((event) => event.type === type).length;
    };
    const [notes, granted, refused] = [await count('note'), await count('granted'), await count('refused')];
    await chat.botReplies({ type: 'text', text: 'Ping' });
    await expect(second.botRows).toHaveCount(2);
    // The two tabs are told in any order.
    await expect.poll(() => count('refused')).toBe(refused + 1);
    await expect.poll(() => count('granted')).toBe(granted + 1);
    await expect.poll(() => count('note')).toBe(notes + 2);
  });
});

test('other participants see that the visitor is typing, and the visitor does not', async ({ chat }) => {
  await chat.startConversation();
  const { client, conversationId } = await clientOf(chat);
  const seen: string[] = [];
  const colleague = new ChatClient({ chatUrl: chat.platform.chatUrl });
  const { user, key } = await colleague.createUser({});
  colleague.userKey = key;
  await client.addParticipant({ conversationId, userId: user.id });
  await colleague.acceptInvitation({ conversationId });
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

test('the bot can open and close the window and change its configuration', async ({ chat, page }) => {
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
  await page.evaluate(() => (window.platform as Platform).config({ configuration: { botName: 'Page' } }));
  await expect(chat.window).toHaveAccessibleName('Chat with Page');
  expect(await fill()).toBe(before);
});

test.describe('streams', () => {
  const pieces = (count: number) => Array.from({ length: count }, (_, i) => `word${i} `);

  test('an answer that the visitor stops keeps the received text and is marked as stopped, also after a reload', async ({
    chat,
    page,
  }) => {
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
    await page.reload();
    await chat.launcher.click();
    await expect(row).toContainText('Stopped');
    await expect.poll(shown).toBe(stored[0]);
  });

  test('streams continue after a reload and after a lost connection, without gaps or duplicates', async ({
    chat,
    page,
    context,
  }) => {
    await chat.startConversation();
    const all = pieces(60);
    const gates = await Promise.all([startRequestGate(), startRequestGate(), startRequestGate()]);
    const [reload, cut, end] = gates;
    const parts = gates.map(({ url }, i) => [...all.slice(i * 15, i * 15 + 15), { until: url }]);
    await chat.instructBot({ stream: [...parts.flat(), ...all.slice(45)] });
    const row = chat.botRows.nth(1);
    await expect(row).toContainText('word14 ');
    // Deltas are sent while no page is open, and while the page is offline.
    await page.goto('about:blank');
    reload.open();
    await cut.reached;
    await chat.goto();
    await chat.launcher.click();
    await expect(row).toContainText(/word0 word1 .*word29\b/);
    await expect(row).toHaveAttribute('data-status', 'streaming');
    await context.setOffline(true);
    cut.open();
    await end.reached;
    await context.setOffline(false);
    await expect(row).toContainText('word44 ');
    await expect(row).toHaveAttribute('data-status', 'streaming');
    end.open();
    await expect(row).toHaveAttribute('data-status', 'sent');
    // The end is drawn in a frame after the status.
    await expect
      .poll(async () => (await row.locator('.markdown').innerText()).trim())
      .toBe(all.join('').trim());
    await expect(chat.botRows).toHaveCount(2);
    // A request that is made while the browser is offline fails.
    chat.ignoreConsoleErrors('ERR_INTERNET_DISCONNECTED');
  });

  test('an answer that the bot aborts stays and is marked as stopped', async ({ chat }) => {
    await chat.startConversation();
    await chat.instructBot({ stream: pieces(10), abort: true });
    const row = chat.botRows.nth(1);
    await expect(row).toHaveAttribute('data-status', 'aborted');
    await expect(row).toContainText('word9');
    await expect(row).toContainText('Stopped');
  });

  test('a stream changes neither the scroll position of a reader further up nor the selection', async ({
    chat,
    page,
  }) => {
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
