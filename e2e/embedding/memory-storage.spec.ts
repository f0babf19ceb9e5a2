// `storageLocation: 'memory'`: nothing is stored in the browser, and the conversation lives until the page is left. And
// what a change of the location does to the record while the chat runs.
import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';
import { openTab } from '../support/tabs.ts';

declare global {
  interface Window {
    writes: string[];
  }
}

type Location = 'localStorage' | 'sessionStorage' | 'memory';

/** Records every write to a storage of the browser, also one that is removed at once. */
const recordWrites = (page: Page) =>
  page.addInitScript(() => {
    window.writes = [];
    const wrap = (owner: object, name: string) => {
      const original = Reflect.get(owner, name);
      Reflect.set(owner, name, function (this: unknown, ...input: unknown[]) {
        window.writes.push(`${name} ${input[0]}`);
        return original.apply(this, input);
      });
    };
    wrap(Storage.prototype, 'setItem');
    wrap(IDBFactory.prototype, 'open');
    wrap(CacheStorage.prototype, 'open');
    const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') as PropertyDescriptor;
    Object.defineProperty(document, 'cookie', {
      get: () => cookie.get?.call(document),
      set: (value: string) => window.writes.push(`cookie ${value}`),
    });
  });

/** Everything that the browser stores for the origins of the page and of the server. */
async function stored(page: Page): Promise<object> {
  const inPage = await page.evaluate(async () => ({
    local: Object.entries(localStorage),
    session: Object.entries(sessionStorage),
    databases: await indexedDB.databases(),
    caches: window.isSecureContext ? await caches.keys() : [],
    workers: navigator.serviceWorker ? (await navigator.serviceWorker.getRegistrations()).length : 0,
    name: window.name,
  }));
  const { cookies, origins } = await page.context().storageState({ indexedDB: true });
  return { ...inPage, cookies, origins };
}

const nothing = {
  local: [],
  session: [],
  databases: [],
  caches: [],
  workers: 0,
  name: '',
  cookies: [],
  origins: [],
};

const setLocation = ({ page }: ChatPage, storageLocation: Location) =>
  page.evaluate((location) => {
    (window.platform as Platform).config({ configuration: { storageLocation: location } });
  }, storageLocation);

const recordIn = ({ page, platform }: ChatPage, location: 'localStorage' | 'sessionStorage') =>
  page.evaluate(
    ([name, key]) => JSON.parse(window[name as 'localStorage'].getItem(key as string) ?? 'null'),
    [location, `platform-webchat:${platform.chatUrl}`],
  );

const userId = ({ page }: ChatPage) =>
  page.evaluate(async () => (await (window.platform as Platform).getUser()).id);

