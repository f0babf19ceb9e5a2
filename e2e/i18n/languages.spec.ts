// Languages: selection, loading and failure of translations, right-to-left, custom strings, and that every visible text
// comes from the catalogues.
import { Buffer } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import type { Page, Route } from '@playwright/test';
import type { Configuration } from '../../src/protocol/config.ts';
import type { Platform } from '../../src/protocol/page-api.ts';
import type { PluralForms } from '../../src/widget/i18n/catalogue.ts';
import { chat as chatWords } from '../../src/widget/i18n/en/chat.ts';
import { extras } from '../../src/widget/i18n/en/extras.ts';
import { hostPage } from '../../src/widget/i18n/en/host-page.ts';
import { launcher, unread } from '../../src/widget/i18n/en/launcher.ts';
import { markdown } from '../../src/widget/i18n/en/markdown.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';

test.use({ env: scriptedBot });

/** The requested translation files, without their hashes. */
const fetched = (chat: ChatPage) =>
  chat.requests.flatMap((url) => /\/webchat\/(i18n|[a-z]{2})-[\w-]{6}\.js$/.exec(url)?.[1] ?? []);
const configure = (page: Page, configuration: object) =>
  page.evaluate((fields) => (window.platform as Platform).config({ configuration: fields }), configuration);
const box = (page: Page) =>
  page.locator('.box').evaluate((e: HTMLElement) => [e.lang, getComputedStyle(e).direction]);
const frame = (page: Page) => page.locator('.window');
const rows = (page: Page) => frame(page).locator('.row[data-status]');

/** A page in a language, with the server's script. */
const pageIn = (chatUrl: string, html: string, attributes = '') =>
  pageHtml(`<script nonce="n0nce" src="${chatUrl}/webchat.js" ${attributes}></script>`).replace(
    '<html lang="en">',
    `<html ${html}>`,
  );

test('an English page loads no translation, whatever the browser’s language, and the chat has lang=en', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(fetched(chat)).toEqual([]);
  expect(await box(page)).toEqual(['en', 'ltr']);
});

test('after destroy a new instance uses its own language', async ({ chat, page }) => {
  await chat.goto();
  await configure(page, { locale: 'de' });
  await expect(chat.launcher).toHaveAccessibleName('Chat öffnen');
  await page.evaluate(() => {
    const platform = window.platform as Platform;
    platform.destroy();
    platform.init({ configuration: { locale: 'en' } });
  });
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
});

test('on a German page launcher, window and lazily loaded parts are in German', async ({
  chat,
  page,
  serve,
  platform,
}) => {
  await chat.goto(serve('/de', pageIn(platform.chatUrl, 'lang="de-AT"')));
  await expect(chat.launcher).toHaveAccessibleName('Chat öffnen');
  expect(await box(page)).toEqual(['de-AT', 'ltr']);
  expect(fetched(chat)).toEqual(['i18n', 'de']);
  await page.evaluate(() => (window.platform as Platform).setUnreadMessageCount(2));
  await expect(chat.launcher).toHaveAccessibleName('Chat öffnen, 2 ungelesene Nachrichten');
  await chat.launcher.click();
  await expect(rows(page)).toHaveCount(1);
  await expect(frame(page)).toHaveAccessibleName('Chat mit Bot');
  await expect(chat.launcher).toHaveAccessibleName('Chat schließen');
  const input = frame(page).getByRole('textbox', { name: 'Nachricht' });
  await expect(input).toHaveAttribute('placeholder', 'Nachricht schreiben …');
  await expect(frame(page).locator('.row .day')).toHaveText('Heute');
  await chat.instructBot({
    reply: [
      { type: 'markdown', markdown: '```\n1\n```' },
      { type: 'location', latitude: 1, longitude: 2 },
      { type: 'dropdown', text: '?', options: [{ label: 'a', value: 'a' }] },
    ],
  });
  await expect(frame(page).getByRole('button', { name: 'Kopieren', exact: true })).toBeVisible();
  await expect(frame(page).locator('[data-type="location"]')).toContainText('Ort');
  await expect(frame(page).getByRole('combobox')).toContainText('Antwort auswählen');
  await frame(page).getByRole('button', { name: 'Neue Unterhaltung beginnen' }).click();
  await expect(frame(page).getByRole('alertdialog')).toHaveAccessibleName('Neue Unterhaltung beginnen?');
  expect(fetched(chat)).toEqual(['i18n', 'de']);
});

