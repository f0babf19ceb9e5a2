// Push subscriptions of a browser (Push API): those of the widget and of the console.

/** Milliseconds that a browser may take to subscribe: without its push service, Chromium never answers. */
const timeLimitMs = 10_000;

/** Whether a subscription is for the key of a server, which is base64url without padding. */
export function isForKey({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey;
  if (!key) return false;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '') === publicKey;
}

/**
 * Subscribes at a service worker. Permission must have been granted. `register` returns its registration.
 *
 * @throws (as a rejection) Error if the worker cannot be installed, or the push service of the browser does not answer.
 */
export async function subscribeAt(
  register: () => Promise<ServiceWorkerRegistration>,
  publicKey: string,
): Promise<PushSubscription> {
  const work = async () => {
    const registration = await register();
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