test.describe('from the start', () => {
  test.use({
    attributes:
      'data-storage-location="memory" data-feedback-enabled data-allow-file-upload data-sound-enabled data-starters=\'["menu"]\'',
  });

  test('a whole conversation with everything that is remembered stores nothing in the browser', async ({
    chat,
    page,
  }) => {
    await recordWrites(page);
    await chat.goto();
    await page.evaluate(() => {
      (window.platform as Platform).config({
        configuration: {
          proactive: [{ id: 'hello', text: 'Can I help?', when: { delaySeconds: 0, returning: false } }],
        },
      });
    });
    await page.locator('.greeting-close').click();
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await chat.exchange('Hello');
    const choosing = page.waitForEvent('filechooser');
    await chat.window.getByRole('button', { name: 'Attach files' }).click();
    const note = { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note') };
    await (await choosing).setFiles([note]);
    const files = chat.window.getByRole('list', { name: 'Files to send' }).getByRole('listitem');
    await expect(files).toHaveAttribute('data-status', 'uploaded');
    await chat.window.getByRole('button', { name: 'Send message' }).click();
    await expect(chat.botRows).toHaveCount(3);
    await chat.botRows.last().hover();
    await chat.botRows
      .last()
      .getByRole('button', { name: /^Good answer/ })
      .click();
    await chat.window.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Turn sound off' }).click();
    await page.keyboard.press('Escape');
    await chat.input.fill('A draft');
    await chat.input.press('ArrowUp');
    await page.evaluate(() => (window.platform as Platform).updateUser({ name: 'Ada' }));
    await page.evaluate(() => (window.platform as Platform).restartConversation());
    await expect(chat.botRows).toHaveCount(1);
    await page.evaluate(() => (window.platform as Platform).doctor());
    // The doctor's probes violate the policy of the page.
    await page.evaluate(() => window.seen.violations.splice(0));
    expect(await stored(page)).toEqual(nothing);
    expect(await page.evaluate(() => window.writes)).toEqual([]);
    chat.consoleErrors = [];
  });

  test('the next page view is another visitor, and a second tab has a conversation of its own', async ({
    chat,
  }) => {
    await chat.startConversation();
    await chat.exchange('In the first tab');
    const first = await userId(chat);
    const other = await openTab(chat);
    await other.launcher.click();
    await expect(other.botRows).toHaveCount(1);
    expect(await userId(other)).not.toBe(first);
    await chat.startConversation();
    await expect(chat.rows).toHaveCount(1);
    expect(await userId(chat)).not.toBe(first);
    expect(await stored(chat.page)).toEqual(nothing);
  });

  test('destroy and init continue the conversation on this page, destroy with forget ends it', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await chat.exchange('Remember me');
    await chat.input.fill('A draft');
    await page.evaluate(() => {
      (window.platform as Platform).destroy();
      (window.platform as Platform).init();
    });
    await chat.launcher.click();
    await expect(chat.rows.filter({ hasText: 'Remember me' })).toHaveCount(2);
    await expect(chat.input).toHaveValue('A draft');
    await page.evaluate(() => {
      (window.platform as Platform).destroy({ forget: true });
      (window.platform as Platform).init();
    });
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(chat.rows).toHaveCount(1);
    await expect(chat.input).toHaveValue('');
    expect(await stored(page)).toEqual(nothing);
  });

  test('a global of the page with the name memory is neither read nor written', async ({ chat, page }) => {
    await page.addInitScript(() => Object.assign(window, { memory: window.localStorage }));
    await chat.startConversation();
    await chat.exchange('Hello');
    await page.evaluate(() => {
      (window.platform as Platform).destroy();
      (window.platform as Platform).init();
    });
    expect(await stored(page)).toEqual(nothing);
  });

  test('a record of an earlier visit is neither used nor changed, and destroy with forget removes it', async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    const tag = (attributes: string) =>
      pageHtml(`<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" ${attributes} async></script>`);
    await page.goto(serve('/before', tag('')));
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    const before = await recordIn(chat, 'localStorage');
    await chat.startConversation();
    expect(await userId(chat)).not.toBe(before.userId);
    expect(await recordIn(chat, 'localStorage')).toEqual(before);
    await page.evaluate(() => (window.platform as Platform).destroy({ forget: true }));
    expect(await stored(page)).toEqual(nothing);
  });

  test('doctor: the storage of the browser is not checked, and the report says so', async ({
    page,
    platform,
    serve,
  }) => {
    await recordWrites(page);
    const script = `<script src="${platform.chatUrl}/webchat.js" data-storage-location="memory" data-manual></script>`;
    await page.goto(serve('/manual', pageHtml(script), {}));
    await page.waitForFunction(() => 'doctor' in (window.platform ?? {}));
    const { environment } = await page.evaluate(() => (window.platform as Platform).doctor());
    expect(environment).toMatchObject({ skipped: { storage: expect.stringContaining("'memory'") } });
    expect(await page.evaluate(() => window.writes)).toEqual([]);
  });

  test('when the page allows localStorage, the conversation is stored and the next page view resumes it', async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    await chat.startConversation();
    await chat.exchange('Before consent');
    await chat.input.fill('A draft');
    await setLocation(chat, 'localStorage');
    await expect.poll(() => recordIn(chat, 'localStorage')).toMatchObject({ draft: 'A draft' });
    await chat.input.fill('');
    await chat.exchange('After consent');
    const html = pageHtml(`<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" async></script>`);
    await page.goto(serve('/next', html));
    await chat.launcher.click();
    await expect(chat.rows.filter({ hasText: 'Before consent' })).toHaveCount(2);
    await expect(chat.rows.filter({ hasText: 'After consent' })).toHaveCount(2);
  });

  test('a returning visitor whose consent is known late resumes the stored conversation', async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    const html = pageHtml(`<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" async></script>`);
    await page.goto(serve('/first', html));
    await chat.launcher.click();
    await chat.exchange('Earlier');
    const before = await recordIn(chat, 'localStorage');
    await chat.startConversation();
    await expect(chat.rows).toHaveCount(1);
    await chat.input.fill('Typed before consent');
    await setLocation(chat, 'localStorage');
    await expect(chat.rows.filter({ hasText: 'Earlier' })).toHaveCount(2);
    expect(await userId(chat)).toBe(before.userId);
    await expect(chat.input).toHaveValue('Typed before consent');
    await chat.input.fill('');
    await chat.exchange('Goes on');
  });
});

for (const from of ['localStorage', 'sessionStorage'] as const) {
  test(`a change from ${from} to memory removes the record, and the conversation goes on until the page is left`, async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    const html = pageHtml(
      `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-storage-location="${from}" async></script>`,
    );
    await page.goto(serve('/page', html));
    await chat.launcher.click();
    await chat.exchange('Before');
    expect(await recordIn(chat, from)).toMatchObject({ userId: await userId(chat) });
    const events = page.evaluate(
      () => new Promise((done) => addEventListener('storage', ({ key }) => done(key), { once: true })),
    );
    await setLocation(chat, 'memory');
    // The record is moved by a part that loads for it.
    await events;
    expect(await stored(page)).toEqual(nothing);
    await chat.exchange('After');
    await expect(chat.rows.filter({ hasText: 'Before' })).toHaveCount(2);
    expect(await stored(page)).toEqual(nothing);
    await page.reload();
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(chat.rows.filter({ hasText: 'Before' })).toHaveCount(0);
  });
}

