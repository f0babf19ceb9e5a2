// On each hostile page of support/hostile/hostile-pages.ts the chat changes nothing, looks and works as on a plain page, and
// reports no problem. Tests with more than one page load follow the table.
import { readFileSync } from 'node:fs';
import type { CDPSession, Locator } from '@playwright/test';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';
import { combinePages } from '../support/hostile/combined-pages.ts';
import type { HostilePage } from '../support/hostile/hostile-page.ts';
import { hostilePages } from '../support/hostile/hostile-pages.ts';
import type { PlatformServer } from '../support/server.ts';

test.use({ env: scriptedBot });

const probe = readFileSync('e2e/support/page-probe.js', 'utf8');

/** The content of every page: elements with styles, handlers and positions. */
const content = `<main><ul><li>One</li><li>Two</li></ul><table><tr><td>A cell</td><td>Another</td></tr></table>
<form id="search"><label>Search <input id="field" value="words"></label><select><option>Much</option></select></form>
<button id="count" type="button">Count</button><p style="position:absolute;left:40px;top:300px">Placed</p>
<p style="margin-top:1500px">Far below</p></main>`;

const inline = (code: string) => `<script nonce="n0nce">${code}</script>`;

function write(row: HostilePage, src: string): string {
  const more = row.before || row.after ? 'data-allow-file-upload' : '';
  const tag = `<script nonce="n0nce" src="${src}" ${more}></script>`;
  const handlers = `document.getElementById('count').addEventListener('click', () => { probe.clicks++; });
    document.addEventListener('keydown', (event) => { probe.keys += event.key; });`;
  const html = pageHtml('', {
    head: `${inline(probe)}${row.head ?? ''}<style nonce="n0nce">${row.css ?? ''}</style>${inline(
      `{${row.before ?? ''}}`,
    )}${inline('probe.mark()')}${(row.tag ?? 'TAG').replaceAll('TAG', tag)}`,
    body: (row.body ?? '').replaceAll('TAG', tag) + content + inline(handlers),
    doctype: row.doctype ?? '<!doctype html>',
  });
  return html.replace('<html lang="en">', `<html lang="en" ${row.html ?? ''}>`);
}

const policy = (row: HostilePage, platform: PlatformServer) =>
  `${strictCsp(platform.url)
    .replace("style-src 'none'", "style-src 'nonce-n0nce'; style-src-attr 'unsafe-inline'")
    .replace("base-uri 'none'; ", '')}; ${row.csp ?? ''}`;

/** Evaluates in the page without Playwright's injected scripts, which a hostile page can break. */
async function run<T>(cdp: CDPSession, expression: string): Promise<T> {
  const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
    expression,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
  return result.value as T;
}

/** Returns the state of the page, as JSON. */
const read = (cdp: CDPSession): Promise<string> => run(cdp, 'probe.read()');

/** One line for each property that could differ. */
function linesOf(state: string): string[] {
  const { looks, ...rest } = JSON.parse(state);
  const lines = Object.entries(rest).flatMap(([name, value]) =>
    `${name}: ${JSON.stringify(value)}`.split('\\n'),
  );
  const styles = (looks as { tag: string; at: string; text: string }[]).flatMap(({ tag, at, text }, i) =>
    [at, ...text.split(';')].map((line) => `${i} ${tag} ${line}`),
  );
  return [...lines, ...styles];
}
/** Returns the lines that only one of the states has. */
function differences(a: string, b: string): string[] {
  // Thousands of lines take longer to compare.
  if (a === b) return [];
  const [inA, inB] = [new Set(linesOf(a)), new Set(linesOf(b))];
  return [...[...inA].filter((line) => !inB.has(line)), ...[...inB].filter((line) => !inA.has(line))];
}

/** Takes a screenshot of a part of an element. (Playwright's own screenshots leave `style=""` on the page.) */
async function picture(cdp: CDPSession, element: Locator, at: Box): Promise<string> {
  const { x, y } = (await element.boundingBox()) as Box;
  const clip = { ...at, x: x + at.x, y: y + at.y, scale: 1 };
  return (await cdp.send('Page.captureScreenshot', { clip })).data;
}
/** Compares two screenshots; the edge of a rounded corner may differ by a shade, which depends on the layers of the page. */
function isSameLook(a: string, b: string): boolean {
  if (a === b) return true;
  const read = (data: string) => PNG.sync.read(Buffer.from(data, 'base64'));
  const [one, other] = [read(a), read(b)];
  const { width, height } = one;
  return (
    width === other.width &&
    height === other.height &&
    pixelmatch(one.data, other.data, undefined, width, height, { threshold: 0.05 }) === 0
  );
}
type Box = { x: number; y: number; width: number; height: number };
const onLauncher = { x: 10, y: 10, width: 36, height: 36 };
const onWindow = { x: 20, y: 8, width: 250, height: 44 };

