// Hostile content in every field of every payload and setting runs no script, sends no request and does not break the
// layout: under the strictest policy, where an attempt would be a violation, and on a page without a policy, which only
// the code of the chat protects.
import { Buffer } from 'node:buffer';
import type { Message } from '../../src/protocol/message.ts';
import type { Platform } from '../../src/protocol/page-api.ts';
import { toDrawable } from '../../src/widget/chat/payloads/drawable.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';
import { type Canary, inspect, watch } from '../support/hostile/canary.ts';
import { addressed, type Shape, texts } from '../support/hostile/shapes.ts';
import { addresses, html, markdown, unicode, values } from '../support/hostile/vectors.ts';

test.use({
  env: scriptedBot,
  csp: strictCsp('PLATFORM', { media: true }),
  attributes: 'data-feedback-enabled data-allow-file-upload',
});

/** The number of messages per history: fewer than the transcript keeps in the DOM. */
const historyRows = 280;
const strings = [...html, ...markdown, ...unicode];

interface Said {
  payload: unknown;
  /** True when the visitor is the author. */
  isOwn?: boolean;
  /** Fields of the message itself. */
  more?: Record<string, unknown>;
  /** The exact text that must be displayed. */
  reads?: string;
}

/** Opens a chat on a page with or without a policy; `load` sets the history of the next page load. */
async function open(
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
      await expect(chat.rows.last()).toContainText('Last neighbour');
      // Wait until both chunks have rendered.
      const drawn = chat.rows.last();
      await expect(drawn.locator('.markdown strong')).toHaveText('neighbour');
      await expect(drawn.locator('a.thing')).toHaveCount(1);
      if (isCounted) await expect(chat.rows).toHaveCount(messages.length + 2);
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
      await canary.expectCalm();
      await alive(chat);
      await expect(chat.rows.first()).toContainText('First neighbour');
      await canary.expectCalm();
    },
  };
}

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

/** Checks that the chat works: a message is sent, and the answer is shown. */
async function alive(chat: ChatPage): Promise<void> {
  const text = `Still here ${Math.random()}`;
  await chat.send(text);
  await expect(chat.botRows.last()).toContainText(`received text {"type":"text","text":"${text}"}`);
}

const portions = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

const pages = [
  { name: 'under the strictest policy', path: '/strict', isBare: false },
  { name: 'on a page without a policy', path: '/bare', isBare: true },
];

test('the canary detects scripts, requests and other effects of hostile content', async ({
  chat,
  page,
  site,
  platform,
}) => {
  const url = site.page('/control', pageHtml(`<script src="${platform.chatUrl}/webchat.js"></script>`), {});
  const canary = await watch(chat, url);
  await chat.goto(url);
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await canary.expectCalm();
  await page.evaluate(
    (all) => {
      for (const one of all) document.body.append(document.createRange().createContextualFragment(one));
      for (const link of document.querySelectorAll<HTMLElement>('a[href^="javascript:"]')) link.click();
      const bubble = document.querySelector('platform-webchat')?.shadowRoot?.querySelector('.bubble');
      for (const one of all) bubble?.append(document.createRange().createContextualFragment(one));
    },
    html.filter((one) => !/refresh|<style|base|textarea|plaintext|xmp|noscript|platform-webchat/.test(one)),
  );
  await expect.poll(() => canary.all()).toContain('script');
  const seen = (await canary.all()).join('\n');
  for (const what of ['request http://canary.invalid/i.png', 'frame ']) expect(seen).toContain(what);
  const found = (await inspect(page)).join('\n');
  for (const what of ['<img> has onerror', '<script> has no place', 'has style=', 'id=platform', 'is fixed'])
    expect(found).toContain(what);
  chat.consoleErrors = [];
});

