// Race conditions and extremes: duplicate, late and concurrent events, missing chunks, destroy at every moment.
import { Buffer } from 'node:buffer';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChatClient } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';
import { watch } from '../support/hostile/canary.ts';
import { startRequestGate } from '../support/request-gate.ts';

test.use({
  env: scriptedBot,
  csp: strictCsp('PLATFORM', { media: true }),
  attributes: 'data-feedback-enabled data-allow-file-upload',
});

const cors = { 'access-control-allow-origin': '*' };
const media = (chat: ChatPage, name: string) => `${chat.platform.url}/demo/media/${name}`;
const file = (name: string, content = 'some bytes') => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
});
const tray = (chat: ChatPage) =>
  chat.window.getByRole('list', { name: 'Files to send' }).getByRole('listitem');
const picker = (chat: ChatPage) => chat.window.locator('input[type=file]');
const says = (chat: ChatPage, ...signals: unknown[]) =>
  chat.page.evaluate((all) => window.serverSays(...all), signals);
const botMessage = (id: string, payload: object, more: object = {}) => ({
  id,
  createdAt: new Date().toISOString(),
  userId: 'somebot',
  conversationId: 'x',
  isBot: true,
  payload,
  ...more,
});
async function alive(chat: ChatPage): Promise<void> {
  const text = `Still here ${Math.random()}`;
  await chat.send(text);
  await expect(chat.botRows.last()).toContainText(`received text {"type":"text","text":"${text}"}`);
}

test.describe('extreme content', () => {
  test('long words, a thousand options and cards, and deep nesting do not change the layout of the window', async ({
    chat,
    page,
  }) => {
    test.slow();
    const canary = await watch(chat);
    await chat.startConversation();
    const long = 'A'.repeat(5_000);
    const many = Array.from({ length: 1_000 }, (_, i) => i);
    const nest = (depth: number) => {
      let item: object = { type: 'text', text: 'In the middle' };
      for (let i = 0; i < depth; i++) item = { type: 'bloc', items: [item] };
      return item;
    };
    const payloads: object[] = [
      { type: 'text', text: long },
      { type: 'markdown', markdown: `**${long}**` },
      { type: 'file', fileUrl: 'https://example.com/', title: long },
      { type: 'card', title: long, subtitle: long, actions: [{ action: 'say', label: long, value: 'x' }] },
      { type: 'choice', text: 'Long', options: [{ label: long, value: 'x' }] },
      { type: 'dropdown', text: 'Long', options: [{ label: long, value: 'x' }] },
      { type: 'choice', text: 'Many', options: many.map((i) => ({ label: `Option ${i}`, value: `${i}` })) },
      { type: 'dropdown', text: 'Many', options: many.map((i) => ({ label: `Option ${i}`, value: `${i}` })) },
      { type: 'carousel', items: many.map((i) => ({ title: `Card ${i}`, actions: [] })) },
      { type: 'bloc', items: many.map((i) => ({ type: 'text', text: `Item ${i}` })) },
      nest(5),
      nest(1_000),
      { type: 'markdown', markdown: `${'> '.repeat(5_000)}deep` },
      { type: 'markdown', markdown: `${'['.repeat(20_000)}deep` },
      { type: 'location', latitude: 1e308, longitude: -1e308, title: 'Far' },
      { type: 'image', imageUrl: media(chat, 'photo.svg'), width: 1e308, height: 1e-308 },
    ];
    for (const [i, payload] of payloads.entries()) {
      // As JSON text, because Playwright's serialization would overflow the stack first.
      await says(
        chat,
        JSON.stringify({ type: 'message_created', data: botMessage(`msg_big_${i}`, payload) }),
      );
    }
    await expect(chat.botRows).toHaveCount(payloads.length + 1);
    await expect(chat.window.locator('[data-key="msg_big_8"]').getByRole('listitem')).toHaveCount(1_000);
    await expect(chat.window.locator('[data-key="msg_big_10"]')).toContainText('In the middle');
    await alive(chat);
    await canary.expectCalm();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  });

  test('a thousand messages at once play one sound and one announcement', async ({ chat, page }) => {
    await watch(chat);
    await page.addInitScript(() => {
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...args) {
        window.seen.events.push({ type: 'note', payload: undefined });
        return start.apply(this, args);
      };
    });
    await chat.startConversation();
    await page.evaluate(() =>
      (window.platform as Platform).config({ configuration: { soundEnabled: true } }),
    );
    await chat.botReplies({ type: 'text', text: 'Ping' });
    await expect.poll(async () => (await chat.events()).length).toBe(2);
    await says(
      chat,
      ...Array.from({ length: 1_000 }, (_, i) => ({
        type: 'message_created',
        data: botMessage(`msg_burst_${i}`, { type: 'text', text: `Burst ${i}` }),
      })),
    );
    await expect(chat.window.getByText('Burst 999', { exact: true })).toBeVisible();
    // A sound has two notes. A thousand simultaneous sounds would be too loud.
    expect((await chat.events()).length).toBeLessThan(200);
    await alive(chat);
  });
});

