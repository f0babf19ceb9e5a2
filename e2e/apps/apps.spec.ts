// Apps of the bot (MCP Apps) in a real browser, with the library that apps use, and what is shown where there are none.
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import { violations } from '../support/axe.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';
import { insideOf, withApps } from './apps.ts';
import { appOf, fallback, type OtherOrigin, plainApp, startOtherOrigin } from './documents.ts';

let other: OtherOrigin;
test.beforeAll(async () => {
  other = await startOtherOrigin();
});
test.afterAll(() => other.close());

/** An app with the library of the specification. */
const libraryApp =
  () => `<main><h1>Forecast</h1><button id="link">Link</button><button id="draft">Draft</button>
<button id="tool">Tool</button><div id="tall"></div><pre id="log"></pre></main>
<script type="module">
  import { App } from '${other.url}/app.js';
  const log = (...values) => { document.getElementById('log').textContent += values.map((one) => typeof one === 'string' ? one : JSON.stringify(one)).join(' ') + '\\n' };
  const app = new App({ name: 'Forecast', version: '1' }, {});
  app.ontoolinput = ({ arguments: input }) => log('input', input);
  app.ontoolresult = ({ structuredContent }) => log('result', structuredContent);
  app.onhostcontextchanged = ({ theme }) => log('theme', theme);
  const attempt = (name, run) => document.getElementById(name).addEventListener('click', async () => {
    try { log(name, await run()) } catch (error) { log(name, 'error', error.message) }
  });
  attempt('link', () => app.openLink({ url: 'https://example.com/bern?a=1' }));
  attempt('draft', () => app.sendMessage({ role: 'user', content: [{ type: 'text', text: 'And tomorrow?' }] }));
  attempt('tool', () => app.callServerTool({ name: 'get_forecast', arguments: {} }));
  await app.connect();
  const { theme, locale, displayMode } = app.getHostContext();
  log('context', { theme, locale, displayMode }, app.getHostVersion().name);
  log('mode', (await app.requestDisplayMode({ mode: 'fullscreen' })).mode);
</script>`;

const more = () => ({
  title: 'Forecast for Bern',
  csp: { resourceDomains: [other.url] },
  toolInput: { city: 'Bern' },
  result: { content: [{ type: 'text', text: fallback }], structuredContent: { degrees: 21 } },
});