test.describe('language selection', () => {
  test.use({ locale: 'pt-BR' });

  test('the browser’s language is used when the page has none', async ({ chat, page, serve, platform }) => {
    await chat.goto(serve('/silent', pageIn(platform.chatUrl, '')));
    await expect(chat.launcher).toHaveAccessibleName('Abrir o chat');
    expect(await box(page)).toEqual(['pt-BR', 'ltr']);
  });

  test('unknown languages of page and configuration fall back to the browser’s language', async ({
    chat,
    serve,
    platform,
  }) => {
    await chat.goto(serve('/sv', pageIn(platform.chatUrl, 'lang="sv"', 'data-locale="not a language"')));
    await expect(chat.launcher).toHaveAccessibleName('Abrir o chat');
  });

  test('the configured language overrides those of page and browser', async ({ chat, serve, platform }) => {
    await chat.goto(serve('/ja', pageIn(platform.chatUrl, 'lang="de"', 'data-locale="ja"')));
    await expect(chat.launcher).toHaveAccessibleName('チャットを開く');
    expect(fetched(chat)).toEqual(['i18n', 'ja']);
  });
});

test('a language change applies at once to launcher, window, messages and lazily loaded parts, and the last one wins', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.instructBot({
    reply: [
      { type: 'markdown', markdown: '```\n1\n```' },
      {
        type: 'carousel',
        items: [
          { title: '1', actions: [] },
          { title: '2', actions: [] },
        ],
      },
    ],
  });
  await expect(chat.window.getByRole('button', { name: 'Copy', exact: true })).toBeVisible();
  await expect(chat.window.getByRole('region', { name: 'Cards' })).toBeVisible();
  await chat.send('{"n":1}');
  await expect(chat.rows.filter({ hasText: '{"n":1}' })).toContainText('You:');

  // The second change is requested before the first one is complete.
  await page.evaluate(() => {
    for (const locale of ['fr', 'it', 'pl'])
      (window.platform as Platform).config({ configuration: { locale } });
  });
  await expect(chat.launcher).toHaveAccessibleName('Zamknij czat');
  await expect(frame(page)).toHaveAccessibleName('Czat: Bot');
  await expect(frame(page).getByRole('button', { name: 'Kopiuj', exact: true })).toBeVisible();
  await expect(frame(page).getByRole('region', { name: 'Karty' })).toBeVisible();
  await expect(rows(page).filter({ hasText: '{"n":1}' })).toContainText('Ty:');
  await expect(rows(page).filter({ hasText: '{"n":1}' })).toContainText('Wysłano');
  expect(await box(page)).toEqual(['pl', 'ltr']);

  // Another configuration change does not change strings or render Markdown again.
  await frame(page)
    .locator('.code')
    .evaluate((e) => e.setAttribute('data-same', ''));
  await configure(page, { color: '#123456' });
  await expect(frame(page).locator('.code[data-same]')).toHaveCount(1);

  await configure(page, { locale: 'en' });
  await expect(chat.launcher).toHaveAccessibleName('Close chat');
  await expect(chat.window.getByRole('button', { name: 'Copy', exact: true })).toBeVisible();
  await configure(page, { locale: '' });
  expect(await box(page)).toEqual(['en', 'ltr']);
});

test('custom strings with plurals work as in the documentation, and wrong ones are ignored', async ({
  chat,
  page,
}) => {
  const code = /```js\n(.*?)```/s.exec(await readFile('docs/guides/languages.md', 'utf8'))?.[1] ?? '';
  const given = new Function('platform', code) as (platform: { config(options: unknown): void }) => void;
  let configuration: Configuration = {};
  given({
    config(options) {
      ({ configuration } = options as { configuration: Configuration });
    },
  });
  await chat.startConversation();
  await configure(page, configuration);
  await expect(chat.input).toHaveAttribute('placeholder', 'How can we help?');
  await chat.launcher.click();
  await expect(chat.launcher).toHaveAccessibleName('Talk to us');

  const junk = { openChat: 5, send: { one: 'x' }, close: ['x'], messages: '', nonsense: 'x', unread: null };
  await configure(page, { strings: { ...junk, composer: 'Say something', copyCode: 'Take it' } });
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
  await chat.launcher.click();
  await expect(frame(page).getByRole('textbox', { name: 'Say something' })).toBeVisible();
  await expect(frame(page).getByRole('button', { name: 'Send message' })).toBeVisible();
  await expect(frame(page).locator('[part="close"]')).toHaveAccessibleName('Close chat');
  await chat.instructBot({ reply: [{ type: 'markdown', markdown: '```\n1\n```' }] });
  await expect(frame(page).getByRole('button', { name: 'Take it' })).toBeVisible();
  // Custom strings also override another language.
  await configure(page, { locale: 'nl' });
  await expect(frame(page).getByRole('button', { name: 'Bericht verzenden' })).toBeVisible();
  await expect(frame(page).getByRole('button', { name: 'Take it' })).toBeVisible();
  // A configured placeholder overrides the translation.
  await configure(page, { composerPlaceholder: 'Mine' });
  await expect(frame(page).getByRole('textbox', { name: 'Say something' })).toHaveAttribute(
    'placeholder',
    'Mine',
  );
  expect(fetched(chat)).toEqual(['i18n', 'nl']);
});