test('bidirectional control characters do not reverse the name of a file', async ({ chat }) => {
  await watch(chat);
  await chat.startConversation();
  const names = ['photo\u202egnp.exe', 'a\u2067b\u2069.txt', '\u202dx\u202c.txt'];
  const row = await chat.botReplies({
    type: 'bloc',
    items: names.flatMap((name) => [
      { type: 'file', fileUrl: 'https://example.com/', title: name },
      { type: 'file', fileUrl: `https://example.com/${encodeURIComponent(name)}` },
    ]),
  });
  const links = row.getByRole('link');
  await expect(links).toHaveCount(6);
  expect((await links.allTextContents()).join()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  await expect(links.first()).toContainText('photognp.exe');
});

test('the button of a picture in Markdown keeps its shape next to pictures and cards', async ({ chat }) => {
  await chat.startConversation();
  const row = await chat.botReplies({
    type: 'markdown',
    markdown: '![A plan](https://example.com/plan.png)',
  });
  const button = row.locator('.bubble').getByRole('button', { name: 'example.com' });
  const before = await button.boundingBox();
  const picture = await chat.botReplies({
    type: 'image',
    imageUrl: media(chat, 'photo.svg'),
    title: 'A drawing',
  });
  await expect(picture.getByRole('button', { name: 'A drawing, enlarge' })).toBeVisible();
  const after = await button.boundingBox();
  expect([after?.width, after?.height]).toEqual([before?.width, before?.height]);
});

test.describe('enlarged picture', () => {
  test('closing the window while a picture is being enlarged leaves the page usable', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    const row = await chat.botReplies({
      type: 'image',
      imageUrl: media(chat, 'photo.svg'),
      title: 'A drawing',
    });
    const picture = row.getByRole('button', { name: 'A drawing, enlarge' });
    await expect(picture).toBeVisible();
    await picture.evaluate((button: HTMLElement) => {
      button.click();
      (window.platform as Platform).close();
    });
    await expect(chat.window).toBeHidden();
    // The effects of the click are rendered after two frames.
    await page.evaluate(
      () =>
        new Promise((resolve) =>
          requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))),
        ),
    );
    await page.getByRole('link', { name: 'A link of the page' }).click({ timeout: 3_000 });
    await expect(page).toHaveURL(/#there$/);
    await chat.launcher.click();
    await expect(page.getByRole('dialog', { name: 'A drawing' })).toHaveCount(0);
    await alive(chat);
  });

  for (const [how, end] of [
    ['is hidden by the bot', (chat: ChatPage) => chat.instructBot({ show: 'hide' })],
    ['is removed', (chat: ChatPage) => chat.page.evaluate(() => (window.platform as Platform).destroy())],
  ] as const) {
    test(`an enlarged picture closes when the chat ${how}`, async ({ chat, page }) => {
      await chat.startConversation();
      const row = await chat.botReplies({
        type: 'image',
        imageUrl: media(chat, 'photo.svg'),
        title: 'A drawing',
      });
      await row.getByRole('button', { name: 'A drawing, enlarge' }).click();
      await expect(page.getByRole('dialog', { name: 'A drawing' })).toBeVisible();
      await end(chat);
      await expect(page.getByRole('dialog', { name: 'A drawing' })).toHaveCount(0);
      await page.getByRole('link', { name: 'A link of the page' }).click();
      await expect(page).toHaveURL(/#there$/);
    });
  }

  test('an enlarged picture closes when its message is deleted', async ({ chat, page }) => {
    await watch(chat);
    await chat.startConversation();
    const row = await chat.botReplies({
      type: 'image',
      imageUrl: media(chat, 'photo.svg'),
      title: 'A drawing',
    });
    await row.getByRole('button', { name: 'A drawing, enlarge' }).click();
    const id = (await chat.serverMessages()).at(-1)?.id;
    await says(chat, { type: 'message_deleted', data: { id } });
    await expect(page.getByRole('dialog', { name: 'A drawing' })).toHaveCount(0);
    await page.getByRole('link', { name: 'A link of the page' }).click();
    await alive(chat);
  });
});

