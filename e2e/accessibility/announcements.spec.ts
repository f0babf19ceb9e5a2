// What a screen reader is told: the whole list of it, in each scenario. Recorded are all texts that come into a live
// region, polite or assertive, in the order in which they come.
import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import { ChatClient } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/platform.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { startRequestGate } from '../support/request-gate.ts';

test.use({ env: scriptedBot, attributes: 'data-allow-file-upload data-feedback-enabled' });

declare global {
  interface Window {
    /** Told: `polite: text` or `assertive: text`. */
    told: string[];
  }
}

/** Watches every live region of every shadow root from its beginning. */
async function listen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.told = [];
    const regions = '[aria-live]:not([aria-live="off"]), [role="alert"], [role="status"], [role="log"]';
    const tell = (region: Element | null | undefined, text: string | null) => {
      // Hidden things are not read.
      if (!region || !text?.trim() || !region.checkVisibility()) return;
      const isAssertive = region.role === 'alert' || region.ariaLive === 'assertive';
      window.told.push(`${isAssertive ? 'assertive' : 'polite'}: ${text.replace(/\s+/g, ' ').trim()}`);
    };
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (options) {
      const root = attach.call(this, options);
      new MutationObserver((records) => {
        for (const { target, addedNodes, type } of records) {
          // What goes is not read.
          if (type === 'childList' && addedNodes.length === 0) continue;
          const near = target instanceof Element ? target : target.parentElement;
          const around = near?.closest(regions);
          // A region changes, or one comes with its text in it.
          if (around) tell(around, addedNodes[0]?.textContent ?? target.textContent);
          else {
            for (const node of addedNodes) {
              if (!(node instanceof Element)) continue;
              const found = [node, ...node.querySelectorAll('*')].filter((one) =>
                one.matches('[role="alert"]'),
              );
              for (const one of found) tell(one, one.textContent);
            }
          }
        }
      }).observe(root, { childList: true, characterData: true, subtree: true });
      return root;
    };
  });
}

const told = (page: Page) => page.evaluate(() => window.told);
const greeting = 'polite: Bot: I am the demo bot’s scripted double.';

/** Compares all that was told since the page was opened, once `last` has been said, and a moment later nothing more. */
async function expectTold(chat: ChatPage, texts: string[]): Promise<void> {
  await expect.poll(() => told(chat.page)).toEqual(texts);
  // Everything else that is under way has come: the server has answered, what waited for a frame is drawn.
  await chat.serverMessages();
  await chat.page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  expect(await told(chat.page)).toEqual(texts);
  // Each is there for a moment only: a reader that walks the page does not find it twice.
  await expect(chat.page.locator('.live p')).toHaveCount(0);
}

test.beforeEach(({ page }) => listen(page));

test('the greeting is said, what the visitor writes is not, the answer is; who and what', async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.send('{"reply":[{"type":"text","text":"An answer"},{"type":"text","text":"And more"}]}');
  await expectTold(chat, [greeting, 'polite: Bot: An answer', 'polite: Bot: And more']);
});

test('a streamed answer is said once, when it is whole', async ({ chat }) => {
  await chat.startConversation();
  await chat.instructBot({ stream: ['**One** ', 'two ', 'three.'] });
  await expectTold(chat, [greeting, 'polite: Bot: One two three.']);
});

test('an answer that is aborted is said as far as it came, and that it stopped', async ({ chat }) => {
  await chat.startConversation();
  await chat.instructBot({ stream: ['One ', 'two'], abort: true });
  await expectTold(chat, [greeting, 'polite: Bot: One two: Stopped']);
});

test('an answer that the visitor stops is said once', async ({ chat, page }) => {
  await chat.startConversation();
  const gate = await startRequestGate();
  await chat.instructBot({ stream: ['w0 ', 'w1 ', 'w2 ', { until: gate.url, text: 'word ' }] });
  await expect(chat.botRows.last()).toContainText('w2 ');
  await chat.window.getByRole('button', { name: 'Stop the answer' }).click();
  await expect.poll(async () => (await told(page)).length).toBe(2);
  expect((await told(page))[1]).toMatch(/^polite: Bot: w0 w1 w2 .*: Stopped$/);
  await expect(page.locator('.live p')).toHaveCount(0);
  expect(await told(page)).toHaveLength(2);
});

test('Markdown is said without its marks; code and tables by their names; other things by kind', async ({
  chat,
}) => {
  await chat.startConversation();
  const image = { type: 'image', imageUrl: 'ftp://example.org/a.png' };
  const options = [{ label: 'Yes', value: '1' }];
  const actions = [{ action: 'say', label: 'Buy', value: 'buy' }];
  await chat.instructBot({
    reply: [
      {
        type: 'markdown',
        markdown:
          '## So\n\n**Run** [this](https://example.org):\n\n```js\nrun();\n```\n\n|A|B|\n|-|-|\n|1|2|',
      },
      { ...image, title: 'A drawing' },
      image,
      { type: 'card', title: 'Plan', subtitle: 'For one', actions },
      {
        type: 'carousel',
        items: [
          { title: 'A', actions },
          { title: 'B', actions },
        ],
      },
      { type: 'choice', text: 'Which?', options },
      { type: 'bloc', items: [{ type: 'text', text: 'Look:' }, image] },
      { type: 'text', text: 'Last' },
    ],
  });
  await expectTold(chat, [
    greeting,
    'polite: Bot: So Run this: Code: js Table: A, B',
    'polite: Bot: Picture: A drawing',
    'polite: Bot: Picture',
    'polite: Bot: Plan For one Buy',
    'polite: Bot: Cards: A, B',
    'polite: Bot: Which? Yes',
    'polite: Bot: Look: Picture',
    'polite: Bot: Last',
  ]);
});

