// A visitor who waits for a person switches on notifications, closes the page, and is told of the answer by the service worker of the
// site. The push service is one of the test, because that of Chromium cannot be reached: the browser gets its pushes by CDP.
import type { BrowserContext, Page } from '@playwright/test';
import { requireProgram } from '../../scripts/browser.mjs';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { announcements, recordAnnouncements } from '../support/announcements.ts';
import { violations } from '../support/axe.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import type { HostSite } from '../support/host-page.ts';
import type { PlatformServer } from '../support/server.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';
import { ada, openDesk, waitForPerson } from './desk.ts';
import { serveWorker, subscribeAt, usePushService } from './push-browser.ts';

const pushes = usePushService();
// The browser without a window that other tests use has no notifications.
test.use({
  launchOptions: {
    executablePath: requireProgram('chromium'),
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  },
});

const offer = (chat: ChatPage) => chat.window.locator('[part="push-offer"]');
const button = (chat: ChatPage, name: string) => offer(chat).getByRole('button', { name });

/** The site has the service worker, and the browser shows its notifications. */
async function allowPushes(context: BrowserContext, platform: PlatformServer, site: HostSite): Promise<void> {
  serveWorker(platform, site);
  await context.grantPermissions(['notifications'], { origin: site.url });
}

/** The visitor waits for a person, and wants to be told of the answer. */
async function acceptOffer(chat: ChatPage): Promise<void> {
  await waitForPerson(chat);
  await button(chat, 'Tell me about answers').press('Enter');
  await expect(button(chat, 'Switch off notifications')).toBeVisible();
}

interface Parts {
  chat: ChatPage;
  context: BrowserContext;
  page: Page;
  platform: PlatformServer;
  site: HostSite;
}

/** All that is needed until the visitor gets pushes in this browser. */
async function switchOnPushes({ chat, context, page, platform, site }: Parts): Promise<void> {
  await allowPushes(context, platform, site);
  await subscribeAt(page, pushes.browser());
  await openDesk(platform);
  await acceptOffer(chat);
}

/** Resolves when the server has stored a subscription, or its end. */
const pushStored = (page: Page) =>
  page.waitForResponse(
    (response) => response.url().endsWith('/push') && response.request().method() === 'PUT',
  );

const isSubscribed = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    return !!(await registration?.pushManager.getSubscription());
  });

/** The browser asks, and the visitor refuses, which it remembers. */
async function refusePermission(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const name = 'permission of the test';
    Object.defineProperty(Notification, 'permission', { get: () => localStorage.getItem(name) ?? 'default' });
    Notification.requestPermission = async () => {
      localStorage.setItem(name, 'denied');
      return 'denied';
    };
  });
}

test('a notification comes and opens the page again', async ({ chat, context, page, platform, site }) => {
  await allowPushes(context, platform, site);
  const browser = pushes.browser();
  await subscribeAt(page, browser);
  await page.setViewportSize({ width: 320, height: 640 });
  await recordAnnouncements(page);
  const desk = await openDesk(platform);
  const conversationId = await waitForPerson(chat);
  const on = button(chat, 'Tell me about answers');
  await expect(on).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.screenshot({ path: 'test-results/push-phone.png' });
  await on.press('Enter');
  await expect(offer(chat)).toContainText('You will get a notification when somebody has answered');
  const off = button(chat, 'Switch off notifications');
  await expect(off).toBeFocused();
  await expect
    .poll(() => announcements(page))
    .toContain('polite: You will get a notification when somebody has answered');
  await off.press('Enter');
  await button(chat, 'Tell me about answers').press('Enter');
  await expect(off).toBeVisible();

  await pushes.readPublicKey(chat);
  const other = await context.newPage();
  const cdp = await context.newCDPSession(other);
  const registered = new Promise<string>((resolve) => {
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL === `${site.url}/`);
      if (own) resolve(own.registrationId);
    });
  });
  await cdp.send('ServiceWorker.enable');
  const registrationId = await registered;
  await page.close();
  await desk.acceptHandoff({ id: conversationId, person: ada(platform) });
  const payload = { type: 'text', text: 'A secret answer' } as const;
  await desk.createMessage({ conversationId, payload, as: 'person' });
  await expect.poll(() => pushes.received().length).toBe(1);
  const [push] = pushes.received();
  await cdp.send('ServiceWorker.deliverPushMessage', {
    origin: site.url,
    registrationId,
    data: push?.text ?? '',
  });
  await other.goto(site.page('/plain', '<!doctype html><title>Plain</title>', {}));
  const shown = () =>
    other.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('/');
      const found = (await registration?.getNotifications()) ?? [];
      return found.map(({ title, body, lang, data }) => ({ title, body, lang, url: data?.url }));
    });
  await expect
    .poll(shown)
    .toEqual([{ title: 'Ada has answered you', body: '', lang: 'en', url: `${site.url}/strict` }]);
  // A push of the site itself is left alone.
  await cdp.send('ServiceWorker.deliverPushMessage', { origin: site.url, registrationId, data: '{"a":1}' });

  // Only a real press lets a worker open a window: the last step is recorded.
  const worker = context.serviceWorkers().find((one) => one.url() === `${site.url}/webchat-push.js`);
  if (!worker) throw new Error('The service worker does not run.');
  const opened = await worker.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the types of a page do not have those of a worker.
    const scope = self as any;
    const addresses: string[] = [];
    scope.clients.openWindow = async (url: string) => addresses.push(url);
    const [notification] = await scope.registration.getNotifications();
    const event = new scope.NotificationEvent('notificationclick', { notification });
    const works: Promise<unknown>[] = [];
    Object.defineProperty(event, 'waitUntil', { value: (work: Promise<unknown>) => works.push(work) });
    scope.dispatchEvent(event);
    await Promise.all(works);
    return addresses;
  });
  expect(opened).toEqual([`${site.url}/strict`]);
  await expect.poll(shown).toEqual([]);
});

