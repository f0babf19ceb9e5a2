// Hostile content in every field of every payload runs no script, sends no request and does not break the layout: under
// the strictest policy, where an attempt would be a violation, and on a page without a policy, which only the code of
// the chat protects.
import { payloadTypes } from '../../src/protocol/schemas/payloads.ts';
import { toDrawable } from '../../src/widget/chat/payloads/drawable.ts';
import { scriptedChat } from '../support/bots/scripted-chat.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';
import { inspect, watch } from '../support/hostile/canary.ts';
import { open, pages, type Said, servePage } from '../support/hostile/history.ts';
import { addressed, type Shape, texts } from '../support/hostile/shapes.ts';
import { addresses, html, strings, values } from '../support/hostile/vectors.ts';

test.use(scriptedChat);
// A long file at the end of the alphabet.
test.describe.configure({ mode: 'parallel' });

/** The number of messages per history: fewer than the transcript keeps in the DOM. */
const historyRows = 280;

const portions = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

test('the canary detects scripts, requests and other effects of hostile content', async ({
  chat,
  page,
  site,
  platform,
}) => {
  const url = site.page('/control', pageHtml(`<script src="${platform.chatUrl}/webchat.js"></script>`), {});
  const canary = await watch(chat, url);
  await chat.goto(url);
  await chat.openWindow();
  await canary.expectIntact();
  await page.evaluate(
    (all) => {
      for (const one of all) document.body.append(document.createRange().createContextualFragment(one));
      for (const link of document.querySelectorAll<HTMLElement>('a[href^="javascript:"]')) link.click();
      const bubble = document.querySelector('platform-webchat')?.shadowRoot?.querySelector('.bubble');
      for (const one of all) bubble?.append(document.createRange().createContextualFragment(one));
    },
    html.filter((one) => !/refresh|<style|base|textarea|plaintext|xmp|noscript|platform-webchat/.test(one)),
  );
  for (const what of ['script', 'request http://canary.invalid/i.png', 'frame '])
    await expect.poll(async () => (await canary.all()).join('\n')).toContain(what);
  const found = (await inspect(page)).join('\n');
  for (const what of ['<img> has onerror', '<script> has no place', 'has style=', 'id=platform', 'is fixed'])
    expect(found).toContain(what);
  chat.consoleErrors = [];
});

for (const { name, isBare } of pages) {
  test.describe(name, () => {
    test.use({ pageUrl: servePage(isBare) });
    test.slow();

    test('hostile text is shown as text in every field of every payload', async ({ chat, pageUrl }) => {
      const { load } = await open(chat, pageUrl);
      const shapes = new Map(texts(`${chat.platform.url}/demo/media/`));
      const made = (shape: string, x: string) => (shapes.get(shape) as Shape[1])(x);
      const often = ['text', 'bloc', 'bloc, nested', 'carousel', 'choice', 'dropdown', 'unknown'];
      const rare = [...shapes.keys()].filter((shape) => !often.includes(shape));
      expect([...shapes.keys()]).toEqual(expect.arrayContaining(payloadTypes));
      const messages = strings.flatMap((x, i): Said[] => [
        { payload: made('text', x), ...(x.trim() && { reads: toDrawable(x) }) },
        { payload: made(i % 2 ? 'bloc' : 'bloc, nested', x) },
        { payload: made('carousel', x) },
        { payload: made(i % 2 ? 'choice' : 'dropdown', x) },
        { payload: made('unknown', x), more: { metadata: { [x]: x, streamId: `${x} ${i}`, error: x } } },
        // Every second string, so that the histories stay short: parts of these shapes are in a bloc or a carousel too.
        ...(i % 2 ? [] : [{ payload: made(rare[(i / 2) % rare.length] ?? '', x) }]),
      ]);
      // Each of them gets strings of every kind.
      expect(strings.length / 2).toBeGreaterThan(rare.length * 5);
      expect(messages.length).toBeGreaterThan(800);
      for (const portion of portions(messages, historyRows)) await load(portion);
      chat.ignoreConsoleErrors(/404/);
    });

    test('hostile URLs are neither linked nor loaded', async ({ chat, pageUrl, page }) => {
      const { load } = await open(chat, pageUrl);
      const messages = addressed.flatMap(([, make]) => addresses.map((x): Said => ({ payload: make(x) })));
      for (const portion of portions(messages, historyRows)) {
        await load(portion);
        const sources = await page.evaluate(() =>
          [
            ...(document.querySelector('platform-webchat')?.shadowRoot?.querySelectorAll('.bubble [src]') ??
              []),
          ].map((element) => element.getAttribute('src')),
        );
        expect(sources).toEqual([]);
      }
    });

    test('values of the wrong type do no harm in any field', async ({ chat, pageUrl }) => {
      const { load } = await open(chat, pageUrl);
      const shapes = texts(`${chat.platform.url}/demo/media/`);
      const messages = values.flatMap((x): Said[] => [
        ...shapes.map(([, make]): Said => ({ payload: make(x) })),
        ...addressed.map(([, make]): Said => ({ payload: make(safely(x)) })),
        // Words contain only texts.
        ...addressed.filter(([name]) => name !== 'words').map(([, make]): Said => ({ payload: make(x) })),
        {
          payload: { type: 'text', text: 'Own' },
          isOwn: true,
          more: { metadata: { clientMessageId: x, answers: x } },
        },
        { payload: { type: 'text', text: 'Fields' }, more: { metadata: x, feedback: x, userId: x } },
        { payload: { type: 'text', text: 'Feedback' }, more: { feedback: { value: x, comment: x } } },
      ]);
      for (const portion of portions(messages, historyRows)) await load(portion);
      chat.ignoreConsoleErrors(/404/);
    });
  });
}

/** Encoded for a URL; values that cannot be converted to text are omitted. */
const safely = (x: unknown) => {
  try {
    return String(x);
  } catch {
    return '';
  }
};
