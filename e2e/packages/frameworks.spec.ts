// The packages for React, Vue and Svelte: on a server, and in a real browser with their own life cycles.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { compile } from 'svelte/compiler';
import { signUserKey } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { test as base, expect, userKeySecret } from '../support/fixtures.ts';
import { withProject } from '../support/site-project.ts';
import { siteTest } from './site.ts';
import { svelte } from './svelte-plugin.ts';

/**
 * A site for each framework with the same behaviour: `site.render({ key, inline, name, isShown })` draws a chat, and
 * `site.log` has what its handlers received.
 */
const sites = {
  React: `
import { createElement as h, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Webchat, WebchatProvider, useWebchat, useWebchatEvent } from '@platform-webchat/react';
const log = [];
function Button() {
  const { isOpen, status, open } = useWebchat();
  useWebchatEvent('webchat:opened', () => log.push('opened'));
  return h('button', { onClick: open }, status + ' ' + isOpen);
}
function Site({ key: _, id, inline, name, isShown, isProvider, userKey }) {
  const [messages, setMessages] = useState(0);
  if (!isShown) return null;
  const options = { chatUrl: window.chatUrl, configuration: { botName: name }, getUserKey: async () => userKey };
  if (isProvider) return h(WebchatProvider, options, h(Button));
  return h('div', null, h('output', null, String(messages)), h(Webchat, {
    ...options, key: id, inline, className: 'chat',
    onMessage: () => setMessages((count) => count + 1),
    onOpenChange: (isOpen) => log.push(isOpen), onReady: () => log.push('ready'),
  }));
}
const root = createRoot(document.querySelector('#root'));
window.site = { log, render: (props) => root.render(h(StrictMode, null, h(Site, props))) };`,
  Vue: `
import { createApp, h, shallowReactive } from 'vue';
import { Webchat } from '@platform-webchat/vue';
const log = [];
const props = shallowReactive({ count: 0 });
createApp({
  render: () => props.isShown ? h('div', null, [h('output', null, String(props.count)), h(Webchat, {
    options: { chatUrl: window.chatUrl, configuration: { botName: props.name }, getUserKey: async () => props.userKey },
    key: props.id, inline: props.inline, class: 'chat',
    onMessage: () => { props.count++; },
    'onUpdate:open': (isOpen) => log.push(isOpen), onReady: () => log.push('ready'),
  })]) : null,
}).mount('#root');
window.site = { log, render: (next) => Object.assign(props, { inline: false, ...next }) };`,
  Svelte: `
import { mount } from 'svelte';
import Site from './Site.svelte';
const log = [];
const site = mount(Site, { target: document.querySelector('#root'), props: { log } });
window.site = { log, render: site.render };`,
};
const files: Record<string, string> = {
  'Site.svelte': `<script>
  import Webchat from '@platform-webchat/svelte/Webchat.svelte';
  let { log } = $props();
  let shown = $state.raw({});
  let count = $state(0);
  export const render = (next) => { shown = next; };
</script>
{#if shown.isShown}
<output>{count}</output>
{#key shown.id}
<Webchat chatUrl={window.chatUrl} configuration={{ botName: shown.name }} inline={shown.inline} class="chat"
  getUserKey={async () => shown.userKey}
  bind:open={() => undefined, (isOpen) => log.push(isOpen)}
  onmessage={() => count++} onready={() => log.push('ready')} />
{/key}
{/if}`,
};

const keyOf = (id: string) => signUserKey({ id: `${id}-${Date.now()}`, secret: userKeySecret });

interface Shown {
  isShown: boolean;
  id?: number;
  inline?: boolean;
  name?: string;
  userKey?: string;
  isProvider?: boolean;
}
declare global {
  interface Window {
    site: { log: unknown[]; render(shown: Shown): void };
  }
}
const render = (page: Page, shown: Shown) => page.evaluate((props) => window.site.render(props), shown);
const style = '<style>.chat { height: 500px }</style><div id="root"></div>';

