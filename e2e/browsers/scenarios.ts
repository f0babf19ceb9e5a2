// What has to work in every browser. It knows no engine: what one of them cannot do is a fault, or has its reason here.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Platform } from '../../src/protocol/platform.ts';
import type { FaultProxy } from '../support/fault-proxy.ts';
import { startRequestGate } from '../support/request-gate.ts';
import type { Driver, Key } from './driver.ts';
import type { PageOptions } from './page.ts';
import { until, type Visitor } from './visitor.ts';

interface World {
  visitor: Visitor;
  driver: Driver;
  proxy: FaultProxy;
  /** Serves a page of a stranger, with the chat; gives its address. */
  page(options?: PageOptions, path?: string): string;
}

interface Scenario {
  name: string;
  run(world: World): Promise<void>;
}

const bot = '.row[data-side="bot"][data-status]';
const own = '.row[data-side="visitor"][data-status]';

/** A method of `window.platform`, called by the page. */
const call = (driver: Driver, method: 'open' | 'close' | 'destroy' | 'init') =>
  driver.evaluate((name) => (window.platform as Platform)[name as 'open'](), method);
const eventTypes = (driver: Driver) => driver.evaluate(() => window.seen.events.map(({ type }) => type));
/** What has the focus in the page: the chat is its element. */
const focused = (driver: Driver) => driver.evaluate(() => document.activeElement?.localName ?? '');