for (const { name, isBare } of pages) {
  test.describe(name, () => {
    test.use({
      // No header at all: neither CSP nor Trusted Types.
      pageUrl: async ({ platform, site, attributes, csp }, use) => {
        const policy = (csp ?? '').replaceAll('PLATFORM', platform.url);
        const script = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" ${attributes} async></script>`;
        await use(
          site.page(
            isBare ? '/bare' : '/hostile',
            pageHtml(script),
            isBare ? {} : { 'content-security-policy': policy },
          ),
        );
      },
    });

    test('hostile text is shown as text in every field of every payload', async ({ chat, pageUrl }) => {
      const { load } = await open(chat, pageUrl);
      const shapes = new Map(texts(`${chat.platform.url}/demo/media/`));
      const made = (shape: string, x: string) => (shapes.get(shape) as Shape[1])(x);
      const messages = strings.flatMap((x, i): Said[] => [
        { payload: made('text', x), ...(x.trim() && { reads: toDrawable(x) }) },
        { payload: made(i % 2 ? 'bloc' : 'bloc, nested', x) },
        { payload: made('carousel', x) },
        { payload: made(i % 2 ? 'choice' : 'dropdown', x) },
        { payload: made('unknown', x), more: { metadata: { [x]: x, streamId: `${x} ${i}`, error: x } } },
      ]);
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
        ...addressed.slice(0, 3).map(([, make]): Said => ({ payload: make(x) })),
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

    test('hostile text is harmless at every moment of a stream', async ({ chat, pageUrl, page }) => {
      const { canary } = await open(chat, pageUrl);
      const texts = [...markdown, ...html];
      // All concurrently, each in deltas of a different size, one delta per frame. A delta can end inside of a
      // character.
      const frames = await page.evaluate(async (all) => {
        const { userId } = JSON.parse(Object.values(localStorage)[0] ?? '{}');
        const conversationId = '';
        const createdAt = new Date().toISOString();
        const streams = all.map((text, i) => ({ streamId: `stream ${i}`, text, size: 2 + (i % 4), at: 0 }));
        let count = 0;
        for (; streams.some(({ at, text }) => at < text.length); count++) {
          const signals = streams.flatMap((stream) => {
            const { streamId, text, size, at } = stream;
            if (at >= text.length) return [];
            stream.at += size;
            const data = {
              streamId,
              conversationId,
              userId: `not ${userId}`,
              createdAt,
              sequence: at / size,
            };
            return [{ type: 'message_stream_delta', data: { ...data, delta: text.slice(at, at + size) } }];
          });
          window.serverSays(...signals);
          await new Promise(requestAnimationFrame);
        }
        return count;
      }, texts);
      expect(frames).toBeGreaterThan(40);
      await expect(chat.window.locator('.row[data-status="streaming"]')).toHaveCount(texts.length);
      await canary.expectCalm();
      await page.evaluate((all) => {
        const message = (text: string, i: number) => ({
          id: `msg_end_${i}`,
          createdAt: new Date().toISOString(),
          userId: 'bot',
          conversationId: '',
          payload: { type: 'markdown', markdown: text },
          metadata: { streamId: `stream ${i}` },
        });
        window.serverSays(
          ...all.map((text, i) => ({
            type: 'message_stream_complete',
            data: { streamId: `stream ${i}`, message: message(text, i) },
          })),
        );
      }, texts);
      await expect(chat.window.locator('.row[data-status="streaming"]')).toHaveCount(0);
      await alive(chat);
      await canary.expectCalm();
    });

    test('hostile text in the configuration, the draft and announcements is shown as text', async ({
      chat,
      pageUrl,
      page,
    }) => {
      const { canary } = await open(chat, pageUrl);
      const wrong = await page.evaluate(
        async (all) => {
          const root = document.querySelector('platform-webchat')?.shadowRoot;
          const text = (selector: string) => root?.querySelector(selector)?.textContent;
          const found: unknown[] = [];
          for (const x of all) {
            const link = { title: x, link: x };
            const configuration = {
              botName: x,
              botDescription: x,
              composerPlaceholder: x,
              footer: x,
              // A plain word is a font name that is requested from Google. No other request is allowed.
              fontFamily: /^[\w -]+$/.test(x) ? '' : x,
              phone: link,
              email: link,
              website: link,
              termsOfService: link,
              privacyPolicy: link,
            };
            (window.platform as Platform).config({ configuration });
            window.serverSays({
              type: 'webchat_config',
              data: { conversationId: '', config: configuration },
            });
            await new Promise(requestAnimationFrame);
            await new Promise(requestAnimationFrame);
            const label = root?.querySelector('.window')?.getAttribute('aria-label');
            const placeholder = root?.querySelector('textarea')?.placeholder;
            if (
              text('h2') !== x ||
              text('.description') !== x ||
              label !== `Chat with ${x}` ||
              placeholder !== x
            )
              found.push([x, text('h2'), text('.description'), label, placeholder]);
            for (const address of root?.querySelectorAll('.footer [src], .footer [onclick], .header [src]') ??
              [])
              found.push([x, address.outerHTML]);
          }
          return found;
        },
        strings.filter(
          (x, i) =>
            i % 2 === Number(isBare) && x.trim() && !x.includes('\r') && !/[\ud800-\udfff]lone/.test(x),
        ),
      );
      expect(wrong).toEqual([]);
      await canary.expectCalm();
      // Announcements, and the stored draft.
      await page.evaluate((all) => {
        const createdAt = new Date().toISOString();
        const live = (x: string, i: number) => ({
          type: 'message_created',
          data: {
            id: `msg_live_${i}`,
            createdAt,
            userId: 'bot',
            isBot: true,
            payload: { type: 'image', title: x, imageUrl: 'none:' },
          },
        });
        window.serverSays(...all.map(live));
      }, strings);
      await expect(page.locator('.live p')).not.toHaveCount(0);
      await canary.expectCalm();
      for (const x of strings.slice(0, 3)) {
        await chat.input.fill(x);
        await page.reload();
        await chat.launcher.click();
        await expect(chat.input).toHaveValue(x);
      }
      await canary.expectCalm();
      await alive(chat);
      // Invalid URLs and colors are reported to the page and in the console.
      chat.consoleErrors = chat.consoleErrors.filter((line) => !line.startsWith('[platform] Configuration:'));
    });

    test('hostile text in error responses is shown as text', async ({ chat, pageUrl, page }) => {
      const { canary } = await open(chat, pageUrl);
      await chat.recordEvents();
      const x = '"><img src=x onerror=pwned()><script>pwned()</script>';
      const refuse = { id: 'err_1', code: 400, type: 'InvalidPayload', message: x, metadata: { [x]: x } };
      await page.route(/\/(messages|files|users\/me)$/, (route) =>
        ['POST', 'PUT'].includes(route.request().method())
          ? route.fulfill({ status: 400, json: refuse, headers: { 'access-control-allow-origin': '*' } })
          : route.fallback(),
      );
      await chat.send(x);
      await expect(chat.rows.last()).toHaveAttribute('data-status', 'failed');
      await expect(
        chat.rows.last().getByRole('button', { name: `Discard: ${x.slice(0, 40)}` }),
      ).toBeVisible();
      await chat.window.locator('.viewport').hover();
      await chat.window
        .locator('input[type=file]')
        .setInputFiles({ name: x, mimeType: x, buffer: Buffer.from('x') });
      const tray = chat.window.getByRole('list', { name: 'Files to send' });
      // The announcement includes the file name.
      await expect(tray.getByRole('alert')).toHaveText(`${x}: ${x}`);
      await expect(tray.locator('bdi')).toHaveText(x);
      expect(
        await page.evaluate(
          (name) => (window.platform as Platform).updateUser({ name }).catch((e) => e.message),
          x,
        ),
      ).toBe(x);
      expect(await chat.eventTypes()).toContain('error');
      await canary.expectCalm();
      await page.unroute(/\/(messages|files|users\/me)$/);
      await tray.getByRole('button').click();
      await chat.rows
        .last()
        .getByRole('button', { name: /^Discard/ })
        .click();
      await alive(chat);
      chat.ignoreConsoleErrors(/status of 400/);
    });
  });
}

test.describe('malformed server responses', () => {
  test('malformed signals do no harm', async ({ chat, pageUrl, page }) => {
    const { canary } = await open(chat, pageUrl);
    await page.evaluate((all) => {
      const createdAt = new Date().toISOString();
      const fields: Record<string, object> = {
        message_created: {
          id: 'msg_1',
          createdAt,
          userId: 'bot',
          payload: { type: 'text', text: 'x' },
          isBot: true,
        },
        message_updated: { id: 'msg_2', createdAt, userId: 'bot', payload: { type: 'text', text: 'x' } },
        message_deleted: { id: 'msg_none', conversationId: '', userId: 'bot' },
        event_created: { id: 'evt_1', createdAt, userId: 'bot', payload: { a: 1 }, isBot: true },
        participant_added: { conversationId: '', participantId: 'x' },
        message_stream_delta: { streamId: 's', userId: 'bot', createdAt, sequence: 0, delta: 'x' },
        message_stream_complete: { streamId: 's', message: { id: 'msg_3' } },
        message_stream_abort: { streamId: 's' },
        typing_started: { userId: 'bot', timeout: 100 },
        typing_stopped: { userId: 'bot' },
        webchat_visibility: { visibility: 'show' },
        webchat_config: {
          config: { color: 1, radius: 'x', adminKey: 'x', unknown: 1, remoteImages: 'all images' },
        },
        odd: {},
        __proto__: {},
        constructor: {},
      };
      let count = 0;
      for (const [type, data] of Object.entries(fields)) {
        window.serverSays({ type, data });
        for (const x of all) {
          window.serverSays({ type, data: x });
          for (const field of Object.keys(data)) {
            // Each in a separate stream, so that the rest of one cannot hide the next one.
            window.serverSays({ type, data: { ...data, streamId: `s${count++}`, [field]: x } });
          }
        }
        window.serverSays({ type }, { type, data: 5 }, type, `{"type":"${type}","data":`);
      }
    }, values);
    await alive(chat);
    await expect(chat.botRows.first()).toContainText('I am the demo bot’s scripted double');
    await canary.expectCalm();
    // A message that cannot be parsed is reported in the console and skipped.
    const isSaid = /^\[platform\] Configuration:|^TypeError: .*annot convert object to primitive value/;
    chat.consoleErrors = chat.consoleErrors.filter((line) => !isSaid.test(line));
  });

  test('malformed lists do not break the chat', async ({ chat, pageUrl }) => {
    const { canary, load } = await open(chat, pageUrl);
    const text = { type: 'text', text: 'x' };
    const times = [
      ...values,
      '',
      'yesterday',
      '2023-02-01',
      '2023-02-01 00:00:01',
      '2023-02-01T00:00:02+00:00',
    ];
    await load(
      times.map((createdAt): Said => ({ payload: text, more: { createdAt } })),
      { isCounted: false },
    );
    // One message among many is null.
    await load([{ payload: text, more: { id: 5 } }, ...values.map((payload): Said => ({ payload }))], {
      isCounted: false,
    });
    await canary.expectCalm();
  });

  test('malformed server features are ignored', async ({ chat, page, site, platform }) => {
    const script = `<script src="${platform.url}/webchat/webchat.js" data-chat-url="${platform.chatUrl}" data-allow-file-upload data-feedback-enabled></script>`;
    const url = site.page('/nonsense', pageHtml(script), {});
    let answer: unknown;
    await page.route(/\/webchat$/, (route) =>
      route.fulfill({ json: answer, headers: { 'access-control-allow-origin': '*' } }),
    );
    const features = ['files', 'feedback', 'typing', 'stream'];
    for (answer of [
      null,
      'x',
      { features: 5 },
      { features: { length: 1 }, limits: 5 },
      { features },
      { features, limits: { fileTypes: 'x', fileBytes: 'x' } },
    ]) {
      await chat.goto(url);
      await chat.launcher.click();
      await expect(chat.botRows.first()).toBeVisible();
      await chat.window.locator('.viewport').hover();
      const isTaken = (answer as { features?: unknown } | null)?.features === features;
      const attach = chat.window.getByRole('button', { name: 'Attach files' });
      await expect(attach).toHaveCount(isTaken ? 1 : 0);
      if (isTaken) {
        const files = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') };
        await chat.window.locator('input[type=file]').setInputFiles(files);
        const tray = chat.window.getByRole('list', { name: 'Files to send' });
        await expect(tray.getByRole('listitem')).toHaveCount(1);
        await tray.getByRole('button', { name: 'Remove a.txt' }).click();
      }
      await alive(chat);
    }
  });
});

/** Encoded for a URL; values that cannot be converted to text are omitted. */
const safely = (x: unknown) => {
  try {
    return String(x);
  } catch {
    return '';
  }
};