for (const [framework, code] of Object.entries(sites)) {
  base.describe(framework, () => {
    const test = siteTest({ 'main.js': code, ...files }, [svelte]);
    test.beforeEach(({ visit }) => visit(style));

    test(`${framework}: a floating chat starts once, calls the newest handlers, follows its options, and ends`, {
      tag: '@story',
    }, async ({ page }) => {
      const faults: string[] = [];
      page.on('console', (line) => ['error', 'warning'].includes(line.type()) && faults.push(line.text()));
      page.on('pageerror', (error) => faults.push(String(error)));
      await render(page, { isShown: true, id: 1, name: 'Ada' });
      await expect(page.locator('.launcher')).toHaveCount(1);
      await page.locator('.launcher').click();
      await expect(page.getByRole('dialog', { name: 'Chat with Ada' })).toContainText('I am the demo bot');
      await expect(page.locator('output')).not.toHaveText('0');
      await render(page, { isShown: true, id: 1, name: 'Bob' });
      await expect(page.getByRole('dialog', { name: 'Chat with Bob' })).toBeVisible();
      // Another key: another component, the same chat.
      await render(page, { isShown: true, id: 2, name: 'Bob' });
      await expect(page.getByRole('dialog', { name: 'Chat with Bob' })).toContainText('I am the demo bot');
      expect(await page.evaluate(() => window.site.log)).toEqual(expect.arrayContaining([true, 'ready']));
      expect(await page.evaluate(() => (window.platform as Platform).instances.length)).toBe(1);
      expect(await page.locator('script[src]').count()).toBe(1);
      await render(page, { isShown: false });
      await expect(page.locator('.launcher')).toHaveCount(0);
      await render(page, { isShown: true, id: 3, name: 'Ada' });
      await expect(page.locator('.launcher')).toHaveCount(1);
      expect(faults).toEqual([]);
    });

    test(`${framework}: the newest getUserKey is asked when the chat is opened`, async ({ page }) => {
      await render(page, { isShown: true, id: 1, name: 'Ada', userKey: await keyOf('first') });
      await expect(page.locator('.launcher')).toHaveCount(1);
      const userKey = await keyOf('second');
      await render(page, { isShown: true, id: 1, name: 'Ada', userKey });
      await page.locator('.launcher').click();
      await expect(page.getByRole('dialog', { name: 'Chat with Ada' })).toContainText('I am the demo bot');
      expect(await page.evaluate(() => (window.platform as Platform).getUser())).toMatchObject({ userKey });
    });

    test(`${framework}: an inline chat keeps what is typed when its component gets another key`, async ({
      page,
    }) => {
      await render(page, { isShown: true, id: 1, inline: true, name: 'Ada' });
      const input = page.locator('.chat').getByRole('textbox', { name: 'Message' });
      await input.fill('half a sentence');
      // Until the framework has drawn again, everything is as before.
      await page.locator('.chat').evaluate((element) => element.setAttribute('data-old', ''));
      await render(page, { isShown: true, id: 2, inline: true, name: 'Ada' });
      await expect(page.locator('.chat[data-old]')).toHaveCount(0);
      await expect(input).toHaveValue('half a sentence');
      await expect(page.locator('.chat platform-webchat')).toHaveCount(1);
      expect((await input.boundingBox())?.width).toBeGreaterThan(300);
    });

    if (framework === 'React')
      test('React: useWebchat has the state and the methods of the chat of its provider', async ({
        page,
      }) => {
        await render(page, { isShown: true, isProvider: true, name: 'Ada' });
        await page.getByRole('button', { name: 'initialized false' }).click();
        await expect(page.getByRole('button', { name: 'ready true' })).toBeAttached();
        expect(await page.evaluate(() => window.site.log)).toEqual(['opened']);
      });
  });
}

/** Framework -> a program that prints what its server renderer makes of a floating and of an inline chat. */
const servers: Record<string, string> = {
  React: `
import { createElement as h, StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { Webchat, WebchatProvider, useWebchat } from '@platform-webchat/react';
const options = { chatUrl: 'https://example.org/chat/demo' };
const Status = () => h('p', null, useWebchat().status);
console.log(renderToString(h(Webchat, options)) + '|' + renderToString(h(StrictMode, null, h(Webchat, { ...options, inline: true, className: 'chat' }))));
console.log(renderToString(h(WebchatProvider, options, h(Status))));`,
  Vue: `
import { createSSRApp, h } from 'vue';
import { renderToString } from 'vue/server-renderer';
import { Webchat } from '@platform-webchat/vue';
const options = { chatUrl: 'https://example.org/chat/demo' };
const show = (props) => renderToString(createSSRApp({ render: () => h(Webchat, { options, ...props }) }));
console.log((await show({})) + '|' + (await show({ inline: true, class: 'chat' })));`,
  Svelte: `
import { render } from 'svelte/server';
import Webchat from './Webchat.server.js';
const props = { chatUrl: 'https://example.org/chat/demo' };
console.log(render(Webchat, { props }).body + '|' + render(Webchat, { props: { ...props, inline: true, class: 'chat' } }).body);`,
};

for (const [framework, code] of Object.entries(servers)) {
  base(
    `${framework}: its server renderer makes nothing of a floating chat, and an empty element of an inline one`,
    async () => {
      const html = await withProject(async (folder) => {
        const component = await readFile('dist/packages/svelte/lib/packages/svelte/Webchat.svelte', 'utf8');
        const compiled = compile(component, { generate: 'server', filename: 'Webchat.svelte' }).js.code;
        await writeFile(
          join(folder, 'Webchat.server.js'),
          compiled.replace("'./index.js'", "'@platform-webchat/svelte'"),
        );
        await writeFile(join(folder, 'server.mjs'), code);
        const { stdout, stderr } = await promisify(execFile)(process.execPath, ['server.mjs'], {
          cwd: folder,
        });
        expect(stderr).toBe('');
        return stdout;
      });
      const [first = '', second] = html
        .replaceAll(/<!--.*?-->/g, '')
        .trim()
        .split('\n');
      expect(first).toBe('|<div class="chat"></div>');
      if (framework === 'React') expect(second).toBe('<p>idle</p>');
    },
  );
}
