// A visitor who waits for a person asks for a push, and gets one. The browser without a window has no notifications, so its answer to
// the question for them is one of the test; e2e/people/pushes.spec.ts shows them in a whole browser.
import { expect, test } from '../support/fixtures.ts';
import { ada, openDesk, waitForPerson } from './desk.ts';
import { serveWorker, subscribeAt, usePushService } from './push-browser.ts';

const pushes = usePushService();

test('a visitor who waits for a person is told of the answer by a push, if they want that', {
  tag: '@story',
}, async ({ chat, page, platform, site }) => {
  serveWorker(platform, site);
  await page.addInitScript(() => {
    let permission: NotificationPermission = 'default';
    Object.defineProperty(Notification, 'permission', { get: () => permission });
    Notification.requestPermission = async () => {
      permission = 'granted';
      return permission;
    };
  });
  await subscribeAt(page, pushes.browser());
  const desk = await openDesk(platform);
  const conversationId = await waitForPerson(chat);
  const offer = chat.window.locator('[part="push-offer"]');
  await offer.getByRole('button', { name: 'Tell me about answers' }).press('Enter');
  await expect(offer).toContainText('You will get a notification when somebody has answered');
  await pushes.readPublicKey(chat);
  await page.close();
  await desk.acceptHandoff({ id: conversationId, person: ada(platform) });
  const payload = { type: 'text', text: 'A secret answer' } as const;
  await desk.createMessage({ conversationId, payload, as: 'person' });
  await expect.poll(() => pushes.received().length).toBe(1);
  expect(pushes.received()[0]?.text).toContain('Ada has answered you');
  expect(pushes.received()[0]?.text).not.toContain('secret');
});
