// Messages of nearly 1 MB as JSON, which the Chat API accepts: the window stays usable, live and after a reload.
import type { Page } from '@playwright/test';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';

const size = 950_000;
const cut = (text: string) => `${text.slice(0, size)} THE END`;

const payloads = {
  'a text of one word': { type: 'text', text: cut('x'.repeat(size)) },
  'a text of many lines': { type: 'text', text: cut('Some words of a message.\n'.repeat(size / 25)) },
  'Markdown of one paragraph': {
    type: 'markdown',
    markdown: cut('Some *words* of a message. '.repeat(size / 27)),
  },
  'Markdown of many paragraphs': {
    type: 'markdown',
    markdown: cut('Some *words*, `code`.\n\n'.repeat(size / 23)),
  },
  'a Markdown list': { type: 'markdown', markdown: cut('- An item of a list\n'.repeat(size / 20)) },
} as const;

/** The first or the last 20 characters of each message. Playwright's search for a text would read the megabyte each time. */
const readEdges = (page: Page, edge: 'firstChild' | 'lastChild') =>
  page.evaluate((edge) => {
    const rows = document
      .querySelector('platform-webchat')
      ?.shadowRoot?.querySelectorAll('.row[data-status] :is(.text, .markdown)');
    return [...(rows ?? [])].map((text) => {
      let node: Node = text;
      while (node[edge]) node = node[edge];
      const words = node.textContent?.trim() ?? '';
      return edge === 'firstChild' ? words.slice(0, 20) : words.slice(-20);
    });
  }, edge);

/**
 * Waits until the message is shown, as plain text or formatted up to any paragraph: drawing 40,000 paragraphs takes 14 s on a
 * computer with nothing else to do, in tasks that leave room for the visitor.
 */
const waitUntilShown = (page: Page) =>
  expect
    .poll(() => readEdges(page, 'firstChild'), { timeout: 60_000 })
    .toContainEqual(expect.stringMatching(/^(xxx|Some\b|(- )?An\b)/));

/**
 * Sends a message and waits for the bot's echo. Without locators: each of them visits all elements of the page, of which a
 * message of 1 MB has up to 100,000, in each try.
 */
async function exchange({ page }: ChatPage, text: string): Promise<void> {
  // The message may be drawn at this moment.
  await expect.poll(() => focusInput(page), { timeout: 60_000 }).toBe(true);
  await page.keyboard.insertText(text);
  await page.keyboard.press('Enter');
  await expect.poll(() => lastAnswer(page), { timeout: 60_000 }).toContain(`You said: “${text}”`);
}

const focusInput = (page: Page) =>
  page.evaluate(() => {
    const root = document.querySelector('platform-webchat')?.shadowRoot;
    const input = root?.querySelector<HTMLTextAreaElement>('.composer textarea');
    input?.focus();
    return !!input && root?.activeElement === input && !input.disabled;
  });

/** The end of the newest message of the bot. */
const lastAnswer = (page: Page) =>
  page.evaluate(() => {
    const rows = document
      .querySelector('platform-webchat')
      ?.shadowRoot?.querySelectorAll('.row[data-side="bot"][data-status]');
    return [...(rows ?? [])].at(-1)?.textContent?.slice(-600);
  });

for (const [name, payload] of Object.entries(payloads)) {
  test(`after ${name} of 1 MB the next message is answered`, async ({ chat, page }) => {
    test.slow();
    await chat.startConversation();
    const { conversationId = '' } = await chat.storedSession();
    await sendAsBot(chat.platform, conversationId, payload);
    await waitUntilShown(page);
    await exchange(chat, 'Are you there?');
    await chat.reopen();
    await waitUntilShown(page);
    await exchange(chat, 'Still there?');
  });
}

test('Markdown of 100 kB is drawn up to its end, also after a reload', async ({ chat, page }) => {
  await chat.startConversation();
  const { conversationId = '' } = await chat.storedSession();
  const markdown = `${'Some *words*, `code`.\n\n'.repeat(100_000 / 23)}Then **THE END**`;
  await sendAsBot(chat.platform, conversationId, { type: 'markdown', markdown });
  // Without the marks of the source: the last paragraph is formatted.
  await expect.poll(() => readEdges(page, 'lastChild')).toContain('THE END');
  await chat.reopen();
  await expect.poll(() => readEdges(page, 'lastChild')).toContain('THE END');
});

/** Sends a message with the Runtime API, which other bots than those of tests use. */
async function sendAsBot(
  { url, admin }: PlatformServer,
  conversationId: string,
  payload: object,
): Promise<void> {
  const headers = {
    authorization: `Bearer ${admin.token}`,
    'x-workspace-id': admin.workspaceId,
    'content-type': 'application/json',
  };
  const { bots } = await (await fetch(`${url}/v1/admin/bots`, { headers })).json();
  const response = await fetch(`${url}/v1/chat/messages`, {
    method: 'POST',
    headers: { ...headers, 'x-bot-id': bots[0].id },
    body: JSON.stringify({ conversationId, payload }),
  });
  expect(response.status).toBe(201);
}