/** Lets the service worker handle a push, and returns the titles of all notifications when it has handled the push. */
async function titlesAfter(context: BrowserContext, site: HostSite, text: string): Promise<string[]> {
  const worker = context.serviceWorkers().find((one) => one.url() === `${site.url}/webchat-push.js`);
  if (!worker) throw new Error('The service worker does not run.');
  return worker.evaluate(async (data) => {
    // biome-ignore lint/suspicious/noExplicitAny: the types of a page do not have those of a worker.
    const scope = self as any;
    const event = new scope.PushEvent('push', { data });
    const works: Promise<unknown>[] = [];
    Object.defineProperty(event, 'waitUntil', { value: (work: Promise<unknown>) => works.push(work) });
    scope.dispatchEvent(event);
    await Promise.all(works);
    const all: Notification[] = await scope.registration.getNotifications();
    return all.map(({ title }) => title);
  }, text);
}

const pushOf = (title: string) =>
  JSON.stringify({
    source: 'platform-webchat',
    title,
    tag: title,
    url: 'https://example.com/',
    language: 'en',
  });

test('an offline logout ends the pushes', async ({ chat, context, page, platform, site }) => {
  await switchOnPushes({ chat, context, page, platform, site });
  expect(await titlesAfter(context, site, pushOf('one'))).toEqual(['one']);
  // Loads the code of logout(), which no page method has loaded yet.
  await page.evaluate(() => (window.platform as Platform).getUser());
  await context.setOffline(true);
  await chat.call('logout');
  await expect.poll(() => isSubscribed(page)).toBe(false);
  // Pushes that the push service still delivers.
  expect(await titlesAfter(context, site, pushOf('two'))).toEqual(['one']);
  const ended = pushStored(page);
  await context.setOffline(false);
  expect((await ended).status()).toBe(200);
  chat.ignoreConsoleErrors('ERR_INTERNET_DISCONNECTED');
});

test('a logout ends the pushes until the next user', async ({ chat, context, page, platform, site }) => {
  await switchOnPushes({ chat, context, page, platform, site });
  // It knows neither the key of the server nor, as here, the bundle that ends a subscription.
  await page.reload();
  await page.evaluate(() => (window.platform as Platform).getUser());
  await context.setOffline(true);
  await chat.call('logout');
  expect(await titlesAfter(context, site, pushOf('one'))).toEqual([]);
  await context.setOffline(false);
  await page.reload();
  await acceptOffer(chat);
  expect(await titlesAfter(context, site, pushOf('two'))).toEqual(['two']);
  chat.ignoreConsoleErrors('ERR_INTERNET_DISCONNECTED');

  // With a connection, nothing is left at the server either.
  const { userId = '' } = await chat.storedSession();
  const ended = pushStored(page);
  await chat.call('logout');
  expect((await ended).status()).toBe(200);
  expect(await isSubscribed(page)).toBe(false);
  const { admin, botId } = await botClientsOf(platform);
  const { items } = await admin.exportVisitor({ id: botId, userId });
  expect(items.map(({ type }) => type)).toContain('conversation');
  expect(items.map(({ type }) => type)).not.toContain('push');
});

