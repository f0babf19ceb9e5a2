// Tests that a response which was on its way does not show a conversation that was hidden meanwhile.
import { beforeEach, expect, test } from 'vitest';
import { createStore } from '../state/store.ts';
import { rowOf } from '../state/testing.ts';
import { readRows } from './list-reads.ts';

const view = { list: 'all', filter: {} } as const;
const row = rowOf('a');

let store: ReturnType<typeof createStore>;
beforeEach(() => {
  store = createStore({ memberId: 'ada' });
});

/** Reads the list. `meanwhile` happens while the response is on its way. */
async function readList(meanwhile: () => void): Promise<void> {
  const { conversations } = await readRows(store, async () => {
    meanwhile();
    return { conversations: [row, rowOf('b')] };
  });
  store.receivePage(view, conversations, undefined);
}

const shown = () =>
  store
    .listOf(view)
    .map(({ conversationId }) => conversationId)
    .sort();
const hide = () =>
  store.receiveSignal({ type: 'inbox_deleted', data: { conversationId: 'a', isHidden: true } });

test('a conversation that the page does not know is not shown if it is hidden while the list is read', async () => {
  await readList(hide);
  expect(shown()).toEqual(['b']);
});

test('a conversation that is shown again meanwhile stays', async () => {
  await readList(() => {
    hide();
    store.receiveSignal({ type: 'inbox_row', data: { row } });
  });
  expect(shown()).toEqual(['a', 'b']);
});

test('what was hidden before a list is read, or while another one was read, does not change it', async () => {
  await readList(hide);
  await readList(() => {});
  expect(shown()).toEqual(['a', 'b']);
});

test('a read that fails is over', async () => {
  const cut = new Error('cut');
  await expect(readRows(store, () => Promise.reject(cut))).rejects.toBe(cut);
  hide();
  await readList(() => {});
  expect(shown()).toEqual(['a', 'b']);
});
