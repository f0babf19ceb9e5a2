// Measures bytes as transferred: until the launcher shows, until the window is open, and for bundles that are loaded on demand.
import { pollUntil } from '../../e2e/support/poll.ts';
import type { ChatPage } from '../chat-page.ts';
import type { Case } from '../measure.ts';

/** `markdown` of `markdown-1a2b3c4d.js`. */
const nameOf = (file: string) => /([\w-]+?)(-[\w-]{6})?\.js$/.exec(file)?.[1];

/** A bundle, a payload that makes the chat load it, and what is then in the window. */
const triggers = [
  ['markdown', { type: 'markdown', markdown: '**bold**' }, '.markdown strong'],
  ['extras', { type: 'card', title: 'A card', actions: [] }, '[data-type=card] *'],
  ['highlight', { type: 'markdown', markdown: '```js\nlet a = 1;\n```' }, '.markdown .syn-kwd'],
] as const;

const travel: Case = {
  name: 'travel',
  times: 1,
  run: ({ inPage }) =>
    inPage(async (chatPage) => {
      const { page } = chatPage;
      const bytes = await countTransferredBytes(chatPage);
      await page.reload();
      const root = page.locator('platform-webchat');
      await root.locator('.launcher').waitFor();
      await page.waitForLoadState('networkidle');
      const launcher = { ...bytes };
      await chatPage.prepare(1);
      // Bundles that load while the page is idle are not needed for a usable window; they may have begun to load already.
      const { background: _, people: __, ...open } = bytes;
      for (const [, payload, selector] of triggers) {
        await chatPage.instruct({ reply: [payload] });
        await root.locator(selector).first().waitFor();
      }
      // The CDP session may report it later than the page does.
      await pollUntil('the bytes of the extras', () => (bytes.extras ?? 0) > 0);
      const total = (some: Record<string, number>) => Object.values(some).reduce((a, b) => a + b, 0);
      const of = (name: string) => bytes[name] ?? 0;
      return {
        'until the launcher shows': [total(launcher), 'B'],
        'until the window is open': [total(open), 'B'],
        'for Markdown': [of('markdown'), 'B'],
        'for extras': [of('extras'), 'B'],
        'for highlighting': [of('highlight'), 'B'],
        'of all files': [total(bytes), 'B'],
        'files until the launcher shows': [Object.keys(launcher).length, ''],
        'files until the window is open': [Object.keys(open).length, ''],
      };
    }),
};

/** Sums the transferred bytes of script bodies by file name. */
async function countTransferredBytes({ cdp }: ChatPage): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  const urls = new Map<string, string>();
  await cdp.send('Network.enable');
  await cdp.send('Network.setCacheDisabled', { cacheDisabled: true });
  cdp.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url));
  cdp.on('Network.dataReceived', ({ requestId, encodedDataLength }) => {
    const name = nameOf(urls.get(requestId) ?? '');
    if (name) sums[name] = (sums[name] ?? 0) + encodedDataLength;
  });
  return sums;
}

export const bytesCases: Case[] = [travel];
