// `storageLocation: 'memory'`: nothing is stored in the browser, and the conversation lives until the page is left. And
// what a change of the location does to the record while the chat runs.
import { Buffer } from 'node:buffer';
import type { Page } from '@playwright/test';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
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

const setLocation = (chat: ChatPage, storageLocation: Location) => chat.configure({ storageLocation });

const recordIn = ({ page, platform }: ChatPage, location: 'localStorage' | 'sessionStorage') =>
  page.evaluate(
    ([name, key]) => JSON.parse(window[name as 'localStorage'].getItem(key as string) ?? 'null'),
    [location, `platform-webchat:${platform.chatUrl}`],
  );

const userId = async (chat: ChatPage) => (await chat.call('getUser')).id;
const rowsWith = (chat: ChatPage, text: string) => chat.rows.filter({ hasText: text });

const inMemory = 'data-storage-location="memory"';

test('a whole conversation with everything that is remembered stores nothing in the browser', async ({
  chat,
  page,
}) => {
  await recordWrites(page);
  const proactive = JSON.stringify([
    { id: 'hello', text: 'Can I help?', when: { delaySeconds: 0, returning: false } },
  ]);
  await chat.load(
    `${inMemory} data-feedback-enabled data-allow-file-upload data-sound-enabled data-starters='["menu"]' data-proactive='${proactive}'`,
  );
  await page.locator('.greeting-close').click();
  await chat.openWindow();
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
  const good = chat.botRows.last().getByRole('button', { name: /^Good answer/ });
  await good.click();
  await chat.window.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Turn sound off' }).click();
  await page.keyboard.press('Escape');
  await chat.input.fill('A draft');
  await chat.input.press('ArrowUp');
  await chat.call('updateUser', { name: 'Ada' });
  await chat.call('restartConversation');
  await expect(chat.botRows).toHaveCount(1);
  const { environment } = await chat.call('doctor');
  expect(environment).toMatchObject({ skipped: { storage: expect.stringContaining("'memory'") } });
  // The doctor's probes violate the policy of the page.
  await page.evaluate(() => window.seen.violations.splice(0));
  expect(await stored(page)).toEqual(nothing);
  expect(await page.evaluate(() => window.writes)).toEqual([]);
  chat.consoleErrors = [];
});

test('in memory the conversation survives init, a forgotten one does not, and the next page view is another visitor', async ({
  chat,
}) => {
  await chat.load(inMemory);
  await chat.openWindow();
  await chat.exchange('Remember me');
  const first = await userId(chat);
  await chat.input.fill('A draft');
  await chat.call('destroy');
  await chat.call('init');
  await chat.launcher.click();
  await expect(rowsWith(chat, 'Remember me')).toHaveCount(2);
  await expect(chat.input).toHaveValue('A draft');
  const other = await openTab(chat);
  await other.configure({ storageLocation: 'memory' });
  await other.openWindow();
  expect(await userId(other)).not.toBe(first);
  await chat.call('destroy', { forget: true });
  await chat.call('init');
  await chat.openWindow();
  await expect(chat.rows).toHaveCount(1);
  await expect(chat.input).toHaveValue('');
  await chat.load(inMemory);
  await chat.openWindow();
  await expect(chat.rows).toHaveCount(1);
  expect(await userId(chat)).not.toBe(first);
  expect(await stored(chat.page)).toEqual(nothing);
});

test('a record of an earlier visit is neither used nor changed, until the page allows to resume it, or forgets it', async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.exchange('Earlier');
  const before = await recordIn(chat, 'localStorage');
  await chat.load(inMemory);
  await chat.openWindow();
  await expect(chat.rows).toHaveCount(1);
  expect(await userId(chat)).not.toBe(before.userId);
  expect(await recordIn(chat, 'localStorage')).toEqual(before);
  await chat.input.fill('Typed before consent');
  await setLocation(chat, 'localStorage');
  await expect(rowsWith(chat, 'Earlier')).toHaveCount(2);
  expect(await userId(chat)).toBe(before.userId);
  await expect(chat.input).toHaveValue('Typed before consent');
  await chat.input.fill('');
  await chat.exchange('Goes on');
  await chat.load(inMemory);
  await chat.call('destroy', { forget: true });
  await expect.poll(() => stored(chat.page)).toEqual(nothing);
});