test('destroy() that forgets the visitor ends pushes', async ({ chat, context, page, platform, site }) => {
  await switchOnPushes({ chat, context, page, platform, site });
  // Without `forget`, the visitor stays, and so do the pushes.
  await chat.call('destroy');
  expect(await titlesAfter(context, site, pushOf('one'))).toEqual(['one']);
  await page.reload();
  await expect(chat.launcher).toBeVisible();
  await context.setOffline(true);
  await chat.call('destroy', { forget: true });
  await expect.poll(() => page.evaluate(() => caches.keys())).toContain('platform-webchat push ended');
  expect(await titlesAfter(context, site, pushOf('two'))).toEqual(['one']);
  chat.ignoreConsoleErrors('ERR_INTERNET_DISCONNECTED');
});

test('another user gets no pushes of the previous one', async ({ chat, context, page, platform, site }) => {
  await switchOnPushes({ chat, context, page, platform, site });
  await page.reload();
  await chat.identifyCustomer();
  expect(await titlesAfter(context, site, pushOf('one'))).toEqual([]);
  // The browser reports the refused look-up of a user who does not exist yet.
  chat.ignoreConsoleErrors('401');
});

/** Resolves when the browser waits for `goOn`. */
const isWaiting = (page: Page) => expect.poll(() => page.evaluate(() => 'goOn' in window)).toBe(true);

/** Last action of the browser, after all that has happened meanwhile. */
const goOn = (page: Page) =>
  page.evaluate(() => (window as Window & { goOn?(answer: string): void }).goOn?.('granted'));

/** Requests that store a subscription. */
function countStored(page: Page): string[] {
  const stored: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/push') && request.method() === 'PUT') stored.push(request.url());
  });
  return stored;
}

/** The next visitor of the same page asks for a person, and is not subscribed. */
async function expectOffered(chat: ChatPage): Promise<void> {
  await chat.choose('Talk to a person');
  await expect(chat.window.locator('[part="handling"]')).toContainText('Waiting for a person');
  await expect(button(chat, 'Tell me about answers')).toBeVisible();
  expect(await isSubscribed(chat.page)).toBe(false);
}

/**
 * The visitor presses the button, and another user comes before the browser goes on. Returns the requests that store a
 * subscription.
 * @param hold lets the browser wait for `goOn`.
 */
async function changeUserDuring(
  { chat, context, page, platform, site }: Parts,
  hold: () => void,
): Promise<string[]> {
  await allowPushes(context, platform, site);
  await subscribeAt(page, pushes.browser());
  await page.addInitScript(hold);
  await openDesk(platform);
  const stored = countStored(page);
  await waitForPerson(chat);
  await button(chat, 'Tell me about answers').click();
  await isWaiting(page);
  await chat.identifyCustomer();
  await expect(chat.botRows).toHaveCount(1);
  await goOn(page);
  await expectOffered(chat);
  expect(stored).toEqual([]);
  return stored;
}

test('a late permission switches nothing on', async ({ chat, context, page, platform, site }) => {
  const stored = await changeUserDuring({ chat, context, page, platform, site }, () => {
    Notification.requestPermission = () => new Promise((goOn) => Object.assign(window, { goOn }));
  });

  await page.evaluate(() => Reflect.deleteProperty(window, 'goOn'));
  await button(chat, 'Tell me about answers').click();
  await isWaiting(page);
  await chat.call('logout');
  await expect(chat.window).toBeHidden();
  await goOn(page);
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await expectOffered(chat);
  expect(stored).toEqual([]);
});

test('a late subscription is ended', async ({ chat, context, page, platform, site }) => {
  await changeUserDuring({ chat, context, page, platform, site }, () => {
    const { prototype } = PushManager;
    const { subscribe } = prototype;
    prototype.subscribe = async function (options) {
      await new Promise((goOn) => Object.assign(window, { goOn }));
      return subscribe.call(this, options);
    };
  });
});

test('a refusal is told once, and then nothing is offered any more', async ({ chat, page, platform }) => {
  await openDesk(platform);
  await refusePermission(page);
  await waitForPerson(chat);
  await button(chat, 'Tell me about answers').click();
  await expect(offer(chat)).toContainText('Notifications are blocked in this browser');
  await chat.reopen();
  await expect(chat.window.getByRole('button', { name: 'Back to the assistant' })).toBeVisible();
  await expect(offer(chat)).toHaveCount(0);
});
