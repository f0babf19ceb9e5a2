// The push subscription of this browser, at the service worker that the site has named.
import { isForKey, subscribeAt } from '../../../client/core/push-subscription.ts';

/**
 * The service worker of the site; undefined if it is not registered. A page that allows only trusted scripts registers it itself.
 *
 * @param path the address of its script, relative to the page
 */
async function registrationOf(path: string): Promise<ServiceWorkerRegistration | undefined> {
  const { href } = new URL(path, document.baseURI);
  const all = await navigator.serviceWorker.getRegistrations();
  return all.find(({ active, waiting, installing }) =>
    [active, waiting, installing].some((worker) => worker?.scriptURL === href),
  );
}

/** The key of the server, which the page has seen since it was loaded. */
let seenKey: string | undefined;

/** The subscription for the key of the server if it is known without a request. */
export const findSeen = async (path: string): Promise<PushSubscription | undefined> =>
  seenKey === undefined ? undefined : findSubscription(path, seenKey);

/** The subscription for the key of the server, which the site does not use for pushes of its own. */
export async function findSubscription(
  path: string,
  publicKey: string,
): Promise<PushSubscription | undefined> {
  seenKey = publicKey;
  const subscription = await (await registrationOf(path))?.pushManager.getSubscription();
  return subscription && isForKey(subscription, publicKey) ? subscription : undefined;
}

/** Registers the service worker, and subscribes. Permission must have been granted. */
export const subscribe = (path: string, publicKey: string): Promise<PushSubscription> =>
  subscribeAt(
    async () =>
      (await registrationOf(path)) ?? navigator.serviceWorker.register(new URL(path, document.baseURI)),
    publicKey,
  );
