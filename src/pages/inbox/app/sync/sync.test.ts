// @vitest-environment jsdom
// Tests that the page knows all changes of the server, also after requests that have failed, and repeats those.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError } from '../../../../client/core/errors.ts';
import { Refusal } from '../../../session/session-api.ts';
import { createStore } from '../state/store.ts';
import { rowOf } from '../state/testing.ts';
import { createSync, type Sync } from './sync.ts';
import { countsOf, createTestServer, unavailable } from './testing.ts';

const minute = 60_000;
const all = { list: 'all', filter: {} } as const;

let server: ReturnType<typeof createTestServer>;
let store: ReturnType<typeof createStore>;
let sync: Sync;
const onSettings = vi.fn();
/** Begins to synchronize. */
const start = () => {
  sync = createSync(server.api, store, { onForbidden: () => {}, onSettings });
};
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  server = createTestServer();
  store = createStore({ memberId: 'ada' });
  server.set(rowOf('a'));
});
afterEach(() => {
  sync.dispose();
  vi.useRealTimers();
});

describe('of a list that is read while the stream is refused', () => {
  test('the changes until the stream opens are asked for', async () => {
    start();
    await sync.openList(all);
    await wait(minute);
    server.set(rowOf('a', { revision: 2 }));
    await wait(4 * minute);
    server.letStreamOpen();
    await wait(2 * minute);
    expect(store.rows.value.get('a')?.revision).toBe(2);
    // Once is enough.
    expect(server.inbox.listInboxConversations).toHaveBeenCalledTimes(1);
  });

  test('everything is read again if the time from which to ask for changes comes later than the list', async () => {
    server.inbox.getInboxChanges.mockRejectedValueOnce(unavailable());
    start();
    await sync.openList(all);
    server.set(rowOf('b'));
    server.remove('a');
    await wait(minute);
    server.letStreamOpen();
    await wait(2 * minute);
    expect([...store.rows.value.keys()]).toEqual(['b']);
  });
});

describe('the next page of a list', () => {
  const list = () => server.inbox.listInboxConversations;
  /** Two pages were read. */
  const startWithPages = async () => {
    const page = (id: string, nextToken: string) => ({ conversations: [rowOf(id)], meta: { nextToken } });
    list().mockResolvedValueOnce(page('b', 'second')).mockResolvedValueOnce(page('a', 'third'));
    start();
    await sync.openList(all);
    await sync.loadMore(all);
    list().mockClear();
  };

  test('is read once, however often it is asked for meanwhile', async () => {
    await startWithPages();
    let respond = () => {};
    list().mockImplementationOnce(
      () =>
        new Promise((resolve) => {
          respond = () => resolve({ conversations: [], meta: { nextToken: 'fourth' } });
        }),
    );
    const asked = [sync.loadMore(all), sync.loadMore(all)];
    await wait(1);
    asked.push(sync.loadMore(all));
    respond();
    await Promise.all(asked);
    await wait(1);
    expect(list().mock.calls.map(([{ nextToken }]) => nextToken)).toEqual(['third']);
  });

  test('that could not be read leaves the pages before it, also when the list is opened again', async () => {
    await startWithPages();
    list().mockRejectedValueOnce(unavailable());
    await sync.loadMore(all);
    await sync.openList(all);
    expect([store.progressOf(all).status, store.listOf(all).length]).toEqual(['failed', 2]);
    await sync.loadMore(all);
    expect(list().mock.calls.map(([{ nextToken }]) => nextToken)).toEqual(['third', 'third']);
  });
});

describe('the numbers of the lists', () => {
  const asked = () => server.inbox.getInboxCounts;
  const shown = () => store.counts.value?.mentioned;

  test('are those of the stream while it is open, whatever was asked for meanwhile', async () => {
    server.letStreamOpen();
    asked().mockImplementation(async () => ({ counts: countsOf(1) }));
    start();
    await wait(1);
    server.send({ type: 'inbox_counts', data: countsOf(0) });
    await wait(1);
    await sync.catchUp();
    expect(shown()).toBe(0);
  });

  test('that were asked for before the stream opened do not replace those of the stream', async () => {
    let respond = () => {};
    asked().mockImplementationOnce(
      () => new Promise((resolve) => (respond = () => resolve({ counts: countsOf(1) }))),
    );
    start();
    void sync.catchUp();
    await wait(1);
    server.letStreamOpen();
    await wait(10_000);
    server.send({ type: 'inbox_counts', data: countsOf(0) });
    await wait(1);
    respond();
    await wait(1);
    expect(shown()).toBe(0);
  });

  test('are asked for while the stream is refused', async () => {
    server.letStreamOpen();
    start();
    await wait(1);
    server.send({ type: 'inbox_counts', data: countsOf(0) });
    await wait(1);
    server.cutStream();
    await wait(1);
    asked().mockImplementation(async () => ({ counts: countsOf(2) }));
    await sync.catchUp();
    expect(shown()).toBe(2);
  });
});

