// Pages whose scripts have added names of options to all objects: the chat opens, sends and receives as on other pages.
import { signUserKey } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot, test, userKeySecret } from '../support/fixtures.ts';
import { bundleSite, sitePage } from '../support/site-project.ts';

test.use({ env: scriptedBot });

const sets = {
  'of requests and of elements': `{ method: 'DELETE', headers: { polluted: '1' }, signal: 'polluted', innerHTML: 'polluted',
    body: 'polluted', mode: 'polluted', credentials: 'polluted', cache: 'polluted', redirect: 'error', window: 'polluted' }`,
  'of listeners and events': `{ once: true, capture: true, passive: true, signal: {}, bubbles: false, cancelable: false,
    composed: false, detail: 'polluted', relatedTarget: 'polluted', view: 'polluted' }`,
  'of options of the chat': `{ forget: true, target: '#polluted', user: { name: 'polluted' }, userKey: 'polluted',
    configuration: { botName: 'polluted' }, attributes: { color: '#ff0000' }, consent: false, timeoutMs: 1 }`,
  'of observers, shadow roots and movements': `{ childList: false, subtree: false, attributes: false, attributeFilter: ['polluted'],
    attributeOldValue: true, characterDataOldValue: true, characterData: true, threshold: 2, root: 'polluted', rootMargin: 'polluted', delegatesFocus: true,
    slotAssignment: 'polluted', clonable: true, serializable: true, preventScroll: true, behavior: 'polluted', block: 'polluted' }`,
};

const pollute = (set: string) => `<script nonce="n0nce">Object.assign(Object.prototype, ${set});</script>`;

for (const [name, set] of Object.entries(sets)) {
  test(`a page whose objects all have names ${name} starts the chat, shows a message, identifies the visitor, opens twice and talks`, async ({
    chat,
    page,
  }) => {
    const path = `/methods-${Object.keys(sets).indexOf(name)}`;
    await chat.load('data-manual', { path, head: pollute(set) });
    await page.evaluate(() => {
      const proactive = [{ id: 'one', text: 'Can I help?', when: { delaySeconds: 0 } }];
      (window.platform as Platform).init({ configuration: { proactive } });
    });
    await expect(page.locator('.greeting')).toContainText('Can I help?');
    const key = await signUserKey({ id: 'ada', secret: userKeySecret });
    await page.evaluate((userKey) => (window.platform as Platform).identify(userKey), key);
    // The window closes and opens again, so each listener is called more than once.
    for (const text of ['one', 'two']) {
      await page.evaluate(() => (window.platform as Platform).open());
      await expect(chat.botRows.first()).toBeVisible();
      await chat.send(JSON.stringify({ stream: [`A **bold** ${text}`] }));
      await expect(chat.botRows.last().locator('strong')).toHaveText('bold');
      await expect(chat.botRows.last()).toContainText(text);
      await chat.close();
    }
    expect((await chat.storedSession()).userId).toBe('ada');
    await page.evaluate(() => (window.platform as Platform).destroy());
    // Nothing was asked to be forgotten.
    expect((await chat.storedSession()).userId).toBe('ada');
    // The user did not exist before.
    chat.ignoreConsoleErrors('401');
  });

  test(`the element works on a page whose objects all have names ${name}`, async ({ chat, page, serve }) => {
    const code = await bundleSite({ 'main.js': "import '@platform-webchat/widget/element';" });
    const body = `${pollute(set)}<platform-webchat chat-url="${chat.platform.chatUrl}" bot-name="Ada"></platform-webchat>`;
    await page.goto(serve(`/element-${Object.keys(sets).indexOf(name)}`, sitePage(code, body), {}));
    await page.locator('.launcher').click();
    await expect(page.getByRole('dialog', { name: 'Chat with Ada' })).toBeVisible();
    await expect(page.locator('.row[data-side="bot"]').first()).toBeVisible();
  });
}