test('a change from localStorage to sessionStorage moves the record', async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('Before');
  const before = await recordIn(chat, 'localStorage');
  await setLocation(chat, 'sessionStorage');
  await expect.poll(() => recordIn(chat, 'sessionStorage')).toMatchObject({ userId: before.userId });
  expect(await recordIn(chat, 'localStorage')).toBeNull();
  await chat.exchange('After');
});

test('after a change to memory other tabs forget the visitor, and store nothing either', async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('In both tabs');
  const other = await openTab(chat);
  await other.launcher.click();
  await expect(other.rows.filter({ hasText: 'In both tabs' })).toHaveCount(2);
  await setLocation(chat, 'memory');
  await expect(other.window).toBeHidden();
  expect(await stored(other.page)).toEqual(nothing);
  await chat.exchange('Only here');
  expect(await stored(chat.page)).toEqual(nothing);
});

const consent = (page: Page, isGiven: boolean) =>
  page.evaluate((given) => (window.platform as Platform).consent(given), isGiven);

test.describe('consent', () => {
  test.use({ attributes: 'data-storage-location="memory" data-manual' });

  test('without consent nothing is stored and what was stored is removed; with it the conversation is kept; withdrawn it goes on in memory', {
    tag: '@story',
  }, async ({ chat, page }) => {
    await recordWrites(page);
    const key = `platform-webchat:${chat.platform.chatUrl}`;
    const init = (given: boolean) =>
      page.evaluate((isGiven) => (window.platform as Platform).init({ consent: isGiven }), given);
    await page.goto(chat.url);
    await page.waitForFunction(() => 'init' in (window.platform ?? {}));
    await page.evaluate((name) => {
      localStorage.setItem(name, '{"userKey":"of-an-earlier-visit"}');
      for (const part of ['', ' proactive', ' page-tools']) sessionStorage.setItem(name + part, '{}');
      window.writes = [];
    }, key);
    await init(false);
    await expect.poll(() => stored(page)).toEqual(nothing);
    await chat.launcher.click();
    await chat.exchange('Before consent');
    expect(await stored(page)).toEqual(nothing);
    // Only what told other tabs that the record is gone.
    expect(new Set(await page.evaluate(() => window.writes))).toEqual(new Set([`setItem ${key}`]));
    const visitor = await userId(chat);

    await consent(page, true);
    await expect.poll(() => recordIn(chat, 'localStorage')).toMatchObject({ userId: visitor });
    await page.reload();
    await page.waitForFunction(() => 'init' in (window.platform ?? {}));
    await init(true);
    await chat.launcher.click();
    await expect(chat.rows.filter({ hasText: 'Before consent' })).toHaveCount(2);

    await consent(page, false);
    await expect.poll(() => stored(page)).toEqual(nothing);
    await chat.exchange('After the withdrawal');
    await expect(chat.rows.filter({ hasText: 'Before consent' })).toHaveCount(2);
    expect(await stored(page)).toEqual(nothing);
    await page.reload();
    await page.waitForFunction(() => 'init' in (window.platform ?? {}));
    await init(false);
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    expect(await userId(chat)).not.toBe(visitor);
    expect(await stored(page)).toEqual(nothing);
  });
});

test.describe('consent with sessionStorage', () => {
  test.use({ attributes: 'data-storage-location="sessionStorage"' });

  test('consent that is given again stores where the site has configured it', async ({ chat, page }) => {
    await chat.startConversation();
    const { userId: visitor } = await recordIn(chat, 'sessionStorage');
    await consent(page, false);
    await expect.poll(() => stored(page)).toEqual(nothing);
    await consent(page, true);
    await expect.poll(() => recordIn(chat, 'sessionStorage')).toMatchObject({ userId: visitor });
    expect(await recordIn(chat, 'localStorage')).toBeNull();
  });
});

test('without consent other tabs forget the visitor, and store nothing either', async ({ chat }) => {
  await chat.startConversation();
  await chat.exchange('In both tabs');
  const other = await openTab(chat);
  await other.launcher.click();
  await expect(other.rows.filter({ hasText: 'In both tabs' })).toHaveCount(2);
  await consent(chat.page, false);
  await expect(other.window).toBeHidden();
  expect(await stored(other.page)).toEqual(nothing);
  await chat.exchange('Only here');
  expect(await stored(chat.page)).toEqual(nothing);
});
