// Tests of the service worker of the console: what it shows, and which page it opens.
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

type Listener = (event: unknown) => void;

const scope = 'https://chat.example.com/console/';
const listeners = new Map<string, Listener>();
const shown: [title: string, options: NotificationOptions][] = [];
const opened: string[] = [];
/** The open pages. `answers`: it opens what it is asked for. */
let pages: { url: string; answers: boolean; focused: boolean; asked: unknown[] }[] = [];

beforeAll(async () => {
  vi.stubGlobal('self', {
    addEventListener: (type: string, listener: Listener) => listeners.set(type, listener),
    skipWaiting: async () => {},
    registration: {
      scope,
      showNotification: async (...given: (typeof shown)[number]) => void shown.push(given),
    },
    clients: {
      claim: async () => {},
      openWindow: async (url: string) => void opened.push(url),
      matchAll: async () =>
        pages.map((page) => ({
          url: page.url,
          focus: async () => {
            page.focused = true;
          },
          postMessage(message: unknown, [port]: [MessagePort]) {
            page.asked.push(message);
            if (page.answers) port.postMessage(true);
          },
        })),
    },
  });
  await import('./worker.ts');
  vi.unstubAllGlobals();
});
beforeEach(() => {
  shown.length = 0;
  opened.length = 0;
  pages = [];
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends an event. Resolves when its work has ended. */
async function send(type: string, event: object): Promise<void> {
  const work: Promise<unknown>[] = [];
  listeners.get(type)?.({ ...event, waitUntil: (one: Promise<unknown>) => void work.push(one) });
  await Promise.all(work);
}
const push = (text: string | undefined) =>
  send('push', { data: text === undefined ? null : { text: () => text } });
const press = async (data: unknown) => {
  const close = vi.fn();
  await send('notificationclick', { notification: { data, close } });
  return close.mock.calls.length;
};
const page = (url: string, answers = true) => ({ url, answers, focused: false, asked: [] });
/** The address in links is another one than that of the console. */
const url = 'https://public.example.com/console/?list=all&conversation=conv_1';
const search = '?list=all&conversation=conv_1';

test('a push is shown, and one of something else is not', async () => {
  const content = {
    ...{ source: 'platform-webchat', title: 'Lena waits for an answer', tag: 'tag', url },
    ...{ language: 'en', direction: 'ltr' },
  };
  await push(JSON.stringify(content));
  for (const text of [undefined, '', 'text', 'null', '{"source":"other","title":"x"}']) await push(text);
  expect(shown).toEqual([
    ['Lena waits for an answer', { tag: 'tag', lang: 'en', dir: 'ltr', data: { url } }],
  ]);
});

test('a press opens the conversation in an open page of the console', async () => {
  pages = [page('https://chat.example.com/'), page(`${scope}?page=team`), page(`${scope}?list=mine`)];
  expect(await press({ url })).toBe(1);
  const [other, first, second] = pages;
  expect([other?.asked, second?.asked]).toEqual([[], []]);
  expect(first?.asked).toEqual([{ type: 'platform-webchat open conversation', search }]);
  expect([first?.focused, other?.focused, second?.focused, opened]).toEqual([true, false, false, []]);
});

test('a press opens a new page without one, or if the one that is open shows the sign-in', async () => {
  expect(await press({ url })).toBe(1);
  expect(opened).toEqual([scope + search]);
  vi.useFakeTimers();
  pages = [page(scope, false)];
  const pressed = press({ url });
  await vi.advanceTimersByTimeAsync(500);
  await pressed;
  expect(opened).toEqual([scope + search, scope + search]);
  expect(pages[0]?.focused).toBe(false);
});

test('a press on a notification of something else is left alone', async () => {
  for (const data of [undefined, null, 'x', {}]) expect(await press(data)).toBe(0);
  expect(opened).toEqual([]);
});

test('a new version handles pushes at once', async () => {
  for (const type of ['install', 'activate']) await send(type, {});
  expect([...listeners.keys()].sort()).toEqual(['activate', 'install', 'notificationclick', 'push']);
});
