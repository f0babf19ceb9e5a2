// Every configuration field takes effect when it is set and is reverted when it is blank. The type of the table makes
// the compiler require an entry for each field.
import type { Locator, ViewportSize } from '@playwright/test';
import type { Configuration, FieldName } from '../../src/protocol/page-api/config.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({
  env: scriptedBot,
  csp: "default-src 'none'; script-src 'nonce-n0nce'; style-src 'self'; font-src PLATFORM; img-src PLATFORM; connect-src PLATFORM; require-trusted-types-for 'script'; trusted-types platform-webchat",
});

/** A computed style of an element inside the chat. */
const style = (chat: ChatPage, selector: string, property: string) =>
  chat.page
    .locator(selector)
    .first()
    .evaluate((e, name) => getComputedStyle(e).getPropertyValue(name), property);

/** A value, and its visible effect, which is read before, while it is set, and after it is blank again. */
type Case<T> = [value: T, seen: (chat: ChatPage) => Promise<unknown>, expected: unknown];

/** Pixels from an element to the right and to the bottom edge of the viewport. */
async function distances(element: Locator): Promise<[x: number, y: number]> {
  const { width, height } = element.page().viewportSize() as ViewportSize;
  const box = (await element.boundingBox()) as NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;
  return [width - box.x - box.width, height - box.y - box.height];
}
const header = (chat: ChatPage) => chat.window.locator('.header').innerText();
const menuItems = async (chat: ChatPage) => {
  await chat.window.getByRole('button', { name: 'More' }).click();
  await expect(chat.window.getByRole('menuitem').first()).toBeFocused();
  const found = await chat.window.getByRole('menuitem').allInnerTexts();
  await chat.page.keyboard.press('Escape');
  return found;
};
const contact = async (chat: ChatPage) => {
  const button = chat.window.getByRole('button', { name: 'Contact and legal' });
  if (!(await button.isVisible())) return 'no card';
  await button.click();
  const link = chat.window.getByRole('list', { name: 'Contact' }).getByRole('link');
  // The click may occur between two renderings of the button, so it is retried.
  if (
    !(await link.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    ))
  )
    return 'no link';
  const found = [await link.innerText(), await link.getAttribute('href'), await link.getAttribute('rel')];
  // Before the card has the focus, Escape closes the window.
  await expect(link).toBeFocused();
  await chat.page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  return found;
};
const contactCase = (title: string, link: string, href = link): Case<{ title: string; link: string }> => [
  { title, link },
  contact,
  [title, href, 'noopener noreferrer'],
];

