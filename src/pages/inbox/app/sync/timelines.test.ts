// Tests how the pages of a conversation are joined, whatever happens between a request and its response.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { InboxTimeline } from '../../../../protocol/inbox.ts';
import type { InboxApi } from '../api/inbox-api.ts';
import { createStore } from '../state/store.ts';
import { messageOf, rowOf } from '../state/testing.ts';
import { createCoalescer } from './coalesce.ts';
import { createTimelines } from './timelines.ts';

const me = { memberId: 'ada' };

/** A page of messages by number, newest first. */
const pageOf = (seq: number, numbers: number[], nextToken?: string) => ({
  messages: numbers.map((n) => messageOf(`message ${n}`, 'a', n)),
  notes: [],
  activities: [],
  ratings: [],
  seq,
  meta: nextToken ? { nextToken } : {},
});

const start = () => {
  const { signal } = new AbortController();
  const getInboxTimeline = vi.fn<(input: object) => Promise<InboxTimeline & { meta: object }>>();
  const readAbout = vi.fn(async () => {});
  const store = createStore(me);
  store.receiveRows([rowOf('a')]);
  const timelines = createTimelines({
    api: { me, inbox: { getInboxTimeline } } as unknown as InboxApi,
    store,
    coalesce: createCoalescer(signal, (error) => {
      throw error;
    }),
    signal,
    current: () => undefined,
    readAbout,
  });
  const opened = () => store.conversations.value.get('a');
  const numbers = () =>
    [...(opened()?.timeline.messages.keys() ?? [])]
      .map((id) => Number(id.split(' ')[1]))
      .sort((a, b) => a - b);
  return { ...timelines, store, getInboxTimeline, readAbout, opened, numbers };
};

let parts: ReturnType<typeof start>;
beforeEach(() => {
  parts = start();
  parts.store.open('a');
});

test('a conversation that the member may see again is read completely', async () => {
  const { store, getInboxTimeline, readAbout, refreshTimeline, numbers } = parts;
  getInboxTimeline.mockResolvedValue(pageOf(1, [1]));
  await refreshTimeline('a');
  expect(readAbout).not.toHaveBeenCalled();
  store.receiveHidden(['a']);
  store.receiveRows([rowOf('a', { revision: 2 })]);
  await refreshTimeline('a');
  expect(readAbout).toHaveBeenCalledTimes(1);
  expect(numbers()).toEqual([1]);
});

describe('after a long absence', () => {
  test('what is between is read, also if older messages were asked for before', async () => {
    const { getInboxTimeline, refreshTimeline, loadOlder, opened, numbers } = parts;
    getInboxTimeline.mockResolvedValueOnce(pageOf(4, [4, 3], 'before 3'));
    await refreshTimeline('a');
    let respond = (_: ReturnType<typeof pageOf>) => {};
    getInboxTimeline.mockReturnValueOnce(new Promise((resolve) => (respond = resolve)));
    const older = loadOlder('a');
    getInboxTimeline.mockResolvedValueOnce(pageOf(9, [9, 8], 'before 8'));
    await refreshTimeline('a');
    respond(pageOf(9, [2, 1]));
    await older;
    expect(opened()?.olderToken).toBe('before 8');
    getInboxTimeline.mockResolvedValueOnce(pageOf(9, [7, 6, 5, 4, 3], undefined));
    await loadOlder('a');
    expect(getInboxTimeline).toHaveBeenLastCalledWith(
      expect.objectContaining({ nextToken: 'before 8' }),
      expect.anything(),
    );
    expect(numbers()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('an own reply on the newest page does not hide the gap before it', async () => {
    const { store, getInboxTimeline, refreshTimeline, opened } = parts;
    getInboxTimeline.mockResolvedValueOnce(pageOf(2, [2, 1]));
    await refreshTimeline('a');
    store.addReply(messageOf('message 9', 'a', 9));
    getInboxTimeline.mockResolvedValueOnce(pageOf(9, [9, 8], 'before 8'));
    await refreshTimeline('a');
    expect(opened()?.olderToken).toBe('before 8');
  });

  test('without a gap the place up to which older messages are read stays', async () => {
    const { getInboxTimeline, refreshTimeline, opened } = parts;
    getInboxTimeline.mockResolvedValueOnce(pageOf(4, [4, 3], 'before 3'));
    await refreshTimeline('a');
    getInboxTimeline.mockResolvedValueOnce(pageOf(5, [5, 4], 'before 4'));
    await refreshTimeline('a');
    expect(opened()?.olderToken).toBe('before 3');
  });
});
