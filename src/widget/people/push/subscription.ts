// The push subscription of this browser, at the service worker that the site has named.

/** Milliseconds that a browser may take to subscribe: without its push service, Chromium never answers. */
const timeLimitMs = 10_000;

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
  const key = subscription?.options.applicationServerKey;
  if (!subscription || !key) return undefined;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '') === publicKey
    ? subscription
    : undefined;
}

/** Registers the service worker, and subscribes. Permission must have been granted. */
export async function subscribe(path: string, publicKey: string): Promise<PushSubscription> {
  const work = async () => {
    const registration =
      (await registrationOf(path)) ??
      (await navigator.serviceWorker.register(new URL(path, document.baseURI)));
    await started(registration);
    return registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error('The push service of the browser does not answer.')),
      timeLimitMs,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when a worker of the registration is active: only then can it subscribe. */
async function started({ active, waiting, installing }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting;
  if (active || !worker) return;
  await new Promise<void>((resolve, reject) => {
    worker.addEventListener('statechange', () => {
      if (worker.state === 'activated') resolve();
      if (worker.state === 'redundant') reject(new Error('The service worker could not be installed.'));
    });
  });
}
