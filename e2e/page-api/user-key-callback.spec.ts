// User keys that expire while the visitor writes, in a real browser: the option `getUserKey`, and `identify` with another key.
import type { Page } from '@playwright/test';
import { signUserKey } from '../../src/client/index.ts';
import { expect, test, userKeySecret } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

/** The server refuses a key from now on, as after its expiry. */
async function refuse(page: Page, { url, key }: { url: string; key: string }): Promise<void> {
  await page.route(`${url}/**`, async (route) => {
    if (route.request().headers()['x-user-key'] === key) {
      const body = { id: 'err_x', code: 401, type: 'Unauthorized', message: 'The user key has expired.' };
      await route.fulfill({ status: 401, json: body, headers: { 'access-control-allow-origin': '*' } });
    } else await route.continue();
  });
}

test('a message that is sent after the key has expired arrives, in a conversation that goes on', {
  tag: '@story',
}, async ({ chat, page, platform, serve }) => {
  const id = `customer-${Date.now()}`;
  const keys = [
    await signUserKey({ id, secret: userKeySecret, expiresInSeconds: 3_600 }),
    await signUserKey({ id, secret: userKeySecret }),
  ];
  await page.exposeFunction('nextKey', () => keys.shift());
  const tag = `<script src="${platform.chatUrl}/webchat.js" data-manual></script>
<script>
  window.reasons = [];
  platform.init({ getUserKey: async ({ reason }) => { reasons.push(reason); return nextKey(); } });
</script>`;
  // Without a policy, for the script of the page.
  await chat.goto(serve('/callback', pageHtml(tag), {}));
  await chat.openWindow();
  const { userKey: first, conversationId } = await chat.storedSession();
  await refuse(page, { url: platform.chatUrl, key: first ?? '' });
  await chat.send('hello');
  await expect(chat.botRows).toHaveCount(2);
  const { userKey: second, conversationId: now } = await chat.storedSession();
  expect(second).not.toBe(first);
  expect(now).toBe(conversationId);
  expect(await page.evaluate(() => (window as unknown as { reasons: string[] }).reasons)).toEqual([
    'start',
    'refused',
  ]);
  expect(await chat.call('getUser')).toMatchObject({
    id: expect.any(String),
  });
  // The browser reports the refused request.
  chat.ignoreConsoleErrors('401');
});
