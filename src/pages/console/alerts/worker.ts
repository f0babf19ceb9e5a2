// The service worker of the console: shows pushes about visitors who wait, and opens their conversations. It handles no requests.
import type { PushContent } from '../../../protocol/push.ts';
import type { OpenConversation } from './opened-alerts.ts';

/** The used parts of the global object of a service worker, which TypeScript cannot declare together with that of a page. */
interface Worker {
  registration: Pick<ServiceWorkerRegistration, 'showNotification' | 'scope'>;
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: true }): Promise<readonly Page[]>;
    openWindow(url: string): Promise<unknown>;
    claim(): Promise<void>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: Lifetime) => void): void;
  addEventListener(type: 'push', listener: (event: PushReceived) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: Pressed) => void): void;
}
interface Page {
  url: string;
  focus(): Promise<unknown>;
  postMessage(message: OpenConversation, transfer: Transferable[]): void;
}
interface Lifetime {
  waitUntil(work: Promise<unknown>): void;
}
interface PushReceived extends Lifetime {
  data: { text(): string } | null;
}
interface Pressed extends Lifetime {
  notification: { data: unknown; close(): void };
}

/** Milliseconds in which a page has to say that it opens the conversation: one that shows the sign-in does not. */
const answerTimeMs = 500;
const worker = self as unknown as Worker;

// A new version handles the next push, also of pages that the earlier one knows.
worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
worker.addEventListener('activate', (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('push', (event) => {
  const content = contentOf(event.data?.text() ?? '');
  if (!content) return;
  const { title, tag, url, language: lang, direction: dir } = content;
  event.waitUntil(worker.registration.showNotification(title, { tag, lang, dir, data: { url } }));
});

worker.addEventListener('notificationclick', (event) => {
  const { data, close } = event.notification;
  const { url } = Object(data) as { url?: string };
  if (url === undefined) return;
  close.call(event.notification);
  event.waitUntil(open(new URL(url).search));
});

/** Opens a conversation in an open page of the console, or else in a new one. */
async function open(search: string): Promise<void> {
  const { scope } = worker.registration;
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  for (const page of pages) {
    if (!page.url.startsWith(scope) || !(await opens(page, search))) continue;
    await page.focus();
    return;
  }
  // The console may have another address for members than the one in links.
  await worker.clients.openWindow(scope + search);
}

/** Asks a page to open a conversation. Resolves with whether it does. */
function opens(page: Page, search: string): Promise<boolean> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const end = (isOpened: boolean) => {
      clearTimeout(timer);
      port1.close();
      resolve(isOpened);
    };
    const timer = setTimeout(end, answerTimeMs, false);
    port1.onmessage = () => end(true);
    page.postMessage({ type: 'platform-webchat open conversation', search }, [port2]);
  });
}

/** Undefined for a push of something else. */
function contentOf(text: string): PushContent | undefined {
  try {
    const content = JSON.parse(text) as PushContent;
    return content?.source === 'platform-webchat' ? content : undefined;
  } catch {
    return undefined;
  }
}
