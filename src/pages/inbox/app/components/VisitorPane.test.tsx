// @vitest-environment jsdom
// Tests of the page of the visitor in the pane: its address is a link only if it leads to a page.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import type { User } from '../../../../protocol/user.ts';
import { useRoot } from '../drawing.testing.ts';
import type { Inbox } from '../inbox.ts';
import { createStore } from '../state/store.ts';
import { at, rowOf } from '../state/testing.ts';
import { VisitorPane } from './VisitorPane.tsx';

const root = useRoot();
const me = { memberId: 'ada', permissions: ['inbox.read'] };

async function draw() {
  let time = 0;
  const store = createStore(me, () => time);
  store.receiveRows([rowOf('a')]);
  const router = { route: signal({ list: 'all', conversationId: 'a' }) };
  const inbox = { ...{ me, store, router }, team: { nameOf: () => undefined } } as unknown as Inbox;
  await act(() => render(<VisitorPane inbox={inbox} id="a" />, root()));
  const shown = () => root().querySelector<HTMLElement>('.shared-page');
  return {
    shown,
    presence: () => root().querySelector('.presence')?.textContent,
    store,
    tell: (page: { url: string; title?: string }) =>
      act(() =>
        store.receiveSignal({ type: 'inbox_page', data: { conversationId: 'a', timeout: 25_000, page } }),
      ),
    pass: (ms: number) =>
      act(() => {
        time += ms;
        store.tick();
      }),
  };
}

test('the page and whether the visitor is online are shown, and follow the visitor', async () => {
  const { shown, presence, tell, pass } = await draw();
  expect([shown(), presence()]).toEqual([null, undefined]);
  await tell({ url: 'https://shop.example/cart', title: 'Cart' });
  expect(presence()).toBe('Online now');
  expect(shown()?.textContent).toContain('Cart');
  const link = () => shown()?.querySelector('a');
  expect(link()?.href).toBe('https://shop.example/cart');
  expect(link()?.rel).toBe('noopener noreferrer nofollow');
  expect(link()?.textContent).toContain('shop.example/cart');
  await tell({ url: 'https://shop.example/pay' });
  expect(link()?.href).toBe('https://shop.example/pay');
  await pass(25_000);
  expect(presence()).toBe('Not online');
  expect(root().textContent).toContain('Last page');
});

test('an address of another kind is no link', async () => {
  const { shown, tell } = await draw();
  await tell({ url: 'javascript:alert(1)', title: '<b>Cart</b>' });
  expect(shown()?.querySelector('a')).toBeNull();
  expect(shown()?.textContent).toContain('<b>Cart</b>');
});

test('attributes have names in words, with the key of the site as a hint', async () => {
  const { store } = await draw();
  const profile = JSON.stringify({ plan: 'Pro', accountId: 'acc_1', isTrial: false });
  await act(() => {
    store.open('a');
    const visitor = { id: 'a', createdAt: at(0), profile } as User;
    store.changeConversation('a', (before) => ({ ...before, visitor }));
  });
  const details = [...root().querySelectorAll('dl > div')].map((row) => [
    row.querySelector('dt')?.textContent,
    row.querySelector('dt')?.title,
    row.querySelector('dd')?.textContent,
  ]);
  expect(details.slice(0, 3)).toEqual([
    ['Plan', 'plan', 'Pro'],
    ['Account ID', 'accountId', 'acc_1'],
    ['Is trial', 'isTrial', 'false'],
  ]);
});
