// @vitest-environment jsdom
// Tests that the list of the conversations with the bot is current while it is shown, and that the server is told only then.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createStore } from '../state/store.ts';
import { at, rowOf } from '../state/testing.ts';
import { createSync, type Sync } from './sync.ts';
import { createTestServer, unavailable } from './testing.ts';

const view = { list: 'bot', filter: {} } as const;
const botRow = (id: string, fields = {}) => {
  const { handoff: _, ...row } = rowOf(id, { state: 'bot', revision: 0, ...fields });
  return row;
};

let server: ReturnType<typeof createTestServer>;
let store: ReturnType<typeof createStore>;
let sync: Sync;
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const shown = () => store.listOf(view).map(({ conversationId }) => conversationId);
const told = () => server.inbox.watchBotList.mock.calls.length;

beforeEach(async () => {
  vi.useFakeTimers();
  server = createTestServer();
  store = createStore({ memberId: 'ada' });
  server.set(botRow('a', { sortAt: at(1) }));
  server.set(botRow('b', { sortAt: at(2) }));
  server.letStreamOpen();
  sync = createSync(server.api, store, { onForbidden: () => {} });
  await wait(1);
});
afterEach(() => {
  sync.dispose();
  vi.useRealTimers();
});

/** The member opens the list. */
const open = async () => {
  sync.watchBots(true);
  await sync.openList(view);
};

test('rows that change move to the top, in one signal, without a request', async () => {
  await open();
  expect(shown()).toEqual(['b', 'a']);
  server.inbox.listInboxConversations.mockClear();
  const rows = [botRow('a', { sortAt: at(3), lastSeq: 2 }), botRow('c', { sortAt: at(4) })];
  server.send({ type: 'inbox_bot_rows', data: { rows } });
  await wait(1);
  expect(shown()).toEqual(['c', 'a', 'b']);
  expect(server.inbox.listInboxConversations).not.toHaveBeenCalled();
});

test('the server is told while the list is shown, and not before and after', async () => {
  // A stream without a word for 45 s is opened again, and then the server is told as well.
  await wait(4_000);
  expect(told()).toBe(0);
  await open();
  expect(told()).toBe(1);
  await wait(40_000);
  expect(told()).toBe(3);
  sync.watchBots(false);
  await wait(60_000);
  expect(told()).toBe(3);
});

test('a list that is opened again is read again, without the rows that have gone', async () => {
  await open();
  sync.watchBots(false);
  server.remove('a');
  server.set(botRow('b', { lastSeq: 5, sortAt: at(9) }));
  await open();
  expect(shown()).toEqual(['b']);
  expect(store.rows.value.get('b')?.lastSeq).toBe(5);
});

test('after a cut of the stream the server is told at once, and the list is read again', async () => {
  await open();
  const before = told();
  server.cutStream();
  server.remove('a');
  server.letStreamOpen();
  await wait(10_000);
  expect(told()).toBeGreaterThan(before);
  expect(shown()).toEqual(['b']);
});

test('a row that changes while the list is read again stays', async () => {
  await open();
  sync.watchBots(false);
  server.remove('a');
  sync.watchBots(true);
  server.inbox.listInboxConversations.mockImplementationOnce(async () => {
    store.receiveSignal({ type: 'inbox_bot_rows', data: { rows: [botRow('a', { lastSeq: 7 })] } });
    return { conversations: [botRow('b')], meta: {} };
  });
  await sync.openList(view);
  expect(shown().sort()).toEqual(['a', 'b']);
});

test('after heartbeats that failed, what was missed is read', async () => {
  await open();
  server.inbox.watchBotList.mockRejectedValue(unavailable());
  await wait(40_000);
  server.remove('a');
  server.inbox.watchBotList.mockResolvedValue({});
  await wait(15_000);
  expect(shown()).toEqual(['b']);
});

test('another name of the visitor of an open conversation is shown, and their data are read again', async () => {
  await open();
  await sync.openConversation('a');
  const { visitor } = store.rows.value.get('a') ?? botRow('a');
  server.inbox.getInboxConversation.mockClear();
  const row = { ...(store.rows.value.get('a') ?? botRow('a')), visitor: { ...visitor, name: 'Petra' } };
  server.send({ type: 'inbox_bot_rows', data: { rows: [row] } });
  await wait(1);
  expect(store.rows.value.get('a')?.visitor.name).toBe('Petra');
  expect(server.inbox.getInboxConversation).toHaveBeenCalledTimes(1);
  server.send({ type: 'inbox_bot_rows', data: { rows: [botRow('b')] } });
  await wait(1);
  expect(server.inbox.getInboxConversation).toHaveBeenCalledTimes(1);
});

test('an open conversation is read when its row changes', async () => {
  await open();
  await sync.openConversation('a');
  server.inbox.getInboxTimeline.mockClear();
  server.send({ type: 'inbox_bot_rows', data: { rows: [botRow('a', { lastSeq: 9 })] } });
  await wait(1);
  expect(server.inbox.getInboxTimeline).toHaveBeenCalledTimes(1);
});