export const scenarios: Scenario[] = [
  {
    name: 'lifecycle',
    async run({ visitor, driver, page }) {
      await driver.goto(page());
      const launcher = await visitor.see('.launcher', 'Open chat');
      assert.deepEqual([launcher.width, launcher.height], [56, 56]);
      assert.deepEqual(await visitor.stored(), {}, 'stored before anybody wanted it');
      await visitor.open();
      await until('webchat:ready', async () => (await eventTypes(driver)).includes('message'));
      assert.deepEqual(await eventTypes(driver), [
        'webchat:initialized',
        'webchat:opened',
        'conversation',
        'webchat:ready',
        'message',
      ]);
      await visitor.click('.launcher', 'Close chat');
      await visitor.count('.window', 0);
      await call(driver, 'open');
      await visitor.see(bot, 'demo bot');
      await call(driver, 'close');
      await visitor.count('.window', 0);
      await driver.evaluate(() =>
        (window.platform as Platform).config({ configuration: { color: '#0a7d32', botName: 'Ada' } }),
      );
      await call(driver, 'open');
      await visitor.see('.name', 'Ada');
      const colour = await driver.evaluate(() => {
        const root = document.querySelector('platform-webchat')?.shadowRoot;
        return getComputedStyle(root?.querySelector('.launcher') as Element).backgroundColor;
      });
      assert.equal(colour, 'rgb(10, 125, 50)');
    },
  },
  {
    name: 'a talk',
    async run({ visitor, driver, page }) {
      await visitor.open(page());
      const { height } = await visitor.see('.box-input');
      await driver.type('Do you repair');
      await visitor.press('Shift+Enter');
      await driver.type('tandems?');
      const grown = await until('the text box to grow', async () => {
        const box = await visitor.see('.box-input');
        return box.height > height + 10 && box;
      });
      assert.equal(grown.text, 'Do you repair\ntandems?');
      await visitor.press('Enter');
      await visitor.see(bot, 'received text');
      await until('the text box to shrink', async () => (await visitor.see('.box-input')).height === height);
      await driver.type('And “unicycles” – für 2 €?');
      await visitor.click('.send');
      await visitor.see(bot, 'unicycles');
      assert.ok((await visitor.see('.box-input')).hasFocus, 'to go on writing');
      assert.deepEqual(
        (await visitor.serverTexts()).filter((_, i) => i % 2),
        ['Do you repair\ntandems?', 'And “unicycles” – für 2 €?'],
      );
      assert.match((await visitor.see(`${own} .meta`)).text, /^\d{1,2}:\d\d/);
      await until('the newest message in sight', async () => {
        const { top, height: tall } = await visitor.see(bot, 'unicycles');
        return top + tall <= (await visitor.see('.composer')).top;
      });
    },
  },
  {
    name: 'a streamed answer with Markdown',
    async run({ visitor, page }) {
      await visitor.open(page());
      const markdown =
        '## A title\n\nSome **bold** words, `code` and a [link](https://example.org).\n\n- one\n- two\n\n| Plan | Price |\n|---|---|\n| Basic | 0 |\n\n```js\nlet a = "text"; // note\n```\n\nThe end.';
      const pieces = markdown.match(/[\s\S]{1,9}/g) ?? [];
      const gate = await startRequestGate();
      await visitor.tell({ stream: [...pieces.slice(0, 6), { until: gate.url }, ...pieces.slice(6)] });
      // It is read while it comes.
      await visitor.see(`${bot}[data-status="streaming"] h2`, 'A title');
      assert.equal((await visitor.look(`${bot} table`)).length, 0, 'more is shown than has come');
      gate.open();
      await visitor.see(`${bot}[data-status="sent"]`, 'The end.');
      for (const [selector, text] of [
        ['h2', 'A title'],
        ['strong', 'bold'],
        ['p code', 'code'],
        ['a[href="https://example.org/"], a[href="https://example.org"]', 'link'],
        ['li:last-child', 'two'],
        ['td', 'Basic'],
        ['pre', 'let a = "text"; // note'],
      ] as const) {
        await visitor.see(`${bot} .bubble ${selector}`, text);
      }
      await visitor.click(`${bot} .bubble button`, /copy/i);
      await visitor.see(`${bot} .bubble button`, /copied/i);
      await visitor.click('.box-input');
      await visitor.press('Control+v');
      await until('what was copied', async () =>
        (await visitor.see('.box-input')).text.includes('let a = "text"'),
      );
      assert.deepEqual((await visitor.serverMessages()).at(-1)?.payload, { type: 'markdown', markdown });
    },
  },
  {
    name: 'a picture, a choice, a fresh start',
    async run({ visitor, driver, page, proxy }) {
      await visitor.open(page());
      const imageUrl = `${proxy.url}/demo/media/photo.svg`;
      const options = ['Yes', 'No'].map((label) => ({ label, value: label }));
      const question = { type: 'choice', text: 'Which one?', options };
      await visitor.tell({ reply: [{ type: 'image', imageUrl, title: 'A drawing' }, question] });
      await visitor.see('.option', 'Yes');
      await until('the picture', () =>
        driver.evaluate(() => {
          const root = document.querySelector('platform-webchat')?.shadowRoot;
          return (root?.querySelector('img')?.naturalWidth ?? 0) > 0;
        }),
      );
      await visitor.click(`${bot} .photo button`, 'A drawing, enlarge');
      const large = await visitor.rest('dialog.large img');
      assert.ok(large.isFree && large.height > 600, 'it is not large');
      await visitor.press('Escape');
      await visitor.count('dialog.large', 0);
      await visitor.see('.window');
      await visitor.click('.option', 'Yes');
      await visitor.see(bot, 'received text {"type":"text","text":"Yes","value":"Yes"}');
      const pressed = await visitor.look('.option[aria-pressed="true"]');
      assert.deepEqual(
        pressed.map(({ text }) => text.trim()),
        ['Yes'],
      );
      const { conversationId } = await visitor.stored();
      await visitor.click('[part="restart"]');
      await visitor.see('[role="alertdialog"]', 'Start a new conversation?');
      await visitor.click('[role="alertdialog"] button', 'Start new');
      await visitor.count('[role="alertdialog"]', 0);
      await visitor.count(bot, 1);
      await visitor.exchange('Anew');
      assert.notEqual((await visitor.stored()).conversationId, conversationId);
      assert.equal((await visitor.serverMessages()).length, 3);
    },
  },
  {
    name: 'files',
    async run({ visitor, driver, page }) {
      const folder = await mkdtemp(join(tmpdir(), 'platform-files-'));
      try {
        const picture = Buffer.from(
          'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
          'base64',
        );
        const text = 'Some notes\n'.repeat(200_000);
        await writeFile(join(folder, 'dot.png'), picture);
        await writeFile(join(folder, 'notes.txt'), text);
        await visitor.open(page({ attributes: 'data-allow-file-upload' }));
        await visitor.see('[part="attach"]', 'Attach files');
        await driver.choose(
          () => document.querySelector('platform-webchat')?.shadowRoot?.querySelector('input[type="file"]'),
          [join(folder, 'dot.png'), join(folder, 'notes.txt')],
        );
        await visitor.count('.attachment[data-status="uploaded"]', 2);
        await visitor.click('.box-input');
        await driver.type('Look');
        await visitor.press('Enter');
        await visitor.see(bot, 'received bloc');
        const payload = (await visitor.serverMessages()).at(-2)?.payload;
        assert.ok(payload?.type === 'bloc');
        const [image, file, words] = payload.items;
        assert.ok(image?.type === 'image' && file?.type === 'file' && words?.type === 'text');
        assert.deepEqual([image.title, file.title, words.text], ['dot.png', 'notes.txt', 'Look']);
        const bytes = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
        assert.ok((await bytes(image.imageUrl)).equals(picture));
        assert.equal((await bytes(file.fileUrl)).toString(), text);
        await visitor.see(`${own} a`, 'notes.txt');
        await until('the picture', () =>
          driver.evaluate(() => {
            const root = document.querySelector('platform-webchat')?.shadowRoot;
            return root?.querySelector<HTMLImageElement>('[data-side="visitor"] img')?.naturalWidth === 1;
          }),
        );
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  },
  {
    name: 'reload and history',
    async run({ visitor, driver, page }) {
      const url = page();
      await visitor.open(url);
      await visitor.exchange('Before');
      await driver.type('A draft');
      await visitor.press('Shift+Enter');
      await driver.type('of two lines');
      const draft = 'A draft\nof two lines';
      await until('the draft', async () => (await visitor.stored()).draft === draft);
      const before = await visitor.texts();
      assert.equal(before.length, 3);
      const box = await visitor.rest('.box-input');
      // The chat is there before the window is opened: it is drawn while nobody sees it.
      await visitor.open(url);
      assert.deepEqual(await visitor.texts(), before);
      const again = await visitor.rest('.box-input');
      assert.deepEqual([again.text, again.height], [draft, box.height]);
      await visitor.press('Enter');
      await visitor.see(bot, 'A draft');
      assert.equal((await visitor.serverMessages()).length, 5);
    },
  },
  {
    name: 'cut and return',
    async run({ visitor, driver, proxy, page }) {
      await visitor.open(page());
      await visitor.exchange('Before the cut');
      proxy.disconnect();
      await driver.type('During the cut');
      await visitor.press('Enter');
      await visitor.see(`${own}:not([data-status="sent"])`, 'During the cut');
      // The same visitor writes from another device, and the bot answers.
      await visitor.tell({ reply: [{ type: 'text', text: 'Said during the cut' }] });
      await until('the answer', async () => (await visitor.serverTexts()).includes('Said during the cut'));
      proxy.reconnect();
      // What a browser says when there is a network again; a person may also press the button.
      await driver.evaluate(() => dispatchEvent(new Event('online')));
      await visitor.see(bot, 'Said during the cut');
      await until('the message', async () => {
        const [row] = await visitor.look(`${own}[data-status="failed"]`);
        if (row) await visitor.click(`${own} .failed button`, 'Try again');
        return (await visitor.serverTexts()).includes('During the cut');
      });
      await visitor.see(bot, '"During the cut"');
      await visitor.exchange('After the cut');
      const shown = await visitor.texts();
      assert.deepEqual(shown.slice().sort(), (await visitor.serverTexts()).sort(), 'each of them once');
      assert.equal(new Set(shown).size, shown.length);
    },
  },
  {
    name: 'a file of the chat that does not come, and then does',
    async run({ visitor, driver, proxy, page }) {
      await driver.goto(page());
      await visitor.see('.launcher');
      proxy.disconnect();
      await visitor.click('.launcher');
      await visitor.see('.launcher', 'The chat could not be loaded. Click to try again.');
      proxy.reconnect();
      await visitor.open();
      await visitor.exchange('It came');
      assert.ok((await eventTypes(driver)).includes('error'));
    },
  },
  {
    name: 'a hostile page',
    async run({ visitor, driver, page }) {
      const css = `* { all: unset !important; } div, section, button, platform-webchat { display: none !important; }
        html, platform-webchat { visibility: hidden !important; text-transform: uppercase !important; }
        body { transform: scale(0.5) !important; opacity: 0.5 !important; filter: blur(1px) !important; }
        .wall { display: block !important; position: fixed !important; inset: 0 !important; z-index: 2147483647 !important; background: #fff !important; }`;
      await visitor.open(page({ css, doctype: '', body: '<p class="wall">A wall</p>' }));
      assert.equal(await driver.evaluate(() => document.compatMode), 'BackCompat');
      await visitor.exchange('Through the storm');
      await visitor.tell({ reply: [{ type: 'markdown', markdown: '**bold** and a\n\n1. list' }] });
      await visitor.see(`${bot} strong`, 'bold');
      const frame = await visitor.rest('.window');
      const view = await driver.evaluate(() => [innerWidth, innerHeight] as const);
      assert.deepEqual([frame.width, Math.round(view[0] - frame.left - frame.width)], [400, 20]);
      assert.ok(frame.height > 600);
      assert.ok((await visitor.see('.launcher')).isFree, 'the launcher is covered');
      assert.equal(await driver.evaluate(() => 'rich' in window), false);
    },
  },
  {
    name: 'right to left',
    async run({ visitor, driver, page }) {
      await driver.goto(page({ html: 'lang="ar" dir="rtl"' }));
      const launcher = await visitor.see('.launcher', /[\u0600-\u06ff]/);
      assert.equal(launcher.left, 20);
      await visitor.open();
      assert.match((await visitor.see('.box-input')).label, /[\u0600-\u06ff]/);
      await visitor.exchange('مرحبا');
      const frame = await visitor.rest('.window');
      const right = frame.left + frame.width;
      assert.equal(frame.left, 20);
      // Own messages at the end of the line, the send button after the text.
      const bubble = await visitor.see(`${own} .bubble`);
      assert.ok(bubble.left - frame.left < 20 && right - bubble.left - bubble.width > 60);
      assert.ok((await visitor.see('.send')).left < (await visitor.see('.box-input')).left);
      assert.ok((await visitor.see('.header .avatar')).left > (await visitor.see('[part="close"]')).left);
    },
  },
  {
    name: 'by keyboard alone',
    async run({ visitor, driver, page }) {
      await driver.goto(page());
      await visitor.see('.launcher');
      const tabTo = async (selector: string, key: Key = 'Tab') => {
        for (let i = 0; i < 20; i++) {
          await visitor.press(key);
          const [thing] = await visitor.look(`${selector}:focus`);
          if (thing) return thing;
        }
        throw new Error(`Tab does not reach ${selector}.`);
      };
      assert.ok((await tabTo('.launcher')).isMarked, 'the focus of the launcher is not seen');
      await visitor.press('Enter');
      await visitor.see(bot, 'demo bot');
      await until('the focus in the text box', async () => (await visitor.see('.box-input')).hasFocus);
      await driver.type('By keys');
      await visitor.press('Enter');
      await visitor.see(bot, 'By keys');
      // Through the window: every stop is marked.
      assert.ok((await tabTo('.launcher')).isMarked);
      for (const name of ['.box-input', '.viewport', '[part="close"]', '[part="restart"]', '[part="more"]']) {
        const stop = await tabTo(name, 'Shift+Tab');
        // The text box is marked by the line around all of the composer.
        assert.ok(stop.isMarked || name === '.box-input', `the focus of ${name} is not seen`);
      }
      await tabTo('.viewport');
      // The keys come with the tools.
      await visitor.see(`${bot} button`, /^Copy/m);
      await visitor.press('ArrowUp');
      await until(
        'the focus on the newest message',
        async () => (await visitor.see(bot, 'By keys')).hasFocus,
      );
      await visitor.press('Home');
      await until('the focus on the first one', async () => (await visitor.look(bot))[0]?.hasFocus === true);
      await visitor.press('Escape');
      await visitor.count('.window', 0);
      await until('the focus on the launcher', async () => (await visitor.see('.launcher')).hasFocus);
      assert.ok((await visitor.see('.launcher')).isMarked);
      assert.equal(await focused(driver), 'platform-webchat');
    },
  },
  {
    name: 'one visitor on two pages at once',
    async run({ visitor, driver, page, proxy }) {
      const csp = `frame-src 'self'; script-src 'nonce-n0nce' 'strict-dynamic' 'self'; connect-src ${proxy.url}`;
      const inner = page({}, '/inner');
      await visitor.open(inner);
      await visitor.exchange('The first');
      const frames = '<iframe src="/inner" width="500" height="700"></iframe>'.repeat(2);
      await driver.goto(page({ csp, body: frames, attributes: 'data-manual' }, '/both'));
      for (const frame of [0, 1]) {
        await visitor.see('.launcher', '', frame);
        await driver.evaluate((at) => {
          const view = document.querySelectorAll('iframe')[at]?.contentWindow as unknown as Window;
          (view.platform as Platform).open();
        }, frame);
      }
      for (const frame of [0, 1]) await visitor.see(bot, 'The first', frame);
      // Each of them has a stream of its own: one must not wait for the other.
      await visitor.tell({ reply: [{ type: 'text', text: 'To both of you' }] });
      for (const frame of [0, 1]) await visitor.see(bot, 'To both of you', frame);
    },
  },
  {
    name: 'many pages, one after the other, and back',
    async run({ visitor, driver, page, proxy }) {
      // Pages that are left may be kept whole for the way back; over HTTP/1.1 there are six connections for all of them.
      for (let i = 1; i <= 8; i++) await visitor.open(page({}, `/${i}`));
      await until('the streams of the other pages to end', () => proxy.openStreams === 1);
      await visitor.exchange('On the eighth page');
      await driver.evaluate(() => {
        // After this task: the page that answers must still be there.
        setTimeout(() => history.back());
      });
      // On the way there is no page to ask.
      const path = () => driver.evaluate(() => location.pathname).catch(() => '');
      await until('the page before', async () => (await path()) === '/7');
      // It may come back as it was left, or anew.
      if (!(await visitor.look('.window')).length) await visitor.open();
      await visitor.see(bot, 'On the eighth page');
      await visitor.exchange('On the seventh page');
    },
  },
  {
    name: 'older messages do not move what is read',
    async run({ visitor, driver, page }) {
      const url = page();
      await visitor.open(url);
      const say = Array.from({ length: 90 }, (_, i) => ({ type: 'text', text: `Answer ${i} of many` }));
      await visitor.tell({ reply: say });
      await until('all of them', async () => (await visitor.serverTexts()).includes('Answer 89 of many'));
      await visitor.open(url, 'Answer 89 of many');
      const known = (await visitor.look(bot)).length;
      assert.ok(known < 90, 'all came at once');
      // Up to the first of what is there; older ones come in above it.
      const first = (await visitor.look(`${bot} .text`))[0]?.text ?? '';
      await driver.evaluate(() => {
        const root = document.querySelector('platform-webchat')?.shadowRoot;
        (root?.querySelector('.viewport') as HTMLElement).scrollTop = 30;
      });
      const { top: at } = await visitor.rest(`${bot} .text`, first);
      await until('older ones', async () => (await visitor.look(bot)).length > known);
      const { top } = await visitor.rest(`${bot} .text`, first);
      assert.ok(Math.abs(top - at) < 3, `what was read moved from ${at} to ${top}`);
    },
  },
  {
    name: 'a small screen',
    async run({ visitor, driver, page }) {
      await driver.resize(390, 800);
      try {
        await visitor.open(page({ body: '<p>Much text.</p>'.repeat(200) }));
        const [width, height] = await driver.evaluate(() => [innerWidth, innerHeight] as const);
        assert.ok(width <= 480);
        const frame = await visitor.rest('.window');
        const places = [frame.left, frame.top, frame.width, frame.height].map(Math.round);
        assert.deepEqual(places, [0, 0, width, height]);
        await until('the page to keep still', () => driver.evaluate(() => document.body.inert));
        await visitor.exchange('From a phone');
        await visitor.click('[part="close"]');
        await visitor.count('.window', 0);
        assert.equal(await driver.evaluate(() => document.body.inert), false);
        await until('the launcher', async () => (await visitor.see('.launcher')).isFree);
      } finally {
        await driver.resize(1280, 800);
      }
    },
  },
  {
    name: 'destroy',
    async run({ visitor, driver, page, proxy }) {
      await driver.goto(page());
      const look = () =>
        driver.evaluate(() => [document.documentElement.outerHTML, document.adoptedStyleSheets.length]);
      await visitor.see('.launcher');
      const clean = await driver.evaluate(() => {
        const platform = window.platform as Platform;
        platform.destroy();
        const [html, sheets] = [document.documentElement.outerHTML, document.adoptedStyleSheets.length];
        platform.init();
        return [html, sheets];
      });
      await visitor.open();
      const gate = await startRequestGate();
      await visitor.tell({ stream: ['word1 ', 'word2 ', { until: gate.url, text: 'word ' }] });
      await visitor.see(`${bot}[data-status="streaming"]`, 'word2');
      await call(driver, 'destroy');
      assert.deepEqual(await look(), clean);
      assert.equal(await driver.evaluate(() => 'platform' in window), false);
      // The stream is hung up. What is kept alive for a next request closes by itself.
      await until('the streams to end', () => proxy.openStreams === 0);
      gate.open();
    },
  },
];