test.describe('feedback', () => {
  test('feedback that is given faster than the server refuses it ends in the state of the server', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    const row = await chat.botReplies({ type: 'text', text: 'An answer' });
    const good = row.getByRole('button', { name: 'Good answer' });
    const bad = row.getByRole('button', { name: 'Bad answer' });
    const waiting: (() => Promise<void>)[] = [];
    await page.route(/\/feedback$/, (route) => {
      waiting.push(() => route.fulfill({ status: 500, json: {}, headers: cors }));
    });
    await good.click();
    await bad.click();
    await expect(bad).toHaveAttribute('aria-pressed', 'true');
    // Every request is refused, also after the first refusal.
    let refused = 0;
    await expect(async () => {
      for (; refused < waiting.length; refused++) await waiting[refused]?.();
      expect(await good.getAttribute('aria-pressed')).toBe('false');
      expect(await bad.getAttribute('aria-pressed')).toBe('false');
      expect(refused).toBe(2);
    }).toPass({ timeout: 8_000 });
    chat.ignoreConsoleErrors(/500/);
  });

  test('feedback that is clicked twice is set and removed, in this order', async ({ chat }) => {
    await chat.startConversation();
    const row = await chat.botReplies({ type: 'text', text: 'An answer' });
    for (let i = 0; i < 5; i++) await row.getByRole('button', { name: 'Good answer' }).dblclick();
    await expect(row.getByRole('button', { name: 'Good answer' })).toHaveAttribute('aria-pressed', 'false');
    await expect(async () => {
      const message = (await chat.serverMessages()).find(
        ({ payload }) => 'text' in payload && payload.text === 'An answer',
      );
      expect(message?.feedback).toBeUndefined();
      // Set five times and removed five times; the bot has answered each change.
      await expect(chat.botRows).toHaveCount(12);
    }).toPass();
    await expect(row.getByRole('button', { name: 'Good answer' })).toHaveAttribute('aria-pressed', 'false');
  });
});

