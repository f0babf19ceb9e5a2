// Opens the chat on a page with or without a policy, with a history of hostile messages, and checks its effects.
import type { Message } from '../../../src/protocol/message.ts';
import { alive } from '../bots/scripted-chat.ts';
import type { ChatPage } from '../chat-page.ts';
import { expect } from '../fixtures.ts';
import { type HostSite, pageHtml } from '../host-page.ts';
import type { PlatformServer } from '../server.ts';
import { type Canary, watch } from './canary.ts';

export interface Said {
  payload: unknown;
  /** True when the visitor is the author. */
  isOwn?: boolean;
  /** Fields of the message itself. */
  more?: Record<string, unknown>;
  /** The exact text that must be displayed. */
  reads?: string;
}

/** Opens a chat on a page with or without a policy; `load` sets the history of the next page load. */
export async function open(
  chat: ChatPage,
  url: string,
): Promise<{ canary: Canary; load(messages: Said[], options?: { isCounted?: boolean }): Promise<void> }> {
  const { page } = chat;
  let history: Said[] | undefined;
  const canary = await watch(chat);
  await page.route(/\/conversations\/[^/]+\/messages(\?|$)/, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    const [sample] = body.messages as Message[];
    // A response for a page that was left cannot be fulfilled.
    const own = (await chat.storedSession().catch(() => undefined))?.userId;
    const start = Date.parse('2023-01-01T00:00:00Z');
    const messages = history?.map(({ payload, isOwn, more }, i) => ({
      ...sample,
      metadata: undefined,
      id: `msg_hostile_${i}`,
      createdAt: new Date(start + i * 60_000).toISOString(),
      payload,
      ...(isOwn && { userId: own }),
      ...more,
    }));
    await route.fulfill({ response, json: messages ? { messages: messages.reverse(), meta: {} } : body });
  });
  await chat.goto(url);
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  return {
    canary,
    async load(messages, { isCounted = true } = {}) {
      history = [{ payload: { type: 'text', text: 'First neighbour' } }, ...messages, last];
      await page.reload();
      await chat.launcher.click();
      const drawn = chat.rows.last();
      await drawing(drawn).toContainText('Last neighbour');
      // Wait until both chunks have rendered.
      await drawing(drawn.locator('.markdown strong')).toHaveText('neighbour');
      await drawing(drawn.locator('a.thing')).toHaveCount(1);
      if (isCounted) await drawing(chat.rows).toHaveCount(messages.length + 2);
      const wrong = await chat.window.evaluate(
        (frame, reads) =>
          reads.flatMap(([key, text]) => {
            const shown = frame.querySelector(`[data-key="${key}"] .bubble > .text`)?.textContent;
            return shown === text ? [] : [[key, shown, text]];
          }),
        messages.flatMap(({ reads }, i) =>
          reads === undefined ? [] : [[`msg_hostile_${i + 1}`, reads] as const],
        ),
      );
      expect(wrong).toEqual([]);
      await canary.expectIntact();
      await alive(chat);
      await expect(chat.rows.first()).toContainText('First neighbour');
      await canary.expectIntact();
    },
  };
}

/** Hundreds of messages take longer than the usual limit on a busy machine: with a load of 20 on two cores, 20 s. */
const drawing = expect.configure({ timeout: 60_000 });

const last: Said = {
  payload: {
    type: 'bloc',
    items: [
      { type: 'markdown', markdown: 'Last **neighbour**' },
      { type: 'file', fileUrl: 'https://example.com/a.txt' },
    ],
  },
  more: { createdAt: '2023-03-01T00:00:00Z' },
};

/** Hostile content must be harmless on both pages. */
export const pages = [
  { name: 'under the strictest policy', isBare: false },
  { name: 'on a page without a policy', isBare: true },
];

interface PageOptions {
  platform: PlatformServer;
  site: HostSite;
  attributes: string;
  csp: string | undefined;
}

/** The fixture `pageUrl` of a page with the policy, or with no header at all: neither CSP nor Trusted Types. */
export const servePage =
  (isBare: boolean) =>
  async ({ platform, site, attributes, csp }: PageOptions, use: (url: string) => Promise<void>) => {
    const policy = (csp ?? '').replaceAll('PLATFORM', platform.url);
    const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" ${attributes} async></script>`;
    await use(
      site.page(
        isBare ? '/bare' : '/hostile',
        pageHtml(script),
        isBare ? {} : { 'content-security-policy': policy },
      ),
    );
  };