describe('what is known of the visitor', () => {
  const asked = () => server.inbox.getInboxConversation;
  const shown = () => store.conversations.value.get('a')?.visitor?.profile;
  /** The conversation is open, and the visitor has other data since. */
  const startAndChange = async () => {
    server.letStreamOpen();
    server.describe('a', { id: 'v', profile: 'Ghent' });
    start();
    await sync.openConversation('a');
    await wait(1);
    expect(shown()).toBe('Ghent');
    asked().mockClear();
    server.describe('a', { id: 'v', profile: 'Antwerp' });
    server.set(rowOf('a', { revision: 2 }));
  };
  const sendRow = () => server.send({ type: 'inbox_row', data: { row: rowOf('a', { revision: 2 }) } });

  test('is read again when the stream tells of a change, once for several', async () => {
    await startAndChange();
    sendRow();
    sendRow();
    await wait(1);
    expect([shown(), asked().mock.calls.length]).toEqual(['Antwerp', 1]);
  });

  test('is not read again for a message', async () => {
    await startAndChange();
    server.send({ type: 'inbox_row', data: { row: rowOf('a', { lastSeq: 9 }) } });
    await wait(1);
    expect(asked()).not.toHaveBeenCalled();
  });

  test('is read again after a read that failed', async () => {
    await startAndChange();
    asked().mockRejectedValueOnce(unavailable()).mockRejectedValueOnce(unavailable());
    sendRow();
    await wait(10_000);
    expect(shown()).toBe('Antwerp');
  });

  test('is read again after a cut', async () => {
    await startAndChange();
    server.cutStream();
    await sync.catchUp();
    expect(shown()).toBe('Antwerp');
  });
});

test('teams, members and canned answers are read again when the stream tells of them, and after a cut', async () => {
  server.letStreamOpen();
  start();
  await wait(1);
  onSettings.mockClear();
  server.send({ type: 'inbox_settings', data: { changed: 'answers' } });
  await wait(1);
  expect(onSettings.mock.calls).toEqual([['answers']]);
  onSettings.mockClear();
  server.cutStream();
  server.letStreamOpen();
  await wait(10_000);
  expect(onSettings.mock.calls).toEqual([['team'], ['answers']]);
});

describe('reads that fail', () => {
  /** Longer than three pauses, and shorter than the time after which a silent stream is opened again. */
  const pauses = 10_000;
  const changes = () => server.inbox.getInboxChanges;
  /** The stream is open, and everything is known. */
  const startOpen = async () => {
    server.letStreamOpen();
    start();
    await sync.openList(all);
    await wait(1);
    changes().mockClear();
  };

  test('of changes are repeated after pauses that grow, until one succeeds', async () => {
    await startOpen();
    server.set(rowOf('a', { revision: 2 }));
    for (const _ of [1, 2, 3]) changes().mockRejectedValueOnce(unavailable());
    await sync.catchUp();
    expect(store.rows.value.get('a')?.revision).toBe(1);
    await wait(pauses);
    expect(store.rows.value.get('a')?.revision).toBe(2);
    expect(changes()).toHaveBeenCalledTimes(4);
  });

  test('of changes are repeated at once when the member looks at the page', async () => {
    await startOpen();
    const { set, inbox } = server;
    const answer = inbox.getInboxChanges.getMockImplementation();
    changes().mockRejectedValue(unavailable());
    await sync.catchUp();
    // The pauses have grown.
    await wait(2 * minute);
    const calls = changes().mock.calls.length;
    while (changes().mock.calls.length === calls) await wait(100);
    await wait(3_000);
    set(rowOf('a', { revision: 2 }));
    changes().mockImplementation(answer as never);
    dispatchEvent(new Event('focus'));
    await wait(1);
    expect(store.rows.value.get('a')?.revision).toBe(2);
  });

  test('of changes are not repeated each time that the member looks', async () => {
    await startOpen();
    await wait(20_000);
    changes().mockRejectedValue(unavailable());
    await sync.catchUp();
    changes().mockClear();
    for (let looks = 0; looks < 20; looks++) dispatchEvent(new Event('focus'));
    await wait(1);
    expect(changes()).not.toHaveBeenCalled();
  });

  test('of a list do not make the page begin again with each request, after changes that were not kept', async () => {
    await startOpen();
    await sync.openList(all);
    await wait(minute);
    const oldestKept = Date.now();
    const answer = changes().getMockImplementation();
    changes().mockImplementation(async (input: { since?: string }) => {
      if (Number(input.since ?? oldestKept) < oldestKept)
        throw new ApiError(410, { id: 'err_1', code: 410, type: 'TooOld', message: 'Too old.' });
      return answer?.(input) as never;
    });
    server.inbox.listInboxConversations.mockRejectedValueOnce(new ApiError(400, undefined));
    const { resets } = store;
    const before = resets.value;
    await sync.catchUp();
    await sync.catchUp();
    await wait(pauses);
    expect(resets.value - before).toBe(1);
    expect(store.progressOf(all).status).toBe('failed');
  });

  test('are not repeated if the server refuses them', async () => {
    await startOpen();
    for (const code of [403, 401]) {
      changes().mockRejectedValueOnce(new ApiError(code, undefined));
      await sync.catchUp();
      changes().mockClear();
      await wait(pauses);
      expect(changes()).not.toHaveBeenCalled();
    }
  });

  test('of permissions are repeated, unless the session has ended', async () => {
    const { updateMe } = server;
    for (const [status, calls] of [
      [0, 3],
      [503, 3],
      [401, 1],
    ] as const) {
      await startOpen();
      updateMe.mockClear();
      const refusal = new Refusal('No.', status);
      updateMe.mockRejectedValueOnce(refusal).mockRejectedValueOnce(refusal);
      // The stream is opened again.
      dispatchEvent(new Event('online'));
      await wait(pauses);
      expect(updateMe).toHaveBeenCalledTimes(calls);
      sync.dispose();
      updateMe.mockReset();
    }
  });

  test('are not repeated after the end', async () => {
    await startOpen();
    changes().mockRejectedValueOnce(unavailable());
    await sync.catchUp();
    sync.dispose();
    await wait(pauses);
    expect(changes()).toHaveBeenCalledTimes(1);
  });
});
