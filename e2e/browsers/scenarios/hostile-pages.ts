// The hostile pages of the Playwright tests in every engine: the launcher is on top, the window opens, a message is
// sent and answered, and destroy() removes everything. What a page breaks of the drivers is avoided: texts are read.
import assert from 'node:assert/strict';
import type { Platform } from '../../../src/protocol/page-api/page-api.ts';
import type { HostilePage } from '../../support/hostile/hostile-page.ts';
import { hostilePages } from '../../support/hostile/hostile-pages.ts';
import { pollUntil } from '../../support/poll.ts';
import type { Driver } from '../driver.ts';
import type { Scenario } from './scenario.ts';

/** The centre of an element of the chat as `x y`, when the chat is on top there; otherwise ''. */
const centreOf = (driver: Driver, selector: string) =>
  driver.evaluate((selector) => {
    const host = document.querySelector('platform-webchat');
    const element = host?.shadowRoot?.querySelector(selector);
    if (!element) return '';
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return width > 0 && document.elementFromPoint(x, y) === host ? `${x} ${y}` : '';
  }, selector);

async function click(driver: Driver, selector: string): Promise<void> {
  let before = '';
  await pollUntil(`${selector} is on top and does not move`, async () => {
    const now = await centreOf(driver, selector);
    const isStill = now !== '' && now === before;
    before = now;
    return isStill;
  });
  const [x = 0, y = 0] = before.split(' ').map(Number);
  await driver.click(x, y);
}

const lastBotText = (driver: Driver) =>
  driver.evaluate(() => {
    const rows = document
      .querySelector('platform-webchat')
      ?.shadowRoot?.querySelectorAll<HTMLElement>('.row[data-side="bot"][data-status] .text');
    return rows?.[rows.length - 1]?.innerText ?? '';
  });

const scenarioFor = ({
  name,
  together: _,
  after,
  before,
  breaksDriverOf,
  ...page
}: HostilePage): Scenario => ({
  name: `a hostile page: ${name}`,
  skippedIn: breaksDriverOf,
  async run({ driver, page: serve }) {
    await driver.goto(serve({ ...page, before }));
    await pollUntil('the launcher is shown', async () => (await centreOf(driver, '.launcher')) !== '');
    // Its source text is sent, as that of any other function.
    if (after) await driver.evaluate(new Function(`{${after}}`) as () => void);
    await click(driver, '.launcher');
    await pollUntil('the bot greets', async () => (await lastBotText(driver)).includes('scripted double'));
    await click(driver, '.box-input');
    await driver.type('Hello');
    await driver.press('Enter');
    await pollUntil('the bot answers', async () =>
      (await lastBotText(driver)).includes('received text {"type":"text","text":"Hello"'),
    );
    await driver.evaluate(() => (window.platform as Platform).destroy());
    assert.equal(await driver.evaluate(() => document.querySelector('platform-webchat') === null), true);
  },
});

/** Without those that need another script tag or a sandbox, in which the drivers cannot read the record. */
export const hostileScenarios: Scenario[] = hostilePages
  .filter(({ tag, csp }) => !tag && !csp)
  .map(scenarioFor);