for (const file of ['i18n', 'de']) {
  const pattern = new RegExp(`/webchat/${file}-[\\w-]{6}\\.js`);

  test(`when ${file} fails to load the chat is in English and reports an error to the page`, async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    const html = pageIn(platform.chatUrl, 'lang="de"').replace(
      '<body>',
      `<body><script nonce="n0nce">(window.platform ||= []).push((p) => p.on('error', ({ code }) => seen.events.push(code)));</script>`,
    );
    await page.route(pattern, (route) => route.abort());
    await chat.goto(serve(`/blocked-${file}`, html));
    await expect.poll(() => page.evaluate(() => window.seen.events)).toContain('chunk_failed');
    await expect(chat.launcher).toHaveAccessibleName('Open chat');
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(chat.window).toHaveAccessibleName('Chat with Bot');
    expect((await box(page))[0]).toBe('en');
    chat.ignoreConsoleErrors('ERR_FAILED');
  });

  test(`when ${file} is slow the chat is usable, and the language changes once it arrives`, async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    let held: Route | undefined;
    await page.route(pattern, (route) => {
      held = route;
    });
    await chat.goto(serve(`/held-${file}`, pageIn(platform.chatUrl, 'lang="de"')));
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(chat.window).toHaveAccessibleName('Chat with Bot');
    await held?.continue();
    await expect(frame(page)).toHaveAccessibleName('Chat mit Bot');
    await expect(chat.launcher).toHaveAccessibleName('Chat schließen');
  });
}

