// A visitor who waits for a person asks for a push, and gets one. The browser without a window has no notifications, so its answer to
// the question for them is one of the test; e2e/people/pushes.spec.ts shows them in a whole browser.
import { openPushPeer, type PushPeer } from '../../src/server/chat/answer-pushes/testing.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { ada, closeDesk, openDesk, waitForPerson } from './desk.ts';
import { subscribeAt } from './push-browser.ts';

let peer: PushPeer;
let publicKey = '';
const env = {
  ...scriptedBot,
  PUSH_CONTACT: 'mailto:help@example.com',
  PUSH_HOSTS: '',
  ANSWER_PUSH_DELAY: '0',
  PUBLIC_URL: 'http://127.0.0.1:9',
};
test.use({
  env,
  attributes: 'data-push-worker="/webchat-push.js"',
  csp: "default-src 'none'; script-src 'nonce-n0nce'; style-src 'none'; worker-src 'self'; connect-src PLATFORM; img-src PLATFORM",
});
test.beforeAll(async () => {
  peer = await openPushPeer(() => publicKey);
  env.PUSH_HOSTS = peer.host;
});
test.afterAll(() => peer.close());
test.afterEach(({ platform }) => closeDesk(platform));

test('a visitor who waits for a person is told of the answer by a push, if they want that', {
  tag: '@story',
}, async ({ chat, page, platform, site }) => {
  const script = `importScripts('${platform.url}/webchat/push-worker.js');`;
  site.page('/webchat-push.js', script, { 'content-type': 'text/javascript' });
  await page.addInitScript(() => {
    let permission: NotificationPermission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      permission = 'granted';
      return permission;
    };
  });
  await subscribeAt(page, peer.browser());
  const desk = await openDesk(platform);
  const conversationId = await waitForPerson(chat);
  const offer = chat.window.locator('[part="push-offer"]');
  await offer.getByRole('button', { name: 'Tell me about answers' }).press('Enter');
  await expect(offer).toContainText('You will get a notification when somebody has answered');
  const key = (await chat.storedSession()).userKey ?? '';
  const answer = await fetch(`${platform.chatUrl}/push`, { headers: { 'x-user-key': key } });
  publicKey = ((await answer.json()) as { publicKey: string }).publicKey;
  await page.close();
  await desk.acceptHandoff({ id: conversationId, person: ada(platform) });
  const payload = { type: 'text', text: 'A secret answer' } as const;
  await desk.createMessage({ conversationId, payload, as: 'person' });
  await expect.poll(() => peer.received.length).toBe(1);
  expect(peer.received[0]?.text).toContain('Ada has answered you');
  expect(peer.received[0]?.text).not.toContain('secret');
});