test.describe('missing chunks', () => {
  test('a restart whose dialog failed to load does not open the dialog later', async ({ chat, page }) => {
    await page.route(/\/extras-[\w-]+\.js$/, (route) => route.abort());
    await chat.startConversation();
    await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
    await chat.window.getByRole('button', { name: 'More' }).click();
    await alive(chat);
    await page.unroute(/\/extras-[\w-]+\.js$/);
    // Moving the pointer near a message loads the chunk with its actions.
    await chat.window.locator('.viewport').hover();
    await chat.window.locator('h2').hover();
    await chat.window.locator('.viewport').hover();
    await expect(chat.botRows.last().getByRole('button', { name: /^Copy/ })).toBeVisible();
    await expect(chat.window.getByRole('alertdialog')).toHaveCount(0);
    await expect(chat.window.getByRole('menu')).toHaveCount(0);
    await chat.window.getByRole('button', { name: 'More' }).click();
    await expect(chat.window.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
    await expect(chat.window.getByRole('alertdialog')).toBeVisible();
    chat.ignoreConsoleErrors('ERR_FAILED');
  });

  for (const name of ['markdown', 'extras', 'highlight']) {
    test(`the chat works without the chunk ${name}, and with it when it loads later`, async ({
      chat,
      page,
    }) => {
      const chunk = new RegExp(`/${name}-[\\w-]+\\.js$`);
      await page.route(chunk, (route) => route.abort());
      await chat.startConversation();
      const say = async () => {
        await chat.botReplies({ type: 'markdown', markdown: '**Bold** words\n\n```js\nconst a = 1;\n```' });
        return chat.botReplies({
          type: 'card',
          title: 'A card',
          actions: [{ action: 'say', label: 'Go', value: 'go' }],
        });
      };
      await expect(await say()).toContainText('A card');
      await alive(chat);
      await page.unroute(chunk);
      await say();
      await alive(chat);
      if (name !== 'highlight') {
        await expect(chat.window.locator('.markdown strong').last()).toHaveText('Bold');
        await expect(chat.window.locator('.card').last()).toContainText('A card');
      }
      chat.ignoreConsoleErrors('ERR_FAILED');
    });
  }
});

test.describe('files', () => {
  test('files with very long and unusual names are uploaded', async ({ chat }) => {
    await chat.startConversation();
    const names = [`${'n'.repeat(251)}.txt`, 'a/b\\c:d*e?f"g<h>i|.txt', '..', 'пример \u202etxt.exe', ' '];
    await picker(chat).setInputFiles(names.map((name) => file(name)));
    await expect(chat.window.locator('.attachment[data-status="uploading"]')).toHaveCount(0);
    await expect(chat.window.locator('.attachment [role=alert]')).toHaveText([]);
    await chat.window.getByRole('button', { name: 'Send message' }).click();
    await expect(chat.botRows.last()).toContainText('received bloc');
  });

  test('retrying failed uploads does not exceed the number of files per message', async ({ chat, page }) => {
    await chat.startConversation();
    await page.route(/\/files$/, (route) => route.fulfill({ status: 500, json: {}, headers: cors }));
    const eight = Array.from({ length: 8 }, (_, i) => file(`${i}.txt`));
    await picker(chat).setInputFiles(eight);
    await expect(chat.window.locator('.attachment[data-status="failed"]')).toHaveCount(8);
    await page.unroute(/\/files$/);
    await picker(chat).setInputFiles(eight);
    await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(8);
    await chat.window.getByRole('button', { name: 'Try 0.txt again' }).click();
    await expect(chat.window.locator('.attachment[data-status="uploading"]')).toHaveCount(0);
    await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(8);
    chat.ignoreConsoleErrors(/500/);
  });

  test('two files with the same name are both sent', async ({ chat }) => {
    await chat.startConversation();
    await picker(chat).setInputFiles([file('a.txt', '1'), file('a.txt', '22')]);
    await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(2);
    await tray(chat).first().getByRole('button', { name: 'Remove a.txt' }).click();
    await expect(tray(chat)).toHaveCount(1);
    await expect(tray(chat)).toContainText('2');
    await chat.window.getByRole('button', { name: 'Send message' }).click();
    await expect(chat.botRows.last()).toContainText('received file');
  });

  test('uploads in progress are cancelled by a restart, a logout and destroy', async ({ chat, page }) => {
    await chat.startConversation();
    await page.route(/\/uploads\//, () => {});
    const begin = async () => {
      await picker(chat).setInputFiles([file('a.txt'), file('b.txt')]);
      await expect(chat.window.locator('.attachment[data-status="uploading"]')).toHaveCount(2);
    };
    await begin();
    await page.evaluate(() => (window.platform as Platform).restartConversation());
    await expect(tray(chat)).toHaveCount(0);
    await begin();
    const { key } = await new ChatClient({ chatUrl: chat.platform.chatUrl }).createUser({});
    await page.evaluate((userKey) => (window.platform as Platform).updateUser({ userKey }), key);
    await expect(tray(chat)).toHaveCount(0);
    await alive(chat);
    await picker(chat).setInputFiles(file('c.txt'));
    await expect(chat.window.locator('.attachment[data-status="uploading"]').last()).toBeVisible();
    await page.evaluate(() => (window.platform as Platform).destroy());
    await expect(page.locator('platform-webchat')).toHaveCount(0);
  });

  test('a dropped folder is refused with a message, and dragged text stays text', async ({ chat, page }) => {
    await chat.startConversation();
    const folder = await mkdtemp(join(tmpdir(), 'platform-folder-'));
    const { x = 0, y = 0 } = (await chat.window.boundingBox()) ?? {};
    const cdp = await page.context().newCDPSession(page);
    const drag = async (data: object) => {
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await cdp.send('Input.dispatchDragEvent', {
          type,
          x: x + 200,
          y: y + 300,
          data: { items: [], dragOperationsMask: 1, ...data },
        });
      }
    };
    await drag({ files: [folder] });
    await expect(tray(chat)).toHaveCount(1);
    await expect(tray(chat).getByRole('alert')).toBeVisible({ timeout: 30_000 });
    await tray(chat).getByRole('button').last().click();
    await drag({ items: [{ mimeType: 'text/plain', data: 'words' }] });
    await expect(tray(chat)).toHaveCount(0);
    await alive(chat);
    await rm(folder, { recursive: true });
    chat.consoleErrors = [];
  });
});

test.describe('copying', () => {
  test('a failed copy is not reported as copied', async ({ chat, page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      document.execCommand = () => false;
    });
    await chat.startConversation();
    const row = await chat.botReplies({ type: 'text', text: 'Some words' });
    await row.hover();
    const copy = row.getByRole('button', { name: 'Copy: Some words' });
    await copy.click();
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
    // Checked at once, because a wrong label would disappear after two seconds.
    expect(await row.getByRole('button', { name: /^Copied/ }).count()).toBe(0);
    await expect(copy).toBeFocused();
    expect(await row.locator('textarea').count()).toBe(0);
  });
});