for (const from of ['localStorage', 'sessionStorage'] as const) {
  test(`a change from ${from} to memory removes the record, and the conversation goes on until the page is left`, async ({
    chat,
    page,
  }) => {
    await chat.load(`data-storage-location="${from}"`);
    await chat.openWindow();
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
    await expect(rowsWith(chat, 'Before')).toHaveCount(2);
    expect(await stored(page)).toEqual(nothing);
    await page.reload();
    await chat.openWindow();
    await expect(rowsWith(chat, 'Before')).toHaveCount(0);
  });
}

test('a change from localStorage to sessionStorage moves the record', async ({ chat }) => {
  await chat.startConversation();
  const before = await recordIn(chat, 'localStorage');
  await setLocation(chat, 'sessionStorage');
  await expect.poll(() => recordIn(chat, 'sessionStorage')).toMatchObject({ userId: before.userId });
  expect(await recordIn(chat, 'localStorage')).toBeNull();
});

test('without consent nothing is stored and what was stored is removed; with it the conversation is kept; withdrawn it goes on in memory', {
  tag: '@story',
}, async ({ chat, page }) => {
  await recordWrites(page);
  const key = `platform-webchat:${chat.platform.chatUrl}`;
  const load = async () => {
    await chat.load(`${inMemory} data-manual`);
    await page.waitForFunction(() => 'init' in (window.platform ?? {}));
  };
  await load();
  await page.evaluate((name) => {
    localStorage.setItem(name, '{"userKey":"of-an-earlier-visit"}');
    for (const part of ['', ' proactive', ' page-tools']) sessionStorage.setItem(name + part, '{}');
    window.writes = [];
  }, key);
  await chat.call('init', { consent: false });
  await expect.poll(() => stored(page)).toEqual(nothing);
  await chat.launcher.click();
  await chat.exchange('Before consent');
  expect(await stored(page)).toEqual(nothing);
  // Only what told other tabs that the record is gone.
  expect(new Set(await page.evaluate(() => window.writes))).toEqual(new Set([`setItem ${key}`]));
  const visitor = await userId(chat);

  await chat.call('consent', true);
  await expect.poll(() => recordIn(chat, 'localStorage')).toMatchObject({ userId: visitor });
  await load();
  await chat.call('init', { consent: true });
  await chat.launcher.click();
  await expect(rowsWith(chat, 'Before consent')).toHaveCount(2);

  await chat.call('consent', false);
  await expect.poll(() => stored(page)).toEqual(nothing);
  await chat.exchange('After the withdrawal');
  await expect(rowsWith(chat, 'Before consent')).toHaveCount(2);
  expect(await stored(page)).toEqual(nothing);
  await load();
  await chat.call('init', { consent: false });
  await chat.openWindow();
  expect(await userId(chat)).not.toBe(visitor);
  expect(await stored(page)).toEqual(nothing);
});

test('consent that is given again stores where the site has configured it', async ({ chat, page }) => {
  await chat.load('data-storage-location="sessionStorage"');
  await chat.openWindow();
  const { userId: visitor } = await recordIn(chat, 'sessionStorage');
  await chat.call('consent', false);
  await expect.poll(() => stored(page)).toEqual(nothing);
  await chat.call('consent', true);
  await expect.poll(() => recordIn(chat, 'sessionStorage')).toMatchObject({ userId: visitor });
  expect(await recordIn(chat, 'localStorage')).toBeNull();
});

for (const [what, end] of [
  ['after a change to memory', (chat: ChatPage) => setLocation(chat, 'memory')],
  ['without consent', (chat: ChatPage) => chat.call('consent', false)],
] as const) {
  test(`${what} other tabs forget the visitor, and store nothing either`, async ({ chat }) => {
    await chat.startConversation();
    await chat.exchange('In both tabs');
    const other = await openTab(chat);
    await other.launcher.click();
    await expect(rowsWith(other, 'In both tabs')).toHaveCount(2);
    await end(chat);
    await expect(other.window).toBeHidden();
    expect(await stored(other.page)).toEqual(nothing);
    await chat.exchange('Only here');
    expect(await stored(chat.page)).toEqual(nothing);
  });
}
