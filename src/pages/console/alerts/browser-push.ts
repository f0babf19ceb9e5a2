// The push subscription of this browser, at the service worker of the console.
import { isForKey, subscribeAt } from '../../../client/core/push-subscription.ts';

/** Whether the browser has push notifications on this page: not without HTTPS, nor on iPhones before it is on the home screen. */
export const hasPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

let allowedUrl: string | undefined;

/** The address of the service worker, by the only policy that the page allows for addresses of scripts. It can be created once. */
function workerUrl(): string {
  allowedUrl ??= createWorkerUrl();
  return allowedUrl;
}

function createWorkerUrl(): string {
  const { href } = new URL('alert-worker.js', document.baseURI);
  const policy = window.trustedTypes?.createPolicy('platform-webchat-worker', {
    createScriptURL: (url: string) => (url === href ? url : ''),
  });
  return policy ? (policy.createScriptURL(href) as unknown as string) : href;
}

/** The subscription for the key of the server; undefined without one. */
export async function findSubscription(publicKey: string): Promise<PushSubscription | undefined> {
  const registration = await navigator.serviceWorker.getRegistration(document.baseURI);
  const subscription = await registration?.pushManager.getSubscription();
  return subscription && isForKey(subscription, publicKey) ? subscription : undefined;
}

/** Subscribes. Permission must have been granted. */
export const subscribe = (publicKey: string): Promise<PushSubscription> =>
  subscribeAt(async () => {
    const registration = await navigator.serviceWorker.register(workerUrl());
    // One of an earlier key of the server would prevent another one.
    const earlier = await registration.pushManager.getSubscription();
    if (earlier && !isForKey(earlier, publicKey)) await earlier.unsubscribe();
    return registration;
  }, publicKey);