const cases: { [N in FieldName]: Case<NonNullable<Configuration[N]>> | string } = {
  botName: ['Otto', header, expect.stringContaining('Otto')],
  botAvatar: [
    'PLATFORM/demo/media/photo.svg',
    (chat) => chat.window.locator('.header .avatar img').count(),
    1,
  ],
  botDescription: ['Bicycles', header, expect.stringContaining('Bicycles')],
  composerPlaceholder: ['Ask me', (chat) => chat.input.getAttribute('placeholder'), 'Ask me'],
  footer: [
    'Be **kind**, [or not](https://a.test/)',
    (chat) => chat.window.locator('.footer[part=footer]').innerHTML(),
    expect.stringMatching(/<strong>kind<\/strong>.*href="https:\/\/a\.test\/"/),
  ],
  aiNotice: [true, (chat) => chat.window.locator('#ai-notice').count(), 1],
  starters: [
    ['Prices', 'Hours'],
    (chat) => chat.window.getByRole('group', { name: 'Suggestions' }).getByRole('button').allInnerTexts(),
    ['Prices', 'Hours'],
  ],
  home: 'e2e/conversation/home.spec.ts',
  preChatForm: 'e2e/conversation/pre-chat-form.spec.ts',
  pushWorker: 'e2e/people/pushes.spec.ts',
  proactiveMessage: 'e2e/embedding/placement.spec.ts: it is for a chat that was never opened',
  proactiveDelay: 'e2e/embedding/placement.spec.ts',
  proactive: 'e2e/embedding/proactive.spec.ts',
  webmcp: 'e2e/page-tools/webmcp.spec.ts',
  color: ['#aa0000', (chat) => style(chat, '.launcher', 'background-color'), 'rgb(170, 0, 0)'],
  themeMode: ['dark', (chat) => style(chat, '.window', 'background-color'), 'rgb(22, 24, 29)'],
  variant: ['soft', (chat) => style(chat, '.launcher', 'background-color'), 'rgb(226, 236, 252)'],
  headerVariant: ['solid', (chat) => style(chat, '.header', 'background-color'), 'rgb(48, 112, 222)'],
  radius: [1, (chat) => style(chat, '.window', 'border-radius'), '6px'],
  fontFamily: [
    'fira code',
    (chat) => style(chat, '.window', 'font-family'),
    '"pw fira code", "fira code", system-ui, sans-serif',
  ],
  fabImage: ['PLATFORM/demo/media/photo.svg', (chat) => chat.page.locator('.launcher img').count(), 1],
  additionalStylesheet: [
    '.header { background: rgb(1, 2, 3) } .bubble { color: rgb(4, 5, 6) }',
    async (chat) => [await style(chat, '.header', 'background-color'), await style(chat, '.bubble', 'color')],
    ['rgb(1, 2, 3)', 'rgb(4, 5, 6)'],
  ],
  additionalStylesheetUrl: [
    '/brand.css',
    (chat) => style(chat, '.launcher', 'border-top-left-radius'),
    '16px',
  ],
  position: ['left', async (chat) => (await chat.window.boundingBox())?.x, 20],
  offset: [
    64,
    async (chat) => {
      const { width = 0, height = 0 } = chat.page.viewportSize() ?? {};
      const box = await chat.launcher.boundingBox();
      return box && [width - box.x - box.width, height - box.y - box.height];
    },
    [64, 64],
  ],
  density: ['compact', (chat) => style(chat, '.row[data-side="bot"] .bubble', 'padding'), '6px 12px'],
  textSize: [
    20,
    async (chat) => [
      await style(chat, '.row[data-side="bot"] .bubble', 'font-size'),
      await style(chat, '.name', 'font-size'),
      await style(chat, 'textarea', 'font-size'),
    ],
    ['20px', '20px', '21.332px'],
  ],
  offsetX: [
    64,
    async (chat) => [...(await distances(chat.launcher)), (await distances(chat.window))[0]],
    [64, 20, 64],
  ],
  offsetY: [
    64,
    async (chat) => [...(await distances(chat.launcher)), (await distances(chat.window))[1]],
    [20, 64, 136],
  ],
  avoid: 'e2e/embedding/avoid.spec.ts',
  windowSize: ['docked', (chat) => chat.window.evaluate((e) => e.getBoundingClientRect().y), 0],
  expandable: [
    true,
    menuItems,
    ['Expand window', 'Conversations', 'Download conversation', 'Print conversation'],
  ],
  dockable: 'e2e/embedding/window-size.spec.ts',
  resizable: [true, (chat) => chat.page.getByRole('separator').count(), 2],
  zIndex: [
    7,
    async (chat) => [
      await style(chat, 'platform-webchat', 'z-index'),
      await chat.page.locator('platform-webchat').evaluate((e) => e.matches(':popover-open')),
    ],
    ['7', false],
  ],
  launcher: [false, (chat) => chat.launcher.isVisible(), false],
  locale: 'e2e/i18n/languages.spec.ts',
  strings: 'e2e/i18n/custom-strings.spec.ts',
  maxFiles: 'e2e/files/limits.spec.ts',
  maxFileBytes: 'e2e/files/limits.spec.ts',
  fileTypes: 'e2e/files/limits.spec.ts',
  maxImageSide: 'e2e/files/image-scaling.spec.ts',
  dictation: [true, (chat) => chat.window.getByRole('button', { name: 'Dictate' }).count(), 1],
  voiceMessages: [
    true,
    (chat) => chat.window.getByRole('button', { name: 'Record a voice message' }).count(),
    1,
  ],
  emojiPicker: [true, (chat) => chat.window.getByRole('button', { name: 'Emoji' }).count(), 1],
  allowFileUpload: [
    true,
    (chat) => chat.window.getByRole('button', { name: 'Attach files' }).isVisible(),
    true,
  ],
  conversationList: 'e2e/conversation/conversation-list.spec.ts',
  deleteData: 'e2e/own-data/delete-data.spec.ts',
  transcriptMail: 'e2e/own-data/transcript.spec.ts',
  feedbackEnabled: [true, (chat) => chat.window.getByRole('button', { name: /^Good answer/ }).count(), 1],
  regenerateEnabled: 'e2e/conversation/superseding.spec.ts',
  editEnabled: 'e2e/conversation/superseding.spec.ts',
  soundEnabled: [
    true,
    menuItems,
    ['Conversations', 'Download conversation', 'Print conversation', 'Turn sound off'],
  ],
  remoteImages: 'e2e/payloads/payloads.spec.ts, e2e/payloads/markdown.spec.ts',
  imageOrigins: 'e2e/payloads/payloads.spec.ts, e2e/payloads/markdown.spec.ts',
  storageLocation: 'e2e/embedding/memory-storage.spec.ts',
  sharePage: 'e2e/inbox/visitor-page.spec.ts',
  mergeAnonymous: 'e2e/page-api/merge-at-login.spec.ts',
  prefetch: 'e2e/embedding/prefetch.spec.ts',
  adminKey: 'below: it is accepted, and there is nothing to see',
  adminSecret: 'below',
  showPoweredBy: 'below: it is refused',
  phone: contactCase('Call us', '+49 30 123', 'tel:+4930123'),
  email: contactCase('Write to us', 'a@b.test', 'mailto:a@b.test'),
  website: contactCase('Our shop', 'shop.test', 'https://shop.test/'),
  termsOfService: contactCase('Terms', 'https://shop.test/terms'),
  privacyPolicy: contactCase('Privacy', 'https://shop.test/privacy'),
};