test('a late signal about a message that is not loaded does not change the order', async ({ chat }) => {
  await watch(chat);
  await chat.startConversation();
  await says(chat, {
    type: 'message_updated',
    data: botMessage(
      'msg_old',
      { type: 'text', text: 'From long ago' },
      { createdAt: '2020-01-01T00:00:00Z' },
    ),
  });
  await says(chat, { type: 'message_deleted', data: {} });
  await alive(chat);
  await expect(chat.window.getByText('From long ago')).toHaveCount(0);
});

test('a late delta of a finished stream changes nothing', async ({ chat }) => {
  await watch(chat);
  await chat.startConversation();
  await chat.instructBot({ stream: ['One ', 'two'] });
  const row = chat.botRows.nth(1);
  await expect(row).toHaveAttribute('data-status', 'sent');
  const streamId = (await chat.serverMessages()).at(-1)?.metadata?.streamId;
  const data = { streamId, userId: 'b', createdAt: new Date().toISOString(), sequence: 2, delta: ' three' };
  await says(chat, { type: 'message_stream_delta', data }, { type: 'message_stream_abort', data });
  await alive(chat);
  await expect(row).toContainText('One two');
  await expect(row).not.toContainText('three');
  await expect(row).toHaveAttribute('data-status', 'sent');
});

test('stopping a stream twice, or just as it ends, sends one stop and causes no error', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.recordEvents();
  const gate = await startRequestGate();
  await chat.instructBot({ stream: [{ until: gate.url, text: 'word ' }] });
  const stop = chat.window.getByRole('button', { name: 'Stop the answer' });
  await stop.dblclick();
  await expect(chat.botRows.nth(1)).toHaveAttribute('data-status', 'aborted');
  await chat.instructBot({ stream: ['word ', 'word '] });
  await expect(chat.botRows.nth(2)).toBeVisible();
  await chat.window.locator('.composer').evaluate((form: HTMLFormElement) => {
    for (let i = 0; i < 5; i++) form.requestSubmit();
  });
  await expect(chat.botRows.nth(2)).toHaveAttribute('data-status', /sent|aborted/);
  await alive(chat);
  expect(await chat.eventTypes()).not.toContain('error');
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('platform-webchat');
});

test.describe('choices', () => {
  const question = {
    type: 'choice',
    text: 'Which?',
    options: ['A', 'B'].map((label) => ({ label, value: label })),
  };

  test('a choice can be answered again after its answer failed and was discarded', async ({ chat, page }) => {
    await chat.startConversation();
    const row = await chat.botReplies({ ...question, disableFreeText: true });
    await page.route(/\/messages$/, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: {}, headers: cors })
        : route.fallback(),
    );
    await row.getByRole('button', { name: 'A', exact: true }).click();
    await expect(row.getByRole('button', { name: 'B', exact: true })).toBeDisabled();
    await chat.window.getByRole('button', { name: 'Discard: A' }).click();
    await expect(row.getByRole('button', { name: 'B', exact: true })).toBeEnabled();
    await page.unroute(/\/messages$/);
    await expect(chat.input).not.toBeEditable();
    await page.evaluate(() => (window.platform as Platform).sendMessage('From the page'));
    await expect(chat.botRows.last()).toContainText('From the page');
    await expect(chat.input).toBeEditable();
    chat.ignoreConsoleErrors(/400/);
  });

  test('a choice is locked when it was answered in another tab or by another client', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    const [first, second] = [await chat.botReplies(question), await chat.botReplies(question)];
    const { userKey, conversationId } = await chat.storedSession();
    await page.evaluate(
      async ([url, key, id]) => {
        await fetch(`${url}/messages`, {
          method: 'POST',
          headers: { 'x-user-key': key as string, 'content-type': 'application/json' },
          body: JSON.stringify({ conversationId: id, payload: { type: 'text', text: 'A', value: 'A' } }),
        });
      },
      [chat.platform.chatUrl, userKey, conversationId],
    );
    await expect(second.getByRole('button', { name: 'A', exact: true })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    await expect(first.getByRole('button', { name: 'A', exact: true })).toBeEnabled();
  });
});