test('typing is not said', async ({ chat, page }) => {
  await chat.startConversation();
  const gate = await startRequestGate();
  await chat.instructBot({ typing: true, stream: [{ until: gate.url }, 'Slow'] });
  await expect(page.locator('.typing')).toBeVisible();
  gate.open();
  await expect(chat.botRows).toHaveCount(2);
  await expectTold(chat, [greeting, 'polite: Bot: Slow']);
  expect(await page.locator('.typing').count()).toBe(0);
});

test('history is not said: after a reload, and older pages', async ({ chat, page }) => {
  await chat.startConversation();
  const { userKey, conversationId = '' } = await chat.storedSession();
  const client = new ChatClient({ chatUrl: chat.platform.chatUrl, userKey });
  const text = JSON.stringify({ reply: [{ type: 'text', text: 'x' }] });
  for (let i = 0; i < 30; i++)
    await client.createMessage({ conversationId, payload: { type: 'text', text } });
  await expect.poll(async () => (await chat.serverMessages()).length).toBe(61);
  await page.reload();
  await chat.launcher.click();
  await expect(chat.rows.last()).toBeVisible();
  await chat.window.locator('.viewport').evaluate((e) => e.scrollTo(0, 0));
  await expect(chat.rows).toHaveCount(61);
  await expectTold(chat, []);
});

test('a lost connection is said, and that it is back is seen; known messages are not said again, missed ones are', async ({
  chat,
  context,
}) => {
  await chat.startConversation();
  await context.setOffline(true);
  await expect(chat.window.getByText(/You are offline/)).toBeVisible();
  await chat.instructBot({ reply: [{ type: 'text', text: 'Missed' }] });
  await context.setOffline(false);
  await expect(chat.botRows).toHaveCount(2, { timeout: 30_000 });
  await expectTold(chat, [
    greeting,
    'polite: You are offline. Messages will go out when you are back.',
    'polite: Bot: Missed',
  ]);
});

test('while the window is closed, a new message is said and the launcher has its number', async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.window.getByRole('button', { name: 'Close chat' }).click();
  await chat.instructBot({ reply: [{ type: 'text', text: 'Still there?' }] });
  await expect(chat.launcher).toHaveAccessibleName('Open chat, 1 unread message');
  await expectTold(chat, [greeting, 'polite: Bot: Still there?']);
});

test('a message that is not sent is said at once, once for each try', async ({ chat, page }) => {
  await chat.startConversation();
  await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
  await chat.send('Hello');
  const retry = chat.window.getByRole('button', { name: 'Try again: Hello' });
  await expect(retry).toBeVisible();
  await expectTold(chat, [greeting, 'assertive: Not sent']);
  await retry.click();
  await expectTold(chat, [greeting, 'assertive: Not sent', 'assertive: Not sent']);
  chat.consoleErrors = chat.consoleErrors.filter((line) => !line.includes('400'));
});

test('that the chat cannot be reached, or refuses, is said at once', async ({ chat, page }) => {
  await page.route(/\/users$/, (route) => route.abort());
  await chat.goto();
  await chat.launcher.click();
  await expect(chat.window.getByRole('alert')).toBeVisible();
  await page.unroute(/\/users$/);
  await expect(chat.botRows).toHaveCount(1);
  await expectTold(chat, ['assertive: The chat cannot be reached. Trying again…', greeting]);
  await page.evaluate(() => localStorage.clear());
  await page.route(/\/users$/, (route) => route.fulfill({ status: 400, json: {} }));
  await page.reload();
  await chat.launcher.click();
  await expect.poll(() => told(page)).toEqual(['assertive: This chat is not available.']);
  chat.consoleErrors = chat.consoleErrors.filter((line) => !/Failed to load/.test(line));
});

test('after a restart the new greeting is said, nothing of before', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.botReplies({ type: 'text', text: 'Before' });
  await page.evaluate(() => (window.platform as Platform).restartConversation());
  await expect(chat.botRows).toHaveCount(1);
  await expectTold(chat, [greeting, 'polite: Bot: Before', greeting]);
});

test('files: what is refused is said at once and by name, what is uploaded politely', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await expect(chat.window.getByRole('button', { name: 'Attach files' })).toBeVisible();
  const pick = (name: string, content: string) =>
    page
      .locator('input[type="file"]')
      .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
  await pick('empty.txt', '');
  await pick('notes.txt', 'notes');
  await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(1);
  await expectTold(chat, [
    greeting,
    'assertive: empty.txt: This file is empty',
    'polite: notes.txt is uploaded',
  ]);
});

test('thanks for a comment, and that a message was copied', async ({ chat, page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.startConversation();
  const row = chat.botRows.first();
  await row.hover();
  await row.getByRole('button', { name: /^Bad answer/ }).click();
  await page.keyboard.type('Too short');
  await row.getByRole('button', { name: 'Send', exact: true }).click();
  // The scripted bot reports the event that it received.
  await expect(chat.botRows).toHaveCount(3);
  await row.getByRole('button', { name: /^Copy/ }).click();
  await expect.poll(() => told(page)).toContain('polite: Copied');
  const texts = await told(page);
  expect(texts.filter((text) => !text.startsWith('polite: Bot: '))).toEqual([
    'polite: Thank you',
    'polite: Copied',
  ]);
  expect(texts).toHaveLength(5);
});

test('the copy button of code says that it has copied, and nothing when it is itself again', async ({
  chat,
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'markdown', markdown: '```js\nrun();\n```' });
  const copy = row.locator('.copy');
  await copy.click();
  await expect(copy).toHaveText('Copied');
  await expect(copy).toHaveText('Copy');
  await expectTold(chat, [greeting, 'polite: Bot: Code: js', 'polite: Copied']);
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('run();');
});
