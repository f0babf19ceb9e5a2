// Page policies: the documented CSP is sufficient and minimal, and a file that differs from the pinned one is blocked
// without affecting the page.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';
import type { PlatformServer } from '../support/server.ts';
import { recordNotes } from '../support/sound-recorder.ts';

test.use({ env: scriptedBot });

const attributes = 'data-allow-file-upload data-sound-enabled data-font-family="inter"';
const documented = /```csp\n(.*?)\n```/s.exec(readFileSync('docs/concepts/security.md', 'utf8'))?.[1] ?? '';

/** Returns the documented policy for this server; `change` replaces or removes a directive. */
function policy(platform: PlatformServer, change: Record<string, string> = {}): string {
  const directives = documented
    .replaceAll('https://chat.example.com', platform.url)
    .replace('R4nd0m', 'n0nce')
    .split(/;\s*/);
  return directives
    .map((directive) => change[directive.split(' ')[0] ?? ''] ?? directive)
    .filter(Boolean)
    .join('; ');
}
const headers = (csp: string, more = {}) => ({ 'content-security-policy': csp, ...more });
const tagOf = (platform: PlatformServer, more = 'nonce="n0nce"') =>
  `<script ${more} src="${platform.chatUrl}/webchat.js" ${attributes}></script>`;
const violations = (page: Page) => page.evaluate(() => window.seen.violations.splice(0));

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const markdown = { type: 'markdown', markdown: 'Some **bold** words and\n\n```js\nconst code = 1;\n```' };
const sound = (platform: PlatformServer) => ({
  type: 'audio',
  audioUrl: `${platform.url}/demo/media/tone.wav`,
  title: 'A tone',
});

/** Loads a medium as when the visitor presses play. */
async function expectPlayable(player: Locator): Promise<void> {
  await player.evaluate((e: HTMLMediaElement) => {
    e.preload = 'auto';
    e.load();
  });
  await expect.poll(() => player.evaluate((e: HTMLMediaElement) => e.readyState)).toBeGreaterThan(0);
}

/** The use of each directive: an action and its visible effect. */
const uses: Record<string, (chat: ChatPage, page: Page) => Promise<void>> = {
  async words(chat) {
    await chat.launcher.click();
    await expect(chat.botRows.first()).toContainText('scripted double');
  },
  async markdown(chat) {
    const row = await chat.botReplies(markdown);
    await expect(row.locator('strong')).toHaveText('bold');
    await expect(row.locator('pre')).toContainText('const code');
  },
  async pictures(chat, page) {
    const choosing = page.waitForEvent('filechooser');
    await chat.window.getByRole('button', { name: 'Attach files' }).click();
    await (await choosing).setFiles({ name: 'dot.png', mimeType: 'image/png', buffer: png });
    const own = chat.window.getByRole('list', { name: 'Files to send' }).getByRole('listitem');
    await expect(own).toHaveAttribute('data-status', 'uploaded');
    await expect(own.locator('canvas')).toBeVisible();
    await chat.window.getByRole('button', { name: 'Send message' }).click();
    const shown = chat.window.locator('[data-side="visitor"] img').last();
    await expect.poll(() => shown.evaluate((e: HTMLImageElement) => e.naturalWidth)).toBe(1);
    // The next reply would otherwise be taken for this one.
    await expect(chat.botRows.last()).toContainText('received');
  },
  async sound(chat) {
    const row = await chat.botReplies(sound(chat.platform));
    await expectPlayable(row.locator('audio'));
  },
  async fonts(_, page) {
    const loaded = () =>
      page.evaluate(() =>
        [...document.fonts].some((face) => /pw inter/.test(face.family) && face.status === 'loaded'),
      );
    await expect.poll(loaded).toBe(true);
  },
};