test('configuration changes apply at once to the displayed messages', async ({ chat, page }) => {
  await chat.startConversation();
  const row = await chat.botReplies({
    type: 'markdown',
    markdown: 'A word ![A plan](https://example.com/plan.png)',
  });
  const config = (configuration: object) =>
    page.evaluate((fields) => (window.platform as Platform).config({ configuration: fields }), configuration);
  await row.hover();
  await expect(row.getByRole('button', { name: /^Good answer/ })).toHaveCount(1);
  await config({ feedbackEnabled: false });
  await expect(row.getByRole('button', { name: /^Good answer/ })).toHaveCount(0);
  await config({ feedbackEnabled: true, botName: 'Another' });
  await expect(row.getByRole('button', { name: /^Good answer/ })).toHaveCount(1);
  await expect(row.locator('.visually-hidden').first()).toHaveText('Another: ');
  await page.route('https://example.com/**', (route) => route.abort());
  await config({ remoteImages: 'all' });
  // The page's policy blocks the download; the test checks the attempt.
  await expect.poll(() => page.evaluate(() => window.seen.violations.splice(0).length)).toBeGreaterThan(0);
  await config({ remoteImages: 'click' });
  await expect(row.locator('.bubble').getByRole('button', { name: /example\.com/ })).toBeVisible();
  chat.consoleErrors = [];
});

test('invalid values that the bot configures are ignored, and credentials are never accepted', async ({
  chat,
}) => {
  await watch(chat);
  await chat.startConversation();
  const config = {
    botName: 5,
    color: 'red; background: url(http://canary.invalid)',
    radius: '1e9',
    fontFamily: 'x";}*{display:none}',
    botAvatar: 'javascript:pwned()',
    fabImage: 'data:image/svg+xml,<svg/>',
    additionalStylesheetUrl: 'data:text/css,*{display:none}',
    remoteImages: 'ALL',
    storageLocation: 'cookie',
    adminKey: 'secret-admin-key',
    footer: 5,
    botDescription: 'y'.repeat(100_000),
    constructor: 1,
  };
  for (const one of [config, null, 5, 'x', [], [config]]) {
    await says(chat, { type: 'webchat_config', data: { conversationId: 'x', config: one } });
  }
  for (const visibility of ['SHOW', '', null, {}, ['hide'], 5, 'toggle', 'toggle']) {
    await says(chat, { type: 'webchat_visibility', data: { visibility } });
  }
  await expect(chat.window).toBeVisible();
  await expect(chat.window.locator('h2')).toHaveText('Bot');
  await expect(chat.input).toBeInViewport();
  await alive(chat);
  expect(JSON.stringify(await chat.storedSession())).not.toContain('secret-admin-key');
  expect(chat.consoleErrors.splice(0).every((line) => line.startsWith('[platform] Configuration'))).toBe(
    true,
  );
});

