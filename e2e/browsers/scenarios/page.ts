// Scenarios of the chat on a host page: start and end, direction, keyboard, screen size.
import assert from 'node:assert/strict';
import type { Platform } from '../../../src/protocol/page-api/page-api.ts';
import { renderLauncher } from '../../packages/rendered-launcher.ts';
import { startRequestGate } from '../../support/faults/request-gate.ts';
import { pollUntil } from '../../support/poll.ts';
import type { Key } from '../driver.ts';
import { botRow, callPlatform, ownRow, type Scenario } from './scenario.ts';

export const pageScenarios: Scenario[] = [
  {
    name: 'a launcher that the server of the page has rendered keeps a click until the chat starts in its place',
    async run({ visitor, driver, page }) {
      const body = renderLauncher({ chatUrl: 'https://example.org/chat/demo', nonce: 'n0nce' });
      await driver.goto(page({ body, css: '', attributes: 'data-manual' }));
      const before = await visitor.waitFor('.launcher');
      assert.deepEqual([before.width, before.height], [56, 56]);
      await visitor.click('.launcher');
      await visitor.waitFor('.window');
      await callPlatform(driver, 'init');
      await visitor.waitFor(botRow, 'demo bot');
      const [after, second] = await visitor.query('.launcher');
      assert.deepEqual([after?.left, after?.top, second], [before.left, before.top, undefined]);
    },
  },
  {
    name: 'destroy during a stream closes it and leaves the page unchanged',
    async run({ visitor, driver, page, proxy }) {
      await driver.goto(page());
      const snapshot = () =>
        driver.evaluate(() => [document.documentElement.outerHTML, document.adoptedStyleSheets.length]);
      await visitor.waitFor('.launcher');
      const clean = await driver.evaluate(() => {
        const platform = window.platform as Platform;
        platform.destroy();
        const [html, sheets] = [document.documentElement.outerHTML, document.adoptedStyleSheets.length];
        platform.init();
        return [html, sheets];
      });
      await visitor.openConversation();
      const gate = await startRequestGate();
      await visitor.instructBot({ stream: ['word1 ', 'word2 ', { until: gate.url, text: 'word ' }] });
      await visitor.waitFor(`${botRow}[data-status="streaming"]`, 'word2');
      await callPlatform(driver, 'destroy');
      assert.deepEqual(await snapshot(), clean);
      assert.equal(await driver.evaluate(() => (window.platform as Platform).destroyed), true);
      // The event stream is closed; idle keep-alive connections close automatically.
      await pollUntil('the streams end', () => proxy.openStreams === 0);
      gate.open();
    },
  },
  {
    name: 'a conversation continues on a page that the visitor goes back to, which the back/forward cache has kept',
    async run({ visitor, driver, page }) {
      const [here, other] = [page({}, '/here'), page({ body: '<h1>Other</h1>' }, '/other')];
      await visitor.openConversation(here);
      await visitor.exchange('Before');
      await driver.evaluate(() => {
        Object.assign(window, { mark: 'the same page' });
        addEventListener('pageshow', (event) => Object.assign(window, { isRestored: event.persisted }));
      });
      const { client, conversationId } = await visitor.otherDevice();
      await driver.goto(other);
      await visitor.waitFor('.launcher');
      await client.createMessage({ conversationId, payload: { type: 'text', text: 'Meanwhile' } });
      await driver.evaluate(() => history.back());
      await pollUntil('the first page is shown', () => driver.evaluate(() => location.pathname === '/here'));
      await visitor.waitFor(botRow, '"text":"Meanwhile"');
      await visitor.exchange('After');
      const restored = await driver.evaluate(() => [
        Reflect.get(window, 'mark'),
        Reflect.get(window, 'isRestored'),
      ]);
      assert.deepEqual(restored, ['the same page', true]);
      assert.deepEqual(
        (await visitor.messageTexts()).filter((text) => /^(Before|Meanwhile|After)/.test(text)),
        ['Before', 'Meanwhile', 'After'],
      );
    },
  },
  {
    name: 'the window is mirrored on a right-to-left page',
    async run({ visitor, driver, page }) {
      await driver.goto(page({ html: 'lang="ar" dir="rtl"' }));
      const launcher = await visitor.waitFor('.launcher', /[\u0600-\u06ff]/);
      assert.equal(launcher.left, 20);
      await visitor.openConversation();
      assert.match((await visitor.waitFor('.box-input')).label, /[\u0600-\u06ff]/);
      await visitor.exchange('مرحبا');
      const frame = await visitor.waitUntilStill('.window');
      const right = frame.left + frame.width;
      assert.equal(frame.left, 20);
      // The visitor's messages are at the end of the line, and the send button is after the text box.
      const bubble = await visitor.waitFor(`${ownRow} .bubble`);
      assert.ok(bubble.left - frame.left < 20 && right - bubble.left - bubble.width > 60);
      assert.ok((await visitor.waitFor('.send')).left < (await visitor.waitFor('.box-input')).left);
      assert.ok(
        (await visitor.waitFor('.header .avatar')).left > (await visitor.waitFor('[part="close"]')).left,
      );
    },
  },
  {
    name: 'every control is reached by keyboard, with a visible focus',
    async run({ visitor, driver, page }) {
      await driver.goto(page());
      await visitor.waitFor('.launcher');
      const tabTo = async (selector: string, key: Key = 'Tab') => {
        for (let i = 0; i < 20; i++) {
          await visitor.press(key);
          const [element] = await visitor.query(`${selector}:focus`);
          if (element) return element;
        }
        throw new Error(`Tab does not reach ${selector}.`);
      };
      assert.ok((await tabTo('.launcher')).hasFocusRing, 'the focus of the launcher is not visible');
      await visitor.press('Enter');
      await visitor.waitFor(botRow, 'demo bot');
      await pollUntil(
        'the text box has the focus',
        async () => (await visitor.waitFor('.box-input')).hasFocus,
      );
      await driver.type('By keys');
      await visitor.press('Enter');
      await visitor.waitFor(botRow, 'By keys');
      // Every focused element in the window has a visible focus indicator.
      assert.ok((await tabTo('.launcher')).hasFocusRing);
      for (const name of ['.box-input', '.viewport', '[part="close"]', '[part="restart"]', '[part="more"]']) {
        const stop = await tabTo(name, 'Shift+Tab');
        // The indicator of the text box is the outline of the whole composer.
        assert.ok(stop.hasFocusRing || name === '.box-input', `the focus of ${name} is not visible`);
      }
      await tabTo('.viewport');
      // The keyboard navigation is in the same chunk as the copy button.
      await visitor.waitFor(`${botRow} button`, /^Copy/m);
      await visitor.press('ArrowUp');
      await pollUntil(
        'the newest message has the focus',
        async () => (await visitor.waitFor(botRow, 'By keys')).hasFocus,
      );
      await visitor.press('Home');
      await pollUntil(
        'the first message has the focus',
        async () => (await visitor.query(botRow))[0]?.hasFocus === true,
      );
      await visitor.press('Escape');
      await visitor.waitForCount('.window', 0);
      await pollUntil(
        'the launcher has the focus',
        async () => (await visitor.waitFor('.launcher')).hasFocus,
      );
      assert.ok((await visitor.waitFor('.launcher')).hasFocusRing);
      assert.equal(await driver.evaluate(() => document.activeElement?.localName), 'platform-webchat');
    },
  },
  {
    name: 'on a small screen the window covers the viewport and the page behind is inert',
    async run({ visitor, driver, page }) {
      await driver.resize(390, 800);
      try {
        await visitor.openConversation(page({ body: '<p>Much text.</p>'.repeat(200) }));
        const [width, height] = await driver.evaluate(() => [innerWidth, innerHeight] as const);
        assert.ok(width <= 480);
        const frame = await visitor.waitUntilStill('.window');
        const rectangle = [frame.left, frame.top, frame.width, frame.height].map(Math.round);
        assert.deepEqual(rectangle, [0, 0, width, height]);
        await pollUntil('the page is inert', () => driver.evaluate(() => document.body.inert));
        await visitor.exchange('From a phone');
        await visitor.click('[part="close"]');
        await visitor.waitForCount('.window', 0);
        assert.equal(await driver.evaluate(() => document.body.inert), false);
        await pollUntil(
          'the launcher is uncovered',
          async () => (await visitor.waitFor('.launcher')).isUncovered,
        );
      } finally {
        await driver.resize(1280, 800);
      }
    },
  },
];
