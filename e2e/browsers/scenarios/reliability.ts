// Scenarios with a failing network, several pages and navigation.
import assert from 'node:assert/strict';
import type { Platform } from '../../../src/protocol/page-api/page-api.ts';
import { pollUntil } from '../../support/poll.ts';
import { botRow, eventTypes, ownRow, type Scenario } from './scenario.ts';

export const reliabilityScenarios: Scenario[] = [
  {
    name: 'messages of both sides arrive once after a lost connection',
    async run({ visitor, driver, proxy, page }) {
      await visitor.openConversation(page());
      await visitor.exchange('Before the cut');
      proxy.disconnect();
      await driver.type('During the cut');
      await visitor.press('Enter');
      await visitor.waitFor(`${ownRow}:not([data-status="sent"])`, 'During the cut');
      // The same visitor writes from another device, and the bot answers.
      await visitor.instructBot({ reply: [{ type: 'text', text: 'Answered during the cut' }] });
      await pollUntil('the server has stored the answer', async () =>
        (await visitor.serverTexts()).includes('Answered during the cut'),
      );
      proxy.reconnect();
      // Browsers dispatch this event when the network is available again; a visitor can also press the button.
      await driver.evaluate(() => dispatchEvent(new Event('online')));
      await visitor.waitFor(botRow, 'Answered during the cut');
      await pollUntil('the server has stored the message', async () => {
        const [row] = await visitor.query(`${ownRow}[data-status="failed"]`);
        if (row) await visitor.click(`${ownRow} .failed button`, 'Try again');
        return (await visitor.serverTexts()).includes('During the cut');
      });
      await visitor.waitFor(botRow, '"During the cut"');
      await visitor.exchange('After the cut');
      const shown = await visitor.messageTexts();
      assert.deepEqual(
        shown.slice().sort(),
        (await visitor.serverTexts()).sort(),
        'shown and stored messages differ',
      );
      assert.equal(new Set(shown).size, shown.length);
    },
  },
  {
    name: 'a chunk that fails to load is reported, and the next click loads it',
    async run({ visitor, driver, proxy, page }) {
      await driver.goto(page());
      await visitor.waitFor('.launcher');
      proxy.disconnect();
      await visitor.click('.launcher');
      await visitor.waitFor('.launcher', 'The chat could not be loaded. Click to try again.');
      proxy.reconnect();
      await visitor.openConversation();
      await visitor.exchange('It is loaded');
      assert.ok((await eventTypes(driver)).includes('error'));
    },
  },
  {
    name: 'a visitor with two open pages receives each message on both',
    async run({ visitor, driver, page, proxy }) {
      const csp = `frame-src 'self'; script-src 'nonce-n0nce' 'strict-dynamic' 'self'; connect-src ${proxy.url}`;
      const inner = page({}, '/inner');
      await visitor.openConversation(inner);
      await visitor.exchange('The first');
      const frames = '<iframe src="/inner" width="500" height="700"></iframe>'.repeat(2);
      await driver.goto(page({ csp, body: frames, attributes: 'data-manual' }, '/both'));
      for (const frame of [0, 1]) {
        await visitor.waitFor('.launcher', '', frame);
        await driver.evaluate((at) => {
          const view = document.querySelectorAll('iframe')[at]?.contentWindow as unknown as Window;
          (view.platform as Platform).open();
        }, frame);
      }
      for (const frame of [0, 1]) await visitor.waitFor(botRow, 'The first', frame);
      // Each has its own stream, so that neither waits for the other.
      await visitor.instructBot({ reply: [{ type: 'text', text: 'To both of you' }] });
      for (const frame of [0, 1]) await visitor.waitFor(botRow, 'To both of you', frame);
    },
  },
  {
    name: 'pages that are left close their streams, and going back works',
    async run({ visitor, driver, page, proxy }) {
      // The back/forward cache can keep previous pages; over HTTP/1.1 they all share six connections.
      for (let i = 1; i <= 8; i++) await visitor.openConversation(page({}, `/${i}`));
      await pollUntil('the streams of the other pages end', () => proxy.openStreams === 1);
      await visitor.exchange('On the eighth page');
      await driver.evaluate(() => {
        // In a later task, because this page must first return a result.
        setTimeout(() => history.back());
      });
      // During the navigation there is no page to evaluate in.
      const path = () => driver.evaluate(() => location.pathname).catch(() => '');
      await pollUntil('the previous page is shown', async () => (await path()) === '/7');
      // The page is restored from the back/forward cache, or loaded again.
      if (!(await visitor.query('.window')).length) await visitor.openConversation();
      await visitor.waitFor(botRow, 'On the eighth page');
      await visitor.exchange('On the seventh page');
    },
  },
];
