// Pages that pin a version of the widget: with its hash, and after the server was upgraded to another version.
import { readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

test('a page that pins the version with its hash loads all files from the folder of this version', {
  tag: '@story',
}, async ({ chat, page, platform }) => {
  const folder = `${platform.url}/webchat/${version}/`;
  const { integrity } = (await (await fetch(`${folder}integrity.json`)).json()) as {
    integrity: Record<string, string>;
  };
  const hash = integrity[`${folder}webchat.js`];
  await chat.load(`integrity="${hash}" crossorigin="anonymous" data-chat-url="${platform.chatUrl}"`, {
    src: `${folder}webchat.js`,
  });
  await chat.launcher.click();
  await chat.exchange('hello');
  expect(await page.evaluate(() => (window.platform as Platform).version)).toBe(version);
  const files = chat.requests.filter((url) => url.startsWith(`${platform.url}/webchat/`));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((url) => !url.startsWith(folder))).toEqual([]);
  for (const url of files.filter((one) => one.endsWith('.js')))
    expect([url, integrity[url]]).toEqual([url, expect.stringMatching(/^sha384-/)]);
});

test('latest: the chat works through the redirects', async ({ chat, platform }) => {
  const src = `${platform.url}/webchat/latest/webchat.js`;
  await chat.load(`data-chat-url="${platform.chatUrl}"`, { src });
  await chat.launcher.click();
  await chat.exchange('hello');
});

test('a page that pins an earlier version works after an upgrade of the server', async ({
  chat,
  platform,
}) => {
  // The folder that a server of version 0.0.9 would have left.
  const folder = join(platform.folder, 'webchat');
  await platform.kill();
  await rename(join(folder, version), join(folder, '0.0.9'));
  await platform.start();
  const src = `${platform.url}/webchat/0.0.9/webchat.js`;
  await chat.load(`data-chat-url="${platform.chatUrl}" crossorigin="anonymous"`, { src });
  await chat.launcher.click();
  await chat.exchange('hello');
  expect(chat.requests.filter((url) => url.includes(`/webchat/${version}/`))).toEqual([]);
});
