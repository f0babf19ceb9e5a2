// Tests that the page of a visitor is told only to a workspace that looks, and is forgotten with the stream.
import { afterEach, expect, test, vi } from 'vitest';
import { createPubSub, type Subscriber } from './pub-sub.ts';
import { createVisitorPages } from './visitor-pages.ts';

afterEach(() => vi.useRealTimers());

const page = { url: 'https://shop.example/cart', title: 'Cart' };

function start() {
  vi.useFakeTimers();
  const pubSub = createPubSub();
  const pages = createVisitorPages(pubSub);
  const told = vi.fn();
  pages.follow(told);
  const subscribe = (userId = 'visitor') =>
    pubSub.subscribe({
      ...{ conversationId: 'conv', botId: 'bot', ownerId: 'visitor', userId, keyHash: '' },
      send: () => {},
      close: () => {},
      isValid: () => true,
      accepts: () => true,
    } satisfies Subscriber);
  return { pages, subscribe, told };
}

test('nobody is told while no member looks, and nothing is kept without a stream', () => {
  const { pages, subscribe, told } = start();
  pages.set('conv', 'visitor', page);
  const end = subscribe();
  pages.look('conv', 'ws');
  expect(told).not.toHaveBeenCalled();
  pages.set('conv', 'visitor', page);
  expect(told.mock.calls).toEqual([['ws', { conversationId: 'conv', page }]]);
  end();
  pages.look('conv', 'ws');
  expect(told).toHaveBeenCalledTimes(1);
});

test('a change is told as long as a member has looked, and the present page with each look', () => {
  const { pages, subscribe, told } = start();
  subscribe();
  pages.set('conv', 'visitor', page);
  pages.look('conv', 'ws');
  pages.set('conv', 'visitor', null);
  pages.set('conv', 'visitor', null);
  expect(told.mock.calls.map(([, { page }]) => page)).toEqual([page, null]);
  vi.advanceTimersByTime(40_000);
  pages.set('conv', 'visitor', page);
  expect(told).toHaveBeenCalledTimes(2);
  pages.look('conv', 'ws');
  expect(told).toHaveBeenCalledTimes(3);
});

test('a visitor who comes back while a member looks is told at once', () => {
  const { pages, subscribe, told } = start();
  pages.look('conv', 'ws');
  subscribe();
  pages.set('conv', 'visitor', page);
  expect(told.mock.calls).toEqual([['ws', { conversationId: 'conv', page }]]);
});

test('only the owner has a page, also in the streams of several tabs', () => {
  const { pages, subscribe, told } = start();
  subscribe('guest');
  pages.set('conv', 'guest', page);
  pages.look('conv', 'ws');
  expect(told).not.toHaveBeenCalled();
  const [first] = [subscribe(), subscribe()];
  pages.set('conv', 'visitor', page);
  first();
  pages.look('conv', 'ws');
  expect(told).toHaveBeenCalledTimes(2);
});