test('everything works under the documented policy, without violations', { tag: '@story' }, async ({
  chat,
  page,
  platform,
  serve,
}) => {
  await recordNotes(page);
  expect(policy(platform)).not.toMatch(/unsafe|style|frame|data:|blob:|\*/);
  await chat.goto(serve('/smallest', pageHtml(tagOf(platform)), headers(policy(platform))));
  for (const use of Object.values(uses)) await use(chat, page);
  await expect.poll(() => chat.eventTypes()).toContain('note');
  const film = await chat.botReplies({
    type: 'video',
    videoUrl: `${platform.url}/demo/media/clip.webm`,
    title: 'A clip',
  });
  await expectPlayable(film.locator('video'));
  await chat.window.getByRole('button', { name: 'More' }).click();
  const downloading = page.waitForEvent('download');
  await chat.window.getByRole('menuitem', { name: 'Download conversation' }).click();
  expect(readFileSync(await (await downloading).path(), 'utf8')).toContain('Some **bold** words');
  await chat.call('restartConversation');
  await expect(chat.rows).toHaveCount(1);
  // No inline style was set, which `style-src` would have blocked. Violations are recorded.
  expect(await violations(page)).toEqual([]);
  chat.expectNoConsoleErrors();
});

// generated-policy.spec.ts removes each source of the policy. A page that forbids the policy of Trusted Types is a usual one.
test('without the policy of Trusted Types the browser reports a violation, Markdown stays readable and the page keeps working', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const csp = policy(platform, { 'trusted-types': "trusted-types 'none'" });
  await page.goto(serve('/without', pageHtml(tagOf(platform)), headers(csp)));
  await chat.openWindow();
  await expect(await chat.botReplies(markdown)).toContainText('Some **bold** words');
  await expect.poll(async () => (await violations(page)).join()).toContain('trusted-types');
  for (const line of chat.consoleErrors.splice(0))
    expect(line).toMatch(/Content Security Policy|TrustedTypePolicy/i);
  await page.getByRole('link', { name: 'A link of the page' }).click({ position: { x: 1, y: 1 } });
  await expect(page).toHaveURL(/#there$/);
});

/** Returns the hashes from the build for this server. */
const pinned = (platform: PlatformServer) =>
  readFileSync('dist/webchat/integrity.json', 'utf8').replaceAll('https://YOUR-SERVER', platform.url);
const hashOf = (file: string) =>
  `sha384-${createHash('sha384')
    .update(readFileSync(`dist/webchat/${file}`))
    .digest('base64')}`;
const wrong = `sha384-${createHash('sha384').update('another file').digest('base64')}`;

const staticTag = (platform: PlatformServer, more: string) =>
  `<script ${more} crossorigin="anonymous" src="${platform.url}/webchat/webchat.js" data-chat-url="${platform.chatUrl}" ${attributes}></script>`;

/** Other ways to allow the script: the policy and the tag. */
const allowed: [
  name: string,
  scriptSrc: (platform: PlatformServer) => string,
  tag: (platform: PlatformServer) => string,
][] = [
  ['the address of the server', ({ url }) => `'nonce-page' ${url}`, (platform) => tagOf(platform, '')],
  [
    "a nonce and 'strict-dynamic'",
    () => "'nonce-page' 'nonce-n0nce' 'strict-dynamic'",
    (platform) => tagOf(platform),
  ],
  [
    'the addresses of its files alone',
    ({ url }) => `'nonce-page' ${url}/chat/demo/webchat.js ${url}/webchat/`,
    (platform) => tagOf(platform, ''),
  ],
];

for (const [name, scriptSrc, tag] of allowed) {
  test(`the script and its chunks are allowed by ${name}`, async ({ chat, page, platform, serve }) => {
    const html = pageHtml(tag(platform)).replace('<script nonce="n0nce">', '<script nonce="page">');
    const csp = policy(platform, { 'script-src': `script-src ${scriptSrc(platform)}` });
    await chat.goto(serve('/allowed', html, headers(csp)));
    await uses.words?.(chat, page);
    await uses.markdown?.(chat, page);
    await uses.pictures?.(chat, page);
    // Without one part of the policy the script is blocked, which proves that the policy was active.
    const none = policy(platform, { 'script-src': "script-src 'nonce-page'" });
    await page.goto(serve('/not-allowed', html, headers(none)));
    await expect.poll(async () => (await violations(page)).join()).toContain('script-src');
    await expect(chat.launcher).toHaveCount(0);
    expect(chat.consoleErrors.splice(0).join()).toContain('Content Security Policy');
  });
}

