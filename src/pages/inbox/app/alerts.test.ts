// @vitest-environment jsdom
// Tests of what a member is alerted to: conversations that begin to wait, and not those that they have only not seen yet.
import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAlerts } from './alerts.ts';
import { markAsked } from './state/known-rows.ts';
import { createStore, type InboxStore } from './state/store.ts';
import { at, rowOf } from './state/testing.ts';

const all = { list: 'all', filter: {} } as const;
const waiting = (id: string, fields = {}) => rowOf(id, { state: 'waiting', ...fields });

let store: InboxStore;
let shown: string[];
let stop: () => void;
const start = () =>
  startAlerts({
    me: { memberId: 'ada' },
    store,
    announcer: { announce: () => {}, announceNow: () => {} },
    preferences: { current: signal({ sound: false, notifications: true }) },
    current: () => undefined,
    open: () => {},
  } as unknown as Parameters<typeof startAlerts>[0]);

beforeEach(() => {
  shown = [];
  vi.stubGlobal(
    'Notification',
    class {
      static permission = 'granted';
      constructor(_title: string, { tag }: { tag: string }) {
        shown.push(tag);
      }
    },
  );
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  store = createStore({ memberId: 'ada' });
  stop = start();
  store.receivePage(all, [waiting('first')], 'next');
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a conversation that asks for a person while the page is open is told', () => {
  store.receiveSignal({ type: 'inbox_row', data: { row: waiting('new') } });
  store.receiveRows([waiting('meanwhile')]);
  expect(shown).toEqual(['new', 'meanwhile']);
});

test('the first conversation that the page learns of is told', () => {
  stop();
  store = createStore({ memberId: 'ada' });
  stop = start();
  store.receivePage({ list: 'mine', filter: {} }, [], undefined);
  store.receiveSignal({ type: 'inbox_row', data: { row: waiting('new') } });
  expect(shown).toEqual(['new']);
});

test('those of a list that is opened or read on, or of an address, are not told', () => {
  store.receivePage({ list: 'waiting', filter: {} }, [waiting('second')], undefined);
  store.receivePage(all, [waiting('third')], undefined);
  store.receiveRows(markAsked([waiting('fourth')]));
  expect(shown).toEqual([]);
});

test('one that was read, and asks for a person later, is told', () => {
  store.receivePage(all, [rowOf('second', { state: 'closed', revision: 1 })], undefined);
  store.receiveRows([waiting('second', { revision: 2 })]);
  expect(shown).toEqual(['second']);
});

test('a message that its visitor deletes is not told as a new one', () => {
  const mine = (fields: object) =>
    rowOf('mine', { state: 'assigned', assignee: { memberId: 'ada', name: 'Ada' }, ...fields });
  store.receiveRows([mine({ lastSeq: 1, sortAt: at(1) })]);
  store.receiveRows([mine({ lastSeq: 2, sortAt: at(1), preview: 'before' })]);
  expect(shown).toEqual([]);
  store.receiveRows([mine({ lastSeq: 3, sortAt: at(3) })]);
  expect(shown).toEqual(['mine']);
});