/** Opens the window, sends messages, receives streamed Markdown, and closes the window. */
async function openChat(
  chat: ChatPage,
  cdp: CDPSession,
  row: HostilePage,
  expectedLooks?: string[],
): Promise<{ looks: string[]; open: string }> {
  const { launcher } = chat;
  const looks: string[] = [];
  const look = async (element: Locator, at: Box) => {
    const expected = expectedLooks?.[looks.length];
    let shown = '';
    // Content that is drawn later, such as the picture of the bot, may take its time. The caller reports a difference that stays.
    await expect
      .poll(async () => {
        shown = await picture(cdp, element, at);
        return !expected || isSameLook(shown, expected);
      })
      .toBe(true)
      .catch(() => {});
    looks.push(shown);
  };
  await expect(launcher).toBeVisible();
  const box = (await launcher.boundingBox()) as Box;
  expect(box).toMatchObject({ width: 56, height: 56 });
  // The chat comes above a popover of the page a moment after it has opened.
  await expect.poll(() => run(cdp, `probe.at(${box.x + 28}, ${box.y + 28})`)).toBe('platform-webchat');
  await look(launcher, onLauncher);
  await launcher.click();
  await expect(chat.botRows.first()).toContainText('scripted double');
  const frame = (await chat.window.boundingBox()) as Box;
  expect([frame.width, frame.height]).toEqual([400, 608]);
  await chat.send(JSON.stringify({ stream: ['A **bold** ', '$x', '^2$\n\n- and', ' a list\n'], echo: true }));
  await expect(chat.botRows).toHaveCount(3);
  await expect(chat.botRows.nth(1).locator('strong')).toHaveText('bold');
  await expect(chat.botRows.nth(1).getByRole('listitem')).toHaveText('and a list');
  await expect(chat.botRows.nth(1).locator('math annotation')).toHaveText('x^2');
  await expect(chat.botRows.nth(2)).toContainText('received text');
  await look(chat.window, onWindow);
  // Arrays in a payload of the page remain arrays.
  await run(cdp, 'window.platform.sendEvent({ list: [1, { deep: [] }] })');
  await expect(chat.botRows.nth(3)).toContainText('received custom {"list":[1,{"deep":[]}]}');
  if (row.before || row.after) {
    const files = ['a.txt', 'b.txt'].map((name) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(name),
    }));
    const choosing = chat.page.waitForEvent('filechooser');
    await chat.window.getByRole('button', { name: 'Attach files' }).click();
    await (await choosing).setFiles(files);
    await expect(chat.window.locator('[data-status="uploaded"]')).toHaveCount(2);
    await chat.window.getByRole('button', { name: 'Send message' }).click();
    await expect(chat.botRows.nth(4)).toContainText('received bloc {"type":"bloc","items":[{');
  }
  // Keys that are typed in the chat do not reach the page's handlers.
  expect(await run(cdp, 'probe.keys')).toBe('');
  const open = await read(cdp);
  await chat.close();
  return { looks, open };
}

/** Screenshots of the chat on a plain page. */
let easyLooks: string[] | undefined;

/** `HOSTILE_PAGES=alone` loads each one by itself, to find the one that changes something. */
const pages = process.env.HOSTILE_PAGES === 'alone' ? hostilePages : combinePages(hostilePages);

for (const row of [{ name: 'an easy page' }, ...pages]) {
  test(`chat and page do not change each other: ${row.name}`, async ({
    page,
    chat,
    platform,
    serve,
    site,
  }) => {
    const easy = { 'content-security-policy': policy({ name: '' }, platform) };
    const headers = { 'content-security-policy': policy(row, platform) };
    const cdp = await page.context().newCDPSession(page);
    const go = async (hard: HostilePage, src: string) => {
      await page.goto(serve('/hard', write(hard, src), headers));
      if (src !== nothing) await expect(chat.launcher).toBeVisible();
      if (hard.after) await run(cdp, `{${hard.after}}`);
    };
    // The page alone, with an empty script instead of the chat's.
    const nothing = `${platform.url}/webchat/nothing.js`;
    await page.route(nothing, (route) => route.fulfill({ body: '', contentType: 'text/javascript' }));
    if (!easyLooks) {
      await page.goto(serve('/easy', write({ name: '' }, `${platform.chatUrl}/webchat.js`), easy));
      easyLooks = (await openChat(chat, cdp, { name: '' })).looks;
      await cdp.send('Storage.clearDataForOrigin', { origin: site.url, storageTypes: 'local_storage' });
    }
    await go(row, nothing);
    const alone = await read(cdp);
    const lines = linesOf(alone);
    expect(lines).toContain('handlersWork: true');
    if (!row.after) expect(lines).toContain('changed: []');
    expect(lines.length).toBeGreaterThan(5_000);

    await go(row, `${platform.chatUrl}/webchat.js`);
    expect(differences(alone, await read(cdp)), 'with the chat').toEqual([]);
    const { looks, open } = await openChat(chat, cdp, row, row.looksDifferent ? undefined : easyLooks);
    expect(differences(alone, open), 'with the chat open').toEqual([]);
    if (!row.looksDifferent)
      expect(looks.map((look, i) => isSameLook(look, easyLooks?.[i] ?? ''))).toEqual([true, true]);
    await run(cdp, 'window.platform.destroy()');
    expect(differences(alone, await read(cdp)), 'without it again').toEqual([]);
    expect(await run(cdp, 'seen.violations.join()')).toBe('');
    if (row.expectedWarnings) {
      const noise = chat.consoleErrors.splice(0);
      expect(noise.length).toBeGreaterThan(0);
      for (const line of noise) expect(line).toMatch(row.expectedWarnings);
    }
    chat.expectNoConsoleErrors();
  });
}
