// A push service of the tests, a server and a page that use it, and a browser that gets its pushes from it.
import type { Page } from '@playwright/test';
import {
  openPushPeer,
  type PushPeer,
  type TestBrowser,
} from '../../src/server/notifications/push-service.testing.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { scriptedBot, test } from '../support/fixtures.ts';
import type { HostSite } from '../support/host-page.ts';
import type { PlatformServer } from '../support/server.ts';
import { closeDesk } from './desk.ts';

/** Starts a push service for the tests of a file, whose server and page use it. */
export function usePushService() {
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
  // Other tests use the server, too.
  test.afterEach(({ platform }) => closeDesk(platform));
  return {
    browser: () => peer.browser(),
    received: () => peer.received,
    /** The service needs the public key of the server to read its pushes. */
    async readPublicKey(chat: ChatPage) {
      const { userKey = '' } = await chat.storedSession();
      const response = await fetch(`${chat.platform.chatUrl}/push`, { headers: { 'x-user-key': userKey } });
      publicKey = ((await response.json()) as { publicKey: string }).publicKey;
    },
  };
}

/** The site has the service worker. */
export function serveWorker(platform: PlatformServer, site: HostSite): void {
  const script = `importScripts('${platform.url}/webchat/push-worker.js');`;
  site.page('/webchat-push.js', script, { 'content-type': 'text/javascript' });
}

/** The browser subscribes at the push service of the test. All else is its own. */
export async function subscribeAt(page: Page, browser: TestBrowser): Promise<void> {
  await page.addInitScript((one) => {
    let options: PushSubscriptionOptionsInit | undefined;
    const subscription = () => {
      const text = String(options?.applicationServerKey).replace(/-/g, '+').replace(/_/g, '/');
      const key = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
      return {
        ...one,
        options: { applicationServerKey: key.buffer },
        toJSON: () => ({ ...one, expirationTime: null }),
        async unsubscribe() {
          options = undefined;
          return true;
        },
      };
    };
    Object.assign(PushManager.prototype, {
      async subscribe(wanted: PushSubscriptionOptionsInit) {
        options = wanted;
        return subscription();
      },
      getSubscription: async () => options && subscription(),
    });
  }, browser);
}