test('every configuration field takes effect when it is set and is reverted when it is blank', async ({
  chat,
  serve,
}) => {
  serve('/brand.css', '.launcher { border-radius: 16px }', { 'content-type': 'text/css' });
  await chat.startConversation();
  await chat.window.locator('.viewport').focus();
  for (const [name, found] of Object.entries(cases)) {
    if (typeof found === 'string') continue;
    await test.step(name, async () => {
      const [value, seen, expected] = found as Case<unknown>;
      const before = await seen(chat);
      expect(before, `${name} before`).not.toEqual(expected);
      const replaced = JSON.parse(JSON.stringify(value).replaceAll('PLATFORM', chat.platform.url));
      await chat.configure({ [name]: replaced });
      await expect.poll(() => seen(chat), { message: name }).toEqual(expected);
      await chat.configure({ [name]: null });
      await expect.poll(() => seen(chat), { message: `${name} after` }).toEqual(before);
    });
  }
});

test('the page overrides the script tag, which overrides the server configuration, and blank values fall back', {
  tag: '@story',
}, async ({ chat, platform }) => {
  await chat.storeConfiguration({ botName: 'Stored', botDescription: 'Bicycles' });
  const tag = `data-bot-name="Tag" data-starters='["One","Two"]' data-phone='{"title":"Call","link":"tel:1"}' data-radius="2"`;
  await chat.load(`data-chat-url="${platform.chatUrl}" ${tag} data-manual`, {
    src: `${platform.url}/webchat/webchat.js`,
  });
  await chat.call('init', { configuration: { radius: 1 } });
  await chat.openWindow();
  await expect(chat.window).toContainText('Bicycles');
  const title = chat.window.getByRole('heading', { level: 2 });
  await expect(title).toHaveText('Tag');
  expect(await style(chat, '.window', 'border-radius')).toBe('6px');
  await expect(chat.window.getByRole('group', { name: 'Suggestions' }).getByRole('button')).toHaveCount(2);
  await chat.configure({ botName: 'Page', radius: '' });
  await expect(title).toHaveText('Page');
  await expect.poll(() => style(chat, '.window', 'border-radius')).toBe('12px');
  await chat.configure({ botName: '  ' });
  await chat.configure({ botName: undefined });
  await chat.configure({ botName: null });
  await expect(title).toHaveText('Tag');
  // Other tests use this bot too.
  await chat.storeConfiguration({});
});

test('wrong values are reported once and fall back, showPoweredBy is reported as replaced by footer, and keys are accepted', async ({
  chat,
}) => {
  await chat.startConversation();
  await chat.recordEvents();
  for (let i = 0; i < 2; i++) {
    await chat.configure({
      color: 'red',
      radius: 'round',
      starters: 'Prices',
      phone: 'tel:1',
      showPoweredBy: false,
      colour: '#fff',
      adminKey: 'k',
      adminSecret: 's',
    });
  }
  const received = async () =>
    (await chat.events())
      .filter(({ type }) => type === 'error')
      .map(({ payload }) => (payload as Error).message)
      .sort();
  // Names and values are explained when the browser is idle, in any order.
  await expect
    .poll(received)
    .toEqual([
      "Configuration: 'color' must be a HEX color.",
      "Configuration: 'phone' must be {title, link}.",
      "Configuration: 'radius' must be a number.",
      "Configuration: 'showPoweredBy' must be left out: use 'footer' instead.",
      "Configuration: 'starters' must be a list of strings.",
      "Configuration: no field 'colour'. Did you mean 'color'? See docs/reference/configuration.md.",
    ]);
  expect(chat.consoleErrors.splice(0)).toHaveLength(6);
  await chat.botReplies({ type: 'text', text: 'Still here' });
});

test('a link with a forbidden protocol is shown as text', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.configure({
    website: { title: 'Click', link: 'javascript:alert(1)' },
    email: { title: 'Write', link: 'vbscript:x' },
    termsOfService: { title: 'Terms', link: 'java\tscript:alert(1)' },
    phone: { title: 'No number' },
    privacyPolicy: { link: 'https://shop.test/privacy' },
  });
  await chat.window.getByRole('button', { name: 'Contact and legal' }).click();
  const card = chat.window.getByRole('list', { name: 'Contact' });
  await expect(card.getByRole('listitem')).toHaveCount(5);
  await expect(card.getByRole('link')).toHaveText(['https://shop.test/privacy']);
  // The card handles clicks after it is drawn.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  // A click anywhere else closes it.
  await page.getByRole('heading', { name: 'A page' }).click();
  await expect(card).toHaveCount(0);
});

