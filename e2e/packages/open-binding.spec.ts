// The binding `open` of the components for Vue and Svelte, and of the element, while the chat loads, and when a component takes over a chat.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { holdRequests } from '../support/faults/hold-requests.ts';
import { expect } from '../support/fixtures.ts';
import { siteTest } from './site.ts';
import { svelte } from './svelte-plugin.ts';

/** `site.render({ id, open })` draws a chat that is bound to `open`, `site.log` has the values that it received. */
const sites: Record<string, Record<string, string>> = {
  Vue: {
    'main.js': `
import { createApp, h, nextTick, shallowReactive } from 'vue';
import { Webchat } from '@platform-webchat/vue';
const log = [];
const props = shallowReactive({ id: 1, open: undefined });
createApp({
  render: () => h(Webchat, {
    options: { chatUrl: window.chatUrl }, key: props.id, open: props.open,
    'onUpdate:open': (isOpen) => { log.push(isOpen); props.open = isOpen; },
  }),
}).mount('#root');
window.site = { log, render: (next) => { Object.assign(props, next); return nextTick(); } };`,
  },
  Svelte: {
    'main.js': `
import { mount, tick } from 'svelte';
import Site from './Site.svelte';
const log = [];
const site = mount(Site, { target: document.querySelector('#root'), props: { log } });
window.site = { log, render: (next) => { site.render(next); return tick(); } };`,
    'Site.svelte': `<script>
  import Webchat from '@platform-webchat/svelte/Webchat.svelte';
  let { log } = $props();
  let shown = $state.raw({ id: 1 });
  export const render = (next) => { shown = { ...shown, ...next }; };
</script>
{#key shown.id}
<Webchat chatUrl={window.chatUrl}
  bind:open={() => shown.open, (open) => { log.push(open); shown = { ...shown, open }; }} />
{/key}`,
  },
  Element: {
    'main.js': `
import '@platform-webchat/widget/element';
const log = [];
let element;
const render = async ({ id, open }) => {
  if (id || !element) {
    const next = document.createElement('platform-webchat');
    next.chatUrl = window.chatUrl;
    next.addEventListener('webchat-opened', () => log.push(true));
    next.addEventListener('webchat-closed', () => log.push(false));
    next.open = open ?? !!element?.open;
    element?.remove();
    element = next;
    document.querySelector('#root').append(element);
  } else element.open = open;
  await new Promise((resolve) => setTimeout(resolve));
  if (id && element.open !== !!open) log.push(element.open);
};
void render({});
window.site = { log, render };`,
  },
};

interface Site {
  log: boolean[];
  render(props: { id?: number; open?: boolean }): Promise<void>;
}
const render = (page: Page, shown: { id?: number; open?: boolean }) =>
  page.evaluate((props) => (window as unknown as { site: Site }).site.render(props), shown);
const log = (page: Page) => page.evaluate(() => (window as unknown as { site: Site }).site.log);
const isOpen = (page: Page) => page.evaluate(() => (window.platform as Platform).isOpen);

for (const [framework, files] of Object.entries(sites)) {
  const test = siteTest(files, [svelte]);
  test(`${framework}: a window that is opened and closed while the chat loads stays closed`, async ({
    page,
    visit,
  }) => {
    const load = await holdRequests(page, '**/webchat.js');
    await visit('<div id="root"></div>', 'domcontentloaded');
    await render(page, { open: true });
    await render(page, { open: false });
    load();
    await expect(page.locator('.launcher')).toHaveCount(1);
    expect([await isOpen(page), await log(page)]).toEqual([false, []]);
    await render(page, { open: true });
    await expect(page.getByRole('dialog')).toBeVisible();
    await render(page, { open: false });
    await expect(page.getByRole('dialog')).toBeHidden();
    // The visitor's action reaches the binding, and the page can change it afterwards.
    await page.locator('.launcher').click();
    await expect.poll(() => log(page)).toEqual([true, false, true]);
    await render(page, { open: false });
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  test(`${framework}: a component that takes over an open chat leaves it open, and its binding becomes true`, async ({
    page,
    visit,
  }) => {
    await visit('<div id="root"></div>', 'domcontentloaded');
    await render(page, { open: true });
    await expect(page.getByRole('dialog')).toBeVisible();
    await render(page, { id: 2, open: false });
    await expect.poll(() => log(page)).toEqual([true, true]);
    expect(await isOpen(page)).toBe(true);
    // Afterwards the window follows the binding.
    await render(page, { open: false });
    await expect(page.getByRole('dialog')).toBeHidden();
    await render(page, { open: true });
    await expect(page.getByRole('dialog')).toBeVisible();
  });
}
