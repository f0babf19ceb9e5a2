// Pages whose scripts have added names of options to all objects: the chat opens, sends and receives as on other pages.
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

test.use({ env: scriptedBot });

const sets = {
  'of requests and of elements': `{ method: 'DELETE', headers: { polluted: '1' }, signal: 'polluted', innerHTML: 'polluted',
    body: 'polluted', mode: 'polluted', credentials: 'polluted', cache: 'polluted', redirect: 'error', window: 'polluted' }`,
  'of listeners and events': `{ once: true, capture: true, passive: true, signal: {}, bubbles: false, cancelable: false,
    composed: false, detail: 'polluted', relatedTarget: 'polluted', view: 'polluted' }`,
  'of observers, shadow roots and movements': `{ childList: false, subtree: false, attributes: false, attributeFilter: ['polluted'],
    attributeOldValue: true, characterDataOldValue: true, characterData: true, threshold: 2, root: 'polluted', rootMargin: 'polluted', delegatesFocus: true,
    slotAssignment: 'polluted', clonable: true, serializable: true, preventScroll: true, behavior: 'polluted', block: 'polluted' }`,
};

for (const [name, set] of Object.entries(sets)) {
  test(`the chat works on a page whose objects all have names ${name}`, async ({ chat, serve }) => {
    const pollution = `<script nonce="n0nce">Object.assign(Object.prototype, ${set});</script>`;
    const script = `<script nonce="n0nce" src="${chat.platform.chatUrl}/webchat.js"></script>`;
    const address = serve(
      `/polluted-${Object.keys(sets).indexOf(name)}`,
      pageHtml(script, { head: pollution }),
    );
    await chat.goto(address);
    // The window closes and opens again, so each listener is called more than once.
    for (const text of ['one', 'two']) {
      await chat.launcher.click();
      await expect(chat.botRows.first()).toBeVisible();
      await chat.send(JSON.stringify({ stream: [`A **bold** ${text}`] }));
      await expect(chat.botRows.last().locator('strong')).toHaveText('bold');
      await expect(chat.botRows.last()).toContainText(text);
      await chat.window.getByRole('button', { name: 'Close chat' }).click();
      await expect(chat.window).toBeHidden();
    }
  });
}