test('a conversation of ten thousand messages is downloaded as one file, also with malformed messages in it', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  let asked = 0;
  await page.route(/\/conversations\/[^/]+\/messages(\?|$)/, (route) => {
    const messages = Array.from({ length: 500 }, (_, i) => ({
      ...botMessage(`msg_${asked}_${i}`, { type: 'text', text: `${asked} ${i}` }),
      ...(i === 7 && { createdAt: 5 }),
    }));
    asked++;
    const meta = asked < 20 ? { nextToken: `${asked}` } : {};
    return route.fulfill({ json: { messages: [...messages, null], meta }, headers: cors });
  });
  await chat.window.getByRole('button', { name: 'More' }).click();
  const downloading = page.waitForEvent('download');
  await chat.window.getByRole('menuitem', { name: 'Download conversation' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  expect(text.match(/^\[/gm)?.length).toBeGreaterThan(9_900);
});

test.describe('destroy', () => {
  /**
   * Some functions return another one that ends the situation, which is called after the chat was initialized again.
   */
  const moments: [string, (chat: ChatPage) => Promise<unknown>][] = [
    ['while the chat loads', (chat) => chat.page.evaluate(() => (window.platform as Platform).open())],
    [
      'while an answer streams',
      async (chat) => {
        await chat.startConversation();
        const gate = await startRequestGate();
        await chat.instructBot({ stream: ['**word** ', { until: gate.url, text: '**word** ' }] });
        await expect(chat.botRows.nth(1)).toContainText('word');
        return gate.open;
      },
    ],
    [
      'while a message is sent',
      async (chat) => {
        await chat.startConversation();
        await chat.page.route(/\/messages$/, () => {});
        await chat.send('Never');
      },
    ],
    [
      'with an open menu and a running download',
      async (chat) => {
        await chat.startConversation();
        await chat.page.route(/\/messages$/, () => {});
        await chat.window.getByRole('button', { name: 'More' }).click();
        await chat.window.getByRole('menuitem', { name: 'Download conversation' }).click();
      },
    ],
    [
      'while a dialog is open',
      async (chat) => {
        await chat.startConversation();
        await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
        await expect(chat.window.getByRole('alertdialog')).toBeVisible();
      },
    ],
    [
      'while feedback is explained',
      async (chat) => {
        await chat.startConversation();
        await chat.page.route(/\/feedback$/, () => {});
        await chat.botRows.first().hover();
        await chat.botRows.first().getByRole('button', { name: /^Bad/ }).click();
        await chat.botRows.first().getByRole('button', { name: /^Copy/ }).click();
      },
    ],
    [
      'while a new conversation starts',
      async (chat) => {
        await chat.startConversation();
        await chat.page.evaluate(
          () => void (window.platform as Platform).restartConversation().catch(() => {}),
        );
      },
    ],
  ];
  for (const [when, reach] of moments) {
    test(`destroy ${when} leaves nothing behind, and the chat can be started again`, async ({
      chat,
      page,
    }) => {
      await chat.goto();
      await page.evaluate(() => {
        window.addEventListener('unhandledrejection', (event) =>
          window.seen.violations.push(String(event.reason)),
        );
      });
      const end = await reach(chat);
      await page.evaluate(() => {
        const { platform } = window as { platform?: Platform };
        Object.assign(window, { kept: platform });
        platform?.destroy();
      });
      await expect(page.locator('platform-webchat')).toHaveCount(0);
      await page.unroute(/\/messages$/);
      await page.evaluate(() => (window as unknown as { kept: Platform }).kept.init());
      await chat.launcher.click();
      if (typeof end === 'function') end();
      await alive(chat);
    });
  }
});

test('global names of the page do not prevent the chat from loading', async ({
  chat,
  page,
  site,
  platform,
}) => {
  const body =
    '<form id=platform><input name=init></form><form name=body></form><a id=trustedTypes></a><img name=fetch alt="">';
  const url = site.page(
    '/names',
    pageHtml(`<script src="${platform.chatUrl}/webchat.js"></script>`, { body }),
    {},
  );
  await chat.goto(url);
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await alive(chat);
  expect(page.url()).toBe(url);
});

test('without a user gesture no sound is played and nothing is logged', async ({ chat, page }) => {
  await page.addInitScript(() => {
    const { fetch } = window;
    window.fetch = (...args) => fetch(...args);
  });
  await chat.startConversation();
  await page.evaluate(() => (window.platform as Platform).close());
  await page.reload();
  await page.evaluate(() => (window.platform as Platform).config({ configuration: { soundEnabled: true } }));
  await expect.poll(() => chat.requests.filter((url) => /extras-/.test(url)).length).toBeGreaterThan(0);
  await chat.instructBot({ reply: [{ type: 'text', text: 'Are you there?' }] });
  await expect(page.locator('.badge')).toHaveText('1');
  chat.expectNoConsoleErrors();
});