test('Escape closes the contact card and not the window, also when the card has no link', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.configure({ phone: { title: 'Monday to Friday' } });
  const button = chat.window.getByRole('button', { name: 'Contact and legal' });
  await button.click();
  await expect(chat.window.getByRole('list', { name: 'Contact' })).toHaveText('Monday to Friday');
  // The card handles keys after it is rendered.
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn))));
  await page.keyboard.press('Escape');
  await expect(chat.window.getByRole('list', { name: 'Contact' })).toHaveCount(0);
  await expect(button).toBeFocused();
  await expect(chat.window).toBeVisible();
});

test('a chunk that fails to load is not requested repeatedly', async ({ chat, page }) => {
  let count = 0;
  await page.route(/\/(fonts|tools)-/, (route) => {
    count++;
    return route.abort();
  });
  await chat.startConversation();
  await chat.configure({ fontFamily: 'inter', feedbackEnabled: true });
  await chat.botReplies({ type: 'text', text: 'One' });
  await chat.botReplies({ type: 'text', text: 'Two' });
  expect(count).toBeLessThan(8);
  chat.ignoreConsoleErrors('ERR_FAILED');
});

test('a starter is sent like a typed message, and the starters do not return', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.configure({ starters: ['Prices', ' ', 'Hours'] });
  const starters = chat.window.getByRole('group', { name: 'Suggestions' });
  await expect(starters.getByRole('button')).toHaveCount(2);
  await starters.getByRole('button', { name: 'Prices' }).click();
  await expect(starters).toHaveCount(0);
  await expect(chat.window.locator('.viewport')).toBeFocused();
  await expect.poll(() => chat.serverTexts()).toContain('Prices');
  await page.reload();
  await chat.launcher.click();
  await expect(chat.rows.first()).toBeVisible();
  await chat.configure({ starters: ['Prices'] });
  await expect(chat.window.getByRole('button', { name: 'More' })).toBeVisible();
  await expect(starters).toHaveCount(0);
});

test('the theme auto follows the system setting while the page is open', async ({ chat, page }) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await chat.startConversation();
  await chat.configure({ themeMode: 'auto' });
  await expect.poll(() => style(chat, '.window', 'background-color')).toBe('rgb(22, 24, 29)');
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => style(chat, '.window', 'background-color')).toBe('rgb(255, 255, 255)');
  await chat.configure({ themeMode: 'light' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => style(chat, '.window', 'background-color')).toBe('rgb(255, 255, 255)');
});

test('a page’s own CSS changes custom properties and parts without !important, also after the chat has loaded', {
  tag: '@story',
}, async ({ chat, platform }) => {
  const head = `<style>
    platform-webchat { --pw-fill: rgb(10, 125, 90); --pw-radius: 8px; --pw-offset: 40px }
    platform-webchat::part(launcher) { border-radius: 16px }
    platform-webchat::part(bubble bot) { font-style: italic }
  </style>`;
  const csp = `default-src 'none'; script-src 'nonce-n0nce'; style-src 'unsafe-inline'; connect-src ${platform.url}`;
  await chat.load('', { head, csp });
  await chat.openWindow();
  expect(await style(chat, '.launcher', 'background-color')).toBe('rgb(10, 125, 90)');
  expect(await style(chat, '.launcher', 'border-top-left-radius')).toBe('16px');
  expect(await style(chat, '.window', 'border-radius')).toBe('8px');
  expect(await style(chat, '.launcher', 'bottom')).toBe('40px');
  expect(await style(chat, '[data-side="bot"] .bubble', 'font-style')).toBe('italic');
  await chat.configure({ color: '#aa0000', radius: 4 });
  expect(await style(chat, '.launcher', 'background-color')).toBe('rgb(10, 125, 90)');
});

test('a launcher picture that cannot be loaded is requested once, also if the configuration changes later', async ({
  chat,
  page,
}) => {
  await chat.goto();
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('missing.svg'));
  await chat.configure({ fabImage: `${chat.platform.url}/demo/media/missing.svg` });
  await failed;
  await expect(page.locator('.launcher img')).toHaveCount(0);
  for (const botName of ['One', 'Two']) await chat.configure({ botName });
  // The bundle that requests the picture has applied all changes.
  await chat.configure({ density: 'compact' });
  await expect(page.locator('.box')).toHaveAttribute('data-density', 'compact');
  await expect(page.locator('.launcher .talk')).toBeVisible();
  expect(chat.requests.filter((url) => url.endsWith('missing.svg'))).toHaveLength(1);
  chat.ignoreConsoleErrors('Failed to load resource');
});
