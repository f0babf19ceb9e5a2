// The part of a service worker that shows pushes about answers, and opens the page of the chat. A file of the site's origin
// imports it (`importScripts`), so it handles only pushes of the chat and leaves those of the site alone.
import type { PushContent, PushEnded } from '../../../protocol/push.ts';

/** The used parts of the global object of a service worker, which TypeScript cannot declare together with that of a page. */
interface Worker {
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'pushManager'>;
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: 'push', listener: (event: PushReceived) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: Pressed) => void): void;
}
interface Page {
  url: string;
  focus(): Promise<unknown>;
}
interface PushReceived {
  data: { text(): string } | null;
  waitUntil(work: Promise<unknown>): void;
}
interface Pressed {
  notification: { data: unknown; close(): void };
  waitUntil(work: Promise<unknown>): void;
}

const source = 'platform-webchat';
const worker = self as unknown as Worker;

worker.addEventListener('push', (event) => {
  const content = contentOf(event.data?.text() ?? '');
  if (content) event.waitUntil(showAnswer(content));
});

worker.addEventListener('notificationclick', (event) => {
  const { data, close } = event.notification;
  const { source: from, url } = Object(data) as { source?: unknown; url?: string };
  if (from !== source || url === undefined) return;
  close.call(event.notification);
  event.waitUntil(show(url));
});

async function showAnswer(content: PushContent): Promise<void> {
  const { registration } = worker;
  // Its visitor has logged out, and neither the server nor the push service could be told so then. The end of the subscription
  // tells the server, by the answer to its next push. Some browsers have no such storage in private windows.
  if (await caches.has('platform-webchat push ended' satisfies PushEnded).catch(() => false)) {
    await (await registration.pushManager.getSubscription())?.unsubscribe();
    return;
  }
  const { title, body, tag, url, language: lang, direction: dir } = content;
  const options = { ...(body !== undefined && { body }), tag, lang, dir, data: { source, url } };
  await registration.showNotification(title, options);
}

/** The page, if it is open, or else a new window. The fragment of an address does not tell pages apart. */
async function show(url: string): Promise<void> {
  const pageOf = (address: string) => address.replace(/#.*/, '');
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = pages.find((page) => pageOf(page.url) === pageOf(url));
  await (open ? open.focus() : worker.clients.openWindow(url));
}

/** Undefined for a push of something else. */
function contentOf(text: string): PushContent | undefined {
  try {
    const content = JSON.parse(text) as PushContent;
    return content?.source === source ? content : undefined;
  } catch {
    return undefined;
  }
}
