// @vitest-environment jsdom
// Tests that the page is told to the team only where the site shares it, and when it has changed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { resolveConfiguration } from '../../../../protocol/page-api/config-layers.ts';
import type { Configuration } from '../../../../protocol/page-api/configuration.ts';
import { features, type Webchat } from '../../../../protocol/webchat.ts';
import { createStore } from '../../store/store.ts';
import type { SessionInternals } from '../context.ts';
import { sharePage } from './shared-page.ts';

let controller: AbortController;
let visibility: DocumentVisibilityState;

beforeEach(() => {
  vi.useFakeTimers();
  controller = new AbortController();
  visibility = 'visible';
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visibility);
  history.replaceState(null, '', '/shop?token=secret#part');
  document.title = 'Shop';
});
afterEach(() => {
  controller.abort();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Begins to share with this configuration of the site. */
function start(sharePageMode: Configuration['sharePage'] = 'path', all: readonly string[] = features) {
  const setPage = vi.fn(async () => ({}));
  const store = createStore(resolveConfiguration());
  const configure = (fields: Configuration) =>
    store.setConfiguration({ ...resolveConfiguration(), sharePage: sharePageMode, ...fields });
  configure({});
  store.setWebchat({ features: all } as Webchat);
  const widget = { configuration: { storageLocation: 'localStorage' } };
  const incoming = { reconnect: vi.fn() };
  const internals = {
    ...{ widget, store, incoming },
    getConversation: () => ({ id: 'conv' }),
    client: { with: () => ({ setPage }) },
  } as unknown as SessionInternals;
  sharePage(internals, controller.signal);
  return {
    ...{ store, widget, incoming, configure },
    /** The pages that were told. */
    told: () => setPage.mock.calls.map((call) => (call as unknown as [{ page: unknown }])[0].page),
  };
}

const shop = { url: 'http://localhost:3000/shop', title: 'Shop' };
/** Lets observers of the document run, and the pause between two requests pass. */
const pass = () => vi.advanceTimersByTimeAsync(3_000);

test('the address is told without query and fragment, once', async () => {
  const { told, store } = start();
  expect(told()).toEqual([shop]);
  store.setOpen(true);
  await pass();
  expect(told()).toEqual([shop]);
});

test('the whole address is told if the site wants that', () => {
  const { told } = start('full');
  expect(told()).toEqual([{ ...shop, url: 'http://localhost:3000/shop?token=secret#part' }]);
});

test('nothing is told unless the site shares it, and the server knows it', async () => {
  const { told, incoming } = start(null as never);
  const other = start('path', ['typing']);
  incoming.reconnect();
  other.incoming.reconnect();
  await pass();
  expect([told(), other.told()]).toEqual([[], []]);
});

test('nothing is told without consent; what was told is taken back', async () => {
  const { told, widget, configure } = start();
  await pass();
  widget.configuration.storageLocation = 'memory';
  configure({});
  await pass();
  expect(told()).toEqual([shop, null]);
  history.pushState(null, '', '/cart');
  document.title = 'Cart';
  await pass();
  expect(told()).toEqual([shop, null]);
  widget.configuration.storageLocation = 'localStorage';
  configure({});
  expect(told().at(-1)).toEqual({ url: 'http://localhost:3000/cart', title: 'Cart' });
});

test('changes are told, at most one in three seconds', async () => {
  const { told } = start();
  history.pushState(null, '', '/a');
  document.title = 'A';
  await vi.advanceTimersByTimeAsync(1_000);
  history.pushState(null, '', '/b');
  document.title = '';
  dispatchEvent(new PopStateEvent('popstate'));
  await vi.advanceTimersByTimeAsync(1_999);
  expect(told()).toEqual([shop]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told()).toEqual([shop, { url: 'http://localhost:3000/b' }]);
});

test('of several tabs, the visible one tells, again when the visitor comes back', async () => {
  visibility = 'hidden';
  const { told } = start();
  expect(told()).toEqual([]);
  for (let n = 1; n <= 2; n += 1) {
    visibility = 'visible';
    document.dispatchEvent(new Event('visibilitychange'));
    await pass();
    visibility = 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
    await pass();
  }
  expect(told()).toEqual([shop, shop]);
});

test('each new stream is told, until the conversation ends', async () => {
  const { told, incoming } = start();
  await pass();
  incoming.reconnect();
  expect(told()).toEqual([shop, shop]);
  await pass();
  controller.abort();
  incoming.reconnect();
  document.title = 'Later';
  await pass();
  expect(told()).toEqual([shop, shop]);
});

test('a long title is cut, and a long address not told', async () => {
  document.title = `${'x'.repeat(199)}😀`;
  const { told } = start();
  expect(told()).toEqual([{ url: shop.url, title: 'x'.repeat(199) }]);
  history.replaceState(null, '', `/${'x'.repeat(2_000)}`);
  dispatchEvent(new PopStateEvent('popstate'));
  await pass();
  expect(told().at(-1)).toBeNull();
});