test.describe('with a sandbox origin', () => {
  test.use(withApps);

  test('an app with its library starts, gets input, result and theme, and asks before it opens or writes something', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await recordAnnouncements(page);
    await chat.startConversation();
    expect(chat.requests.some((url) => /\/apps-\w+\.js$/.test(url))).toBe(false);
    const bundle = page.waitForResponse(/\/apps-\w+\.js$/);
    await chat.instructBot({ stream: ['Here it is.', appOf(libraryApp(), more())] });
    // As transferred (Brotli).
    const bytes = Number(await (await bundle).headerValue('content-length'));
    expect(bytes).toBeGreaterThan(500);
    expect(bytes).toBeLessThanOrEqual(8_170);
    const row = chat.botRows.last();
    const app = insideOf(row);
    const log = app.locator('#log');
    await expect(log).toContainText(
      'context {"theme":"light","locale":"en","displayMode":"inline"} platform-webchat',
    );
    await expect(log).toContainText('input {"city":"Bern"}');
    await expect(log).toContainText('result {"degrees":21}');
    await expect(log).toContainText('mode inline');
    // The text of the bot is for those who do not see the app; it is announced with the answer.
    await expect(row.getByText(fallback)).toHaveCount(0);
    await expect
      .poll(async () => (await announcements(page)).slice(1))
      .toEqual([`polite: Bot: Here it is. ${fallback}`]);
    await expect(row.getByTitle('Forecast for Bern')).toBeVisible();

    // The height is that of the document, and at most a share of the window.
    const frame = row.locator('.app > iframe');
    const heightOf = async () => Math.round((await frame.boundingBox())?.height ?? 0);
    await expect.poll(heightOf).toBeGreaterThan(121);
    await app.locator('#tall').evaluate((element) => {
      element.style.height = '5000px';
    });
    const most = await chat.window.evaluate((element) => Math.round(element.clientHeight * 0.6));
    await expect.poll(heightOf).toBe(most);
    expect(await violations(page)).toEqual([]);

    // Nothing is opened before the visitor says so, and its address is shown.
    await app.locator('#link').click();
    const question = row.getByRole('group', { name: 'Open this address?' });
    await expect(question).toContainText('https://example.com/bern?a=1');
    expect(page.context().pages()).toHaveLength(1);
    await question.getByRole('button', { name: 'Do not open' }).click();
    await expect(log).toContainText('link error');
    await app.locator('#link').click();
    await page.context().route('https://example.com/**', (route) => route.fulfill({ body: 'there' }));
    const opened = page.context().waitForEvent('page');
    await question.getByRole('link', { name: 'Open' }).click();
    await expect(await opened).toHaveURL('https://example.com/bern?a=1');
    await (await opened).close();
    await expect(log).toContainText('link {}');
    await expect(question).toHaveCount(0);

    // A draft, which nobody has sent; not over what the visitor has written.
    const sent = await chat.rows.count();
    await app.locator('#draft').click();
    await expect(chat.input).toHaveValue('And tomorrow?');
    await expect(log).toContainText('draft {}');
    await app.locator('#draft').click();
    await expect(log).toContainText('draft error');
    expect(await chat.rows.count()).toBe(sent);
    await app.locator('#tool').click();
    await expect(log).toContainText('tool error');

    await chat.configure({ themeMode: 'dark' });
    await expect(log).toContainText('theme dark');
  });

  test('the app can be skipped with the keyboard, and a reload shows it again', async ({ chat, page }) => {
    await chat.startConversation();
    const html = plainApp('void begin(); document.body.append(document.createElement("button"))');
    await chat.instructBot({ stream: [appOf(html), 'After it.'] });
    const row = chat.botRows.last();
    await expect(insideOf(row).locator('#log')).toContainText('tool-input');
    const skip = row.getByRole('button', { name: 'Skip the app' });
    await skip.focus();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await expect(row.locator('iframe')).not.toBeFocused();
    await expect(chat.window).toContainText('After it.');
    await chat.reopen();
    await expect(insideOf(chat.botRows.last()).locator('#log')).toContainText('tool-input');
    await expect(chat.input).toBeFocused();
  });

  test('another result is told to the app that runs, another document replaces it', async ({ chat }) => {
    await chat.startConversation();
    await chat.instructBot({
      stream: ['See:', appOf(plainApp('void begin()'), { result: { content: [] } })],
    });
    const log = insideOf(chat.botRows.last()).locator('#log');
    await expect(log).toContainText('tool-result');
    // The app runs while the answer is written.
    await expect(chat.botRows.last()).toHaveAttribute('data-status', 'sent');
    const message = (await chat.serverMessages()).at(-1);
    const part = message?.parts?.find(({ type }) => type === 'block') as unknown as {
      id: string;
      data: object;
    };
    const change = (data: object) =>
      chat.instructBot({ updatePart: [message?.id, part.id, { data: { ...part.data, ...data } }] });
    await change({ result: { content: [], structuredContent: { changed: 1 } } });
    await expect(log).toContainText('"changed":1');
    await change({ html: `<p>Another</p>${plainApp('void begin()')}` });
    await expect(insideOf(chat.botRows.last()).getByText('Another')).toBeVisible();
  });
});

test.describe('without a sandbox origin', () => {
  test.use({ env: scriptedBot });

  test('the text of the bot is shown, and no frame and no code for apps is loaded', async ({ chat }) => {
    await chat.startConversation();
    await chat.instructBot({ stream: ['Here it is.', appOf(plainApp('void begin()'))] });
    await expect(chat.botRows.last()).toContainText(fallback);
    await expect(chat.botRows.last()).toHaveAttribute('data-status', 'sent');
    await expect(chat.window.locator('iframe')).toHaveCount(0);
    expect(chat.requests.some((url) => /\/apps-\w+\.js$/.test(url))).toBe(false);
  });
});

test.describe('on a page that does not allow the frame', () => {
  test.use({ ...withApps, csp: strictCsp('PLATFORM') });

  test('the text of the bot stays', async ({ chat, page }) => {
    await page.clock.install();
    await chat.startConversation();
    await chat.instructBot({ stream: [appOf(plainApp('void begin()'))] });
    await expect(chat.window.locator('iframe')).toHaveCount(1);
    await expect(chat.botRows.last()).toContainText(fallback);
    await page.clock.runFor(30_000);
    await expect(chat.window.locator('iframe')).toHaveCount(0);
    await expect(chat.botRows.last()).toContainText(fallback);
    const refused = await page.evaluate(() => window.seen.violations.splice(0));
    expect(refused).toEqual([expect.stringContaining('frame-src')]);
    chat.ignoreConsoleErrors(/frame/i);
  });
});
