// A browser that gets its pushes from the push service of a test.
import type { Page } from '@playwright/test';
import type { TestBrowser } from '../../src/server/chat/answer-pushes/testing.ts';

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