test('a translation that failed to load is requested again when the window opens', async ({
  chat,
  page,
  serve,
  platform,
}) => {
  const pattern = /\/webchat\/de-[\w-]{6}\.js/;
  let count = 0;
  await page.route(pattern, (route) => (count++ ? route.continue() : route.abort()));
  await chat.goto(serve('/again', pageIn(platform.chatUrl, 'lang="de"')));
  await expect.poll(() => count).toBe(1);
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
  await chat.launcher.click();
  await expect(frame(page)).toHaveAccessibleName('Chat mit Bot');
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('an instance that was destroyed does not return when its translation arrives late', async ({
  chat,
  page,
  serve,
  platform,
}) => {
  let held: Route | undefined;
  await page.route(/\/webchat\/de-[\w-]{6}\.js/, (route) => {
    held = route;
  });
  await chat.goto(serve('/removed', pageIn(platform.chatUrl, 'lang="de"')));
  await expect.poll(() => !!held).toBe(true);
  await page.evaluate(() => (window.platform as Platform).destroy());
  const loaded = page.waitForResponse(/\/webchat\/de-/);
  await held?.continue();
  await loaded;
  await expect(page.locator('platform-webchat')).toHaveCount(0);
});

test.describe('direction', () => {
  const say = [
    { type: 'text', text: 'أهلاً وسهلاً، كيف يمكنني مساعدتك؟' },
    {
      type: 'carousel',
      items: [
        { title: '1', actions: [] },
        { title: '2', actions: [] },
      ],
    },
  ];
  const places = async (page: Page) => {
    const width = page.viewportSize()?.width ?? 0;
    const side = ({ x = 0, width: own = 0 } = {}) =>
      x < width - x - own ? ['left', x] : ['right', width - x - own];
    return [
      side((await page.locator('.launcher').boundingBox()) ?? {}),
      side((await frame(page).boundingBox()) ?? {}),
    ];
  };
  const middle = async (page: Page, index: number) => {
    const { x = 0, width = 0 } = (await rows(page).nth(index).locator('.bubble').boundingBox()) ?? {};
    return x + width / 2;
  };

  test('Arabic text in an English page is right-to-left, and the launcher keeps its corner', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await configure(page, { locale: 'ar', feedbackEnabled: true, allowFileUpload: true });
    await expect(chat.launcher).toHaveAccessibleName('إغلاق المحادثة');
    expect(await box(page)).toEqual(['ar', 'rtl']);
    await chat.instructBot({ reply: say });
    await expect(rows(page)).toHaveCount(4);
    await expect(frame(page).locator('.carousel')).toBeVisible();
    expect(await places(page)).toEqual([
      ['right', 20],
      ['right', 20],
    ]);
    expect(await middle(page, 1)).toBeLessThan(await middle(page, 2));
    await expect(frame(page).getByRole('button', { name: 'إرسال الرسالة' })).toBeVisible();
    expect(
      await frame(page)
        .locator('textarea')
        .evaluate((e) => getComputedStyle(e).direction),
    ).toBe('rtl');
    await frame(page).locator('[part="restart"]').click();
    await expect(frame(page).getByRole('alertdialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await chat.launcher.click();
    await page.evaluate(() => (window.platform as Platform).setUnreadMessageCount(3));
    await expect(chat.launcher).toHaveAccessibleName('فتح المحادثة، 3 رسائل غير مقروءة');
    const badge = await page.locator('.badge').boundingBox();
    const button = await chat.launcher.boundingBox();
    expect(Math.abs((badge?.x ?? 0) + (badge?.width ?? 0) - (button?.x ?? 0) - 60)).toBeLessThanOrEqual(1);
  });

  test('English text in an Arabic page is left-to-right, and the launcher is in the page’s corner', async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    await chat.goto(serve('/en-in-ar', pageIn(platform.chatUrl, 'lang="ar" dir="rtl"', 'data-locale="en"')));
    await expect.poll(() => box(page)).toEqual(['en', 'ltr']);
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await chat.instructBot({ reply: say });
    await expect(chat.rows).toHaveCount(4);
    expect(await places(page)).toEqual([
      ['left', 20],
      ['left', 20],
    ]);
    expect(await middle(page, 1)).toBeGreaterThan(await middle(page, 2));
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => frame(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
  });

  test('Hebrew text in a Hebrew page is right-to-left', async ({ chat, page, serve, platform }) => {
    await chat.goto(serve('/he', pageIn(platform.chatUrl, 'lang="he" dir="rtl"')));
    await expect(chat.launcher).toHaveAccessibleName('פתיחת הצ׳אט');
    await chat.launcher.click();
    await expect(rows(page)).toHaveCount(1);
    await chat.instructBot({ reply: say });
    await expect(rows(page)).toHaveCount(4);
    expect(await places(page)).toEqual([
      ['left', 20],
      ['left', 20],
    ]);
  });
});

/**
 * Converts English to a pseudo-language: accented, longer text between marks, as in `⟦Sééñd⟧`. Placeholders are kept.
 */
function pseudo(text: string | PluralForms): string | object {
  if (typeof text === 'object')
    return Object.fromEntries(Object.entries(text).map(([key, form]) => [key, pseudo(form)]));
  const accented = text
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{') ? part : part.replace(/[aeiou]/g, (letter) => `${letter}${letter}\u0301`),
    );
  return `⟦${accented.join('')}⟧`;
}

test.describe('catalogues', () => {
  test.use({ csp: strictCsp('PLATFORM', { media: true }) });

  test('every visible text comes from the message catalogues, as a pseudo-language shows', async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    const english = {
      ...launcher,
      unread,
      ...hostPage,
      ...chatWords,
      ...extras,
      ...markdown,
    };
    const catalogue = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudo(text)]));
    await page.route(/\/webchat\/de-[\w-]{6}\.js/, (route) =>
      route.fulfill({
        contentType: 'text/javascript; charset=utf-8',
        headers: { 'access-control-allow-origin': '*' },
        body: `export default ${JSON.stringify(catalogue)}`,
      }),
    );
    // The content of the test has no letters, so that each letter outside of the marks is a hard-coded string.
    const attributes =
      'data-bot-name="7" data-bot-description="8" data-allow-file-upload data-feedback-enabled data-sound-enabled';
    await chat.goto(serve('/pseudo', pageIn(platform.chatUrl, 'lang="de"', attributes)));
    await configure(page, { footer: '' });
    await expect(chat.launcher).toHaveAccessibleName(/⟦/);
    const spoken = new Set<string>();
    const look = async () => {
      const texts = await page.locator('.box').evaluate((root) => {
        const found: string[] = [];
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
        for (let node: Node | null = root; node; node = walker.nextNode()) {
          // Messages that the test sends.
          if (node.parentElement?.closest('[data-side="visitor"] .text')) continue;
          if (node instanceof Text) found.push(node.data);
          if (!(node instanceof Element)) continue;
          for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
            found.push(node.getAttribute(name) ?? '');
        }
        return found;
      });
      const homeless: string[] = [];
      for (const text of texts) {
        let rest = text;
        // From the inside out, because a string can be a parameter of another one.
        for (const piece of [1, 2].flatMap(() => rest.match(/⟦[^⟦⟧]*⟧/g) ?? [])) {
          rest = rest.replace(piece, '');
          spoken.add(piece.replace(/\d+(\.\d+)*(:\d+)?/g, '#'));
        }
        // Intl formats file sizes, the bot sends the greeting, and URLs are not translated.
        rest = rest.replace(/⟦[^⟦⟧]*⟧|\d (Bytes?|kB)|I am the demo bot’s scripted double\.|https?:\S+/g, '');
        if (/\p{L}/u.test(rest)) homeless.push(text);
      }
      expect(homeless).toEqual([]);
    };
    await look();
    await chat.launcher.click();
    await expect(rows(page)).toHaveCount(1);
    await look();
    const options = [
      { label: '1', value: '1' },
      { label: '2', value: '2' },
    ];
    const items = [
      { title: '1', actions: [] },
      { title: '2', actions: [{ action: 'postback', label: '3', value: '3' }] },
    ];
    const picture = `${platform.url}/demo/media/photo.svg`;
    await chat.instructBot({
      reply: [
        { type: 'markdown', markdown: '```\n1\n```\n\n[1](https://1.test) ![](https://127.0.0.2/3)' },
        { type: 'image', imageUrl: picture },
        { type: 'image', imageUrl: `${platform.url}/4`, title: '4' },
        { type: 'audio', audioUrl: `${platform.url}/5` },
        { type: 'video', videoUrl: `${platform.url}/6` },
        { type: 'file', fileUrl: `${platform.url}/` },
        { type: 'location', latitude: 1, longitude: 2 },
        { type: 'carousel', items },
        { type: 'dropdown', text: '9', options },
        { type: 'choice', text: '9', options },
      ],
    });
    await expect(frame(page).getByRole('combobox')).toBeVisible();
    await expect(frame(page).locator('.copy')).toBeVisible();
    await expect(frame(page).locator('.broken')).not.toHaveCount(0);
    await look();
    const files = [
      { name: '1.2', mimeType: 'text/plain', buffer: Buffer.from('12345') },
      { name: '3', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    ];
    await page.locator('input[type="file"]').setInputFiles(files);
    await expect(frame(page).locator('.attachment[data-status="uploaded"]')).toHaveCount(1);
    await look();
    await page
      .locator('input[type="file"]')
      .setInputFiles(Array.from({ length: 9 }, () => files[0] as never));
    await expect(frame(page).getByRole('alert').nth(1)).toBeVisible();
    await look();
    // The scripted bot would answer feedback with letters.
    await page.route(/\/feedback$/, (route) => route.fulfill({ json: {} }));
    const firstRow = rows(page).first();
    await firstRow.hover();
    await firstRow.locator('.act').nth(2).click();
    await look();
    await page.keyboard.press('Escape');
    await frame(page).locator('[part="more"]').click();
    await expect(frame(page).getByRole('menu')).toBeVisible();
    await look();
    await page.getByRole('menuitem').nth(1).click();
    await look();
    await page.keyboard.press('Escape');
    await frame(page).locator('[part="restart"]').click();
    await expect(frame(page).getByRole('alertdialog')).toBeVisible();
    await look();
    await page.keyboard.press('Escape');
    await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
    await frame(page).locator('textarea').last().fill('12');
    await frame(page).locator('textarea').last().press('Enter');
    await expect(rows(page).last()).toHaveAttribute('data-status', 'failed');
    await look();
    await page.context().setOffline(true);
    await expect(frame(page).locator('.notice p')).toBeVisible();
    await look();
    await page.context().setOffline(false);
    await chat.launcher.click();
    await page.evaluate(() => (window.platform as Platform).setUnreadMessageCount(3));
    await look();
    // A lower bound, so that the test cannot pass if it finds too few strings.
    expect(spoken.size).toBeGreaterThan(50);
    chat.consoleErrors = [];
  });
});