test('a pinned script runs, and a different one is refused without harm to the page', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const write = (hash: string) => {
    const tag = staticTag(platform, `nonce="n0nce" integrity="${hash}"`);
    return serve('/pinned', pageHtml(tag), headers(policy(platform)));
  };
  await chat.goto(write(hashOf('webchat.js')));
  await uses.words?.(chat, page);
  chat.expectNoConsoleErrors();
  await page.goto(write(wrong));
  await expect.poll(() => chat.consoleErrors.join()).toContain('integrity');
  await page.getByRole('link', { name: 'A link of the page' }).click();
  await expect(page).toHaveURL(/#there$/);
  await expect(chat.launcher).toHaveCount(0);
  expect(await page.evaluate(() => 'platform' in window)).toBe(false);
  chat.consoleErrors = [];
});

test('chunks can be pinned by an import map, and unpinned ones are refused under an integrity policy', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const tag = staticTag(platform, `nonce="n0nce" integrity="${hashOf('webchat.js')}"`);
  const write = (map: string) =>
    pageHtml(tag, { head: `<script type="importmap" nonce="n0nce">${map}</script>` });
  // The page's own script needs no hash.
  const strict = headers(policy(platform), { 'integrity-policy': 'blocked-destinations=(script)' });
  await chat.goto(serve('/map', write(pinned(platform)), strict));
  await uses.words?.(chat, page);
  await uses.markdown?.(chat, page);
  await uses.pictures?.(chat, page);
  chat.expectNoConsoleErrors();

  const chunk = readdirSync('dist/webchat').find((file) => /^chat-.*\.js$/.test(file)) ?? '';
  const other = pinned(platform).replace(hashOf(chunk), wrong);
  expect(other).not.toBe(pinned(platform));
  await page.goto(serve('/map-of-another', write(other), strict));
  await page.evaluate(() => localStorage.clear());
  for (let i = 0; i < 3; i++) {
    await chat.launcher.click();
    await expect(chat.launcher).toHaveAccessibleName('The chat could not be loaded. Click to try again.');
  }
  await expect(chat.window).toBeHidden();
  expect(chat.consoleErrors.splice(0).length).toBeGreaterThan(0);
  await violations(page);
});

test('the built files contain no eval, no HTML sink except the one for Markdown, and no data: or blob: URLs', () => {
  const files = readdirSync('dist/webchat').filter((file) => file.endsWith('.js'));
  expect(files.length).toBeGreaterThan(15);
  const found: string[] = [];
  for (const file of files) {
    const code = readFileSync(`dist/webchat/${file}`, 'utf8');
    for (const [match] of code.matchAll(
      /\beval\(|new Function|document\.write|insertAdjacentHTML|(?:inner|outer)HTML|srcdoc|javascript:|url\(["']?(?:data|blob):|["'`](?:data|blob):|createObjectURL|setAttribute\(["'`]style|["'`](?:before)?unload["'`]|onbeforeunload|onunload/g,
    )) {
      found.push(`${file.replace(/-[\w-]{6}\.js$/, '')} ${match}`);
    }
  }
  expect([...new Set(found)].sort()).toEqual([
    // Preact's code for `dangerouslySetInnerHTML`, which is not used (src/conventions.test.ts).
    'chat innerHTML',
    // DOMPurify and the one HTML sink that uses it; the `data:` is in its list of forbidden protocols.
    'markdown "data:',
    'markdown innerHTML',
    'markdown outerHTML',
    // Temml's own code for elements, which is not used: math.ts creates them from plain objects.
    'math setAttribute("style',
    // The transcript download.
    'panels createObjectURL',
  ]);
});
