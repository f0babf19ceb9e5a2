// Tests of the state of the inbox: any order and repetition of what the server sends ends in the same state.
import { effect } from '@preact/signals';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Activity } from '../../../../protocol/handling.ts';
import type { InboxRow, InboxTimeline, TeamSignal } from '../../../../protocol/inbox.ts';
import { createStore, type InboxStore } from './store.ts';
import { at, messageOf, noteOf, rowOf } from './testing.ts';
import { timelineItems } from './timeline.ts';

const me = { memberId: 'ada' };
const ids = ['a', 'b'] as const;

/** One thing that the server tells, over one of the ways on which it can arrive. */
type Delivery = (store: InboxStore) => void;

const ofSignal =
  (signal: TeamSignal): Delivery =>
  (store) =>
    store.receiveSignal(signal);
const ofTimeline =
  (id: string, page: Partial<InboxTimeline>): Delivery =>
  (store) =>
    store.receiveTimeline(id, { messages: [], notes: [], activities: [], ratings: [], seq: 0, ...page });

/** A state of a conversation. Two with the same numbers are the same one. */
const row = fc
  .tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 }))
  .map(([id, revision, lastSeq]) =>
    rowOf(id, { revision, lastSeq, preview: `${revision} ${lastSeq}`, sortAt: at(revision * 10 + lastSeq) }),
  );

const ofRow = (row: InboxRow): Delivery[] => [
  (store) => store.receiveRows([row]),
  ofSignal({ type: 'inbox_row', data: { row } }),
];

const activity = (seq: number): Activity => ({
  seq,
  createdAt: at(seq),
  type: 'person_joined',
  actor: { kind: 'person', name: 'Ben' },
});

/** Everything that can be told, each with all its ways. */
const fact: fc.Arbitrary<Delivery[]> = fc.oneof(
  row.map(ofRow),
  fc
    .constantFrom(...ids)
    .map((id): Delivery[] => [
      (store) => store.receiveDeleted([id]),
      ofSignal({ type: 'inbox_deleted', data: { conversationId: id } }),
    ]),
  fc.tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 5 })).map(([id, n]): Delivery[] => {
    const message = messageOf(`message ${n}`, id, n);
    return [(store) => store.addReply(message), ofTimeline(id, { messages: [message] })];
  }),
  fc
    .tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 5 }))
    .map(([id, n]): Delivery[] => [
      (store) => store.removeEntry(id, `message ${n}`),
      ofSignal({ type: 'inbox_message_deleted', data: { conversationId: id, messageId: `message ${n}` } }),
    ]),
  fc
    .tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 3 }))
    .map(([id, n, edit]): Delivery[] => {
      const note = noteOf(`note ${n}`, id, n, {
        body: `text ${edit}`,
        ...(edit > 0 && { editedAt: at(n + edit) }),
      });
      return [ofSignal({ type: 'inbox_note', data: { note } }), ofTimeline(id, { notes: [note] })];
    }),
  fc
    .tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 3 }))
    .map(([id, n]): Delivery[] => [
      ofSignal({ type: 'inbox_note_deleted', data: { conversationId: id, noteId: `note ${n}` } }),
    ]),
  fc
    .tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 6 }))
    .map(([id, seq]): Delivery[] => [ofTimeline(id, { activities: [activity(seq)] })]),
  fc
    .tuple(fc.constantFrom(...ids), fc.integer({ min: 1, max: 9 }))
    .map(([id, seq]): Delivery[] => [ofTimeline(id, { seq })]),
);

/** Both conversations are open. */
const start = () => {
  const store = createStore(me);
  for (const id of ids) store.changeConversation(id, (conversation) => conversation);
  return store;
};

const stateOf = (store: InboxStore) => ({
  rows: [...store.rows.value.values()].sort((a, b) => (a.conversationId < b.conversationId ? -1 : 1)),
  deleted: ids.filter(store.isDeleted),
  all: store.listOf({ list: 'all', filter: {} }),
  timelines: ids.map((id) => {
    const timeline = store.conversations.value.get(id)?.timeline;
    return timeline && { items: timelineItems(timeline), seq: timeline.seq };
  }),
});

test('any order, repetition and way of rows, changes and signals ends in the same state', () => {
  const plan = fc.array(fact, { maxLength: 25 }).chain((facts) =>
    fc.record({
      facts: fc.constant(facts),
      // Every fact at least once, in any order, over any of its ways.
      order: fc.shuffledSubarray([...facts.keys()], { minLength: facts.length, maxLength: facts.length }),
      again: fc.array(fc.nat({ max: Math.max(0, facts.length - 1) }), { maxLength: 15 }),
      ways: fc.infiniteStream(fc.nat({ max: 1 })),
    }),
  );
  fc.assert(
    fc.property(plan, ({ facts, order, again, ways }) => {
      const once = start();
      for (const [first] of facts) first?.(once);
      const shuffled = start();
      for (const index of facts.length > 0 ? [...order, ...again] : []) {
        const choices = facts[index] ?? [];
        choices[(ways.next().value ?? 0) % choices.length]?.(shuffled);
      }
      expect(stateOf(shuffled)).toEqual(stateOf(once));
    }),
    { numRuns: 500 },
  );
});

describe('lists', () => {
  test('a row moves between the lists as its state changes', () => {
    const store = createStore(me);
    const lists = () =>
      (['mine', 'unassigned', 'waiting', 'all', 'closed', 'snoozed'] as const).filter(
        (list) => store.listOf({ list, filter: {} }).length > 0,
      );
    store.receiveRows([rowOf('a')]);
    expect(lists()).toEqual(['unassigned', 'all']);
    store.receiveRows([rowOf('a', { lastSeq: 2, waitingSince: at(1) })]);
    expect(lists()).toEqual(['unassigned', 'waiting', 'all']);
    store.receiveRows([
      rowOf('a', { revision: 2, state: 'assigned', assignee: { name: 'Ada', memberId: 'ada' } }),
    ]);
    expect(lists()).toEqual(['mine', 'all']);
    store.receiveRows([
      rowOf('a', { revision: 3, state: 'assigned', assignee: { name: 'Ben', memberId: 'ben' } }),
    ]);
    expect(lists()).toEqual(['all']);
    store.receiveRows([rowOf('a', { revision: 4, state: 'closed' })]);
    expect(lists()).toEqual(['closed']);
    store.receiveRows([rowOf('a', { revision: 5, state: 'bot' })]);
    expect(lists()).toEqual([]);
  });

  test('a row that is older than the loaded pages is not shown, because others may be missing before it', () => {
    const store = createStore(me);
    store.receivePage(
      { list: 'all', filter: {} },
      [rowOf('new', { sortAt: at(90) }), rowOf('middle', { sortAt: at(50) })],
      'next',
    );
    store.receiveRows([rowOf('old', { sortAt: at(10) })]);
    expect(store.listOf({ list: 'all', filter: {} }).map((row) => row.conversationId)).toEqual([
      'new',
      'middle',
    ]);
    store.receivePage(
      { list: 'all', filter: {} },
      [rowOf('between', { sortAt: at(20) }), rowOf('old', { sortAt: at(10) })],
      undefined,
    );
    expect(store.listOf({ list: 'all', filter: {} }).map((row) => row.conversationId)).toEqual([
      'new',
      'middle',
      'between',
      'old',
    ]);
  });

  test('deletions of rows that the page does not know draw nothing, and keep them out of later responses', () => {
    const store = createStore(me);
    store.receiveRows([rowOf('a')]);
    let draws = 0;
    const end = effect(() => {
      draws++;
      store.isDeleted('a');
    });
    store.receiveDeleted(['b', 'c']);
    expect(draws).toBe(1);
    store.receiveDeleted(['a']);
    expect([draws, store.isDeleted('a')]).toEqual([2, true]);
    end();
    store.receiveRows([rowOf('b'), rowOf('d')]);
    expect([...store.rows.value.keys()]).toEqual(['d']);
  });

  test('a response that is older than the known state does not restore a deleted row', () => {
    const store = createStore(me);
    store.receiveRows([rowOf('a', { revision: 3, state: 'closed' })]);
    store.receivePage({ list: 'unassigned', filter: {} }, [rowOf('a', { revision: 2 })], undefined);
    expect(store.listOf({ list: 'unassigned', filter: {} })).toEqual([]);
    store.receiveDeleted(['a']);
    store.receivePage({ list: 'unassigned', filter: {} }, [rowOf('a', { revision: 9 })], undefined);
    expect(store.listOf({ list: 'unassigned', filter: {} })).toEqual([]);
  });
});

test('conversations that wait for an answer are listed with the longest wait first, page by page', () => {
  const store = createStore(me);
  const waiting = (id: string, seconds: number) =>
    rowOf(id, { waitingSince: at(seconds), sortAt: at(100 - seconds) });
  store.receivePage({ list: 'waiting', filter: {} }, [waiting('first', 1), waiting('second', 5)], 'next');
  store.receiveRows([waiting('fourth', 9), waiting('before', 3)]);
  expect(store.listOf({ list: 'waiting', filter: {} }).map((row) => row.conversationId)).toEqual([
    'first',
    'before',
    'second',
  ]);
  store.receivePage({ list: 'waiting', filter: {} }, [waiting('third', 7), waiting('fourth', 9)], undefined);
  expect(store.listOf({ list: 'waiting', filter: {} }).map((row) => row.conversationId)).toEqual([
    'first',
    'before',
    'second',
    'third',
    'fourth',
  ]);
});

describe('signals', () => {
  test('of conversations that were not opened are not kept', () => {
    const store = createStore(me);
    store.receiveSignal({ type: 'inbox_note', data: { note: noteOf('n', 'a') } });
    expect(store.conversations.value.has('a')).toBe(false);
  });

  test('the member is not one of the colleagues, also not in another tab', () => {
    const store = createStore(me);
    const members = [
      { memberId: 'ada', name: 'Ada', state: 'viewing' as const },
      { memberId: 'ben', name: 'Ben', state: 'replying' as const },
    ];
    store.receiveSignal({ type: 'inbox_presence', data: { conversationId: 'a', members } });
    expect(store.presence.value.get('a')).toEqual([members[1]]);
  });
});

test('after everything was forgotten, only the open conversation is kept, and what was out of sight can come back', () => {
  const store = createStore(me);
  const view = { list: 'all', filter: {} } as const;
  const idsOf = () => store.listOf(view).map((row) => row.conversationId);
  store.receivePage(view, [rowOf('a'), rowOf('b'), rowOf('c')], undefined);
  for (const id of ['a', 'b']) ofTimeline(id, { notes: [noteOf(`note of ${id}`, id)] })(store);
  store.receiveDeleted(['c']);
  store.reset('a');
  expect(idsOf()).toEqual([]);
  expect(store.progressOf(view).status).toBe('unknown');
  expect([...store.conversations.value.keys()]).toEqual(['a']);
  store.receivePage(view, [rowOf('a'), rowOf('c')], undefined);
  expect(idsOf().sort()).toEqual(['a', 'c']);
  // It may not be seen any more.
  store.removeConversation('a');
  expect(idsOf()).toEqual(['c']);
  expect(store.conversations.value.get('a')).toMatchObject({ status: 'missing', handoffs: [] });
  expect(store.conversations.value.get('a')?.timeline.notes.size).toBe(0);
});

describe('a conversation that the member may not see any more', () => {
  const view = { list: 'all', filter: {} } as const;
  const hide: Delivery[] = [
    ofSignal({ type: 'inbox_deleted', data: { conversationId: 'a', isHidden: true } }),
    (store) => store.receiveHidden(['a']),
  ];
  const back = rowOf('a', { revision: 3, state: 'assigned', assignee: { name: 'Ada', memberId: 'ada' } });
  const ways: Delivery[] = [...ofRow(back), (store) => store.receivePage(view, [back], undefined)];

  test.each(hide)('is removed with what was said in it, also by a response that comes later', (deliver) => {
    const store = createStore(me);
    store.receivePage(view, [rowOf('a'), rowOf('b')], undefined);
    const said = ofTimeline('a', { messages: [messageOf('message', 'a')], seq: 1 });
    said(store);
    deliver(store);
    said(store);
    expect(store.listOf(view).map((row) => row.conversationId)).toEqual(['b']);
    expect(store.conversations.value.has('a')).toBe(false);
    expect([store.isDeleted('a'), store.hidden.value.has('a')]).toEqual([false, true]);
  });

  test.each(ways)('is shown again when its row comes again, over any way', (deliver) => {
    const store = createStore(me);
    store.receivePage(view, [rowOf('a')], undefined);
    ofTimeline('a', { messages: [messageOf('message', 'a')], seq: 1 })(store);
    hide[0]?.(store);
    deliver(store);
    expect(store.rows.value.get('a')).toEqual(back);
    expect(store.listOf({ list: 'mine', filter: {} })).toEqual([back]);
    expect(store.hidden.value.has('a')).toBe(false);
    ofTimeline('a', { messages: [messageOf('message', 'a')], seq: 2 })(store);
    expect(store.conversations.value.get('a')?.status).toBe('ready');
  });

  test('can be opened: then the server says whether it exists', () => {
    const store = createStore(me);
    store.receiveRows([rowOf('a')]);
    store.receiveHidden(['a']);
    store.open('a');
    expect(store.conversations.value.get('a')?.status).toBe('loading');
    expect(store.hidden.value.has('a')).toBe(false);
    store.removeConversation('a');
    expect(store.conversations.value.get('a')?.status).toBe('missing');
    // Its row in a list that is in use shows nothing of it.
    expect(store.hidden.value.has('a')).toBe(true);
    store.receiveRows([back]);
    expect(store.rows.value.get('a')).toEqual(back);
  });

  test('is not shown again by a response that was on its way', () => {
    const store = createStore(me);
    const before = rowOf('a', { revision: 2 });
    store.receiveRows([before]);
    store.receiveHidden(['a']);
    store.receivePage(view, [before], undefined);
    store.receiveRows([rowOf('a', { revision: 1 })]);
    expect([store.rows.value.has('a'), store.hidden.value.has('a')]).toEqual([false, true]);
  });

  test('stays deleted if it was deleted', () => {
    const store = createStore(me);
    store.receiveRows([rowOf('a')]);
    store.receiveDeleted(['a']);
    store.receiveHidden(['a']);
    store.open('a');
    store.receiveRows([back]);
    expect([store.rows.value.has('a'), store.conversations.value.has('a')]).toEqual([false, false]);
  });
});

describe('a visitor who types', () => {
  const types = (timeout: number): TeamSignal => ({
    type: 'inbox_typing',
    data: { conversationId: 'a', timeout },
  });
  let time = 0;
  const start = () => {
    time = 0;
    const store = createStore(me, () => time);
    store.receiveSignal({ type: 'inbox_row', data: { row: rowOf('a') } });
    store.receiveSignal(types(10_000));
    expect(store.isTyping('a')).toBe(true);
    return store;
  };

  test('stops after the time, unless it is told again', () => {
    const store = start();
    time = 6_000;
    store.receiveSignal(types(10_000));
    time = 12_000;
    store.tick();
    expect(store.isTyping('a')).toBe(true);
    time = 16_000;
    store.tick();
    expect(store.isTyping('a')).toBe(false);
  });

  test('stops at once when they say so, and when they have sent it', () => {
    const stopped = start();
    stopped.receiveSignal(types(0));
    expect(stopped.isTyping('a')).toBe(false);
    const sent = start();
    sent.receiveSignal({ type: 'inbox_row', data: { row: rowOf('a', { lastSeq: 2 }) } });
    expect(sent.isTyping('a')).toBe(false);
  });

  test('still types after a reply of a member, and in no other conversation', () => {
    const store = start();
    const reply = rowOf('a', { lastSeq: 2, lastAuthor: 'person' });
    store.receiveSignal({ type: 'inbox_row', data: { row: reply } });
    expect([store.isTyping('a'), store.isTyping('b')]).toEqual([true, false]);
  });

  test.each<[string, Partial<InboxRow>, boolean]>([
    ['what they have sent', { lastSeq: 2, lastAuthor: 'visitor' }, false],
    ['what the bot has answered', { lastSeq: 3, lastAuthor: 'bot' }, false],
    ['what the bot says meanwhile', { lastSeq: 2, lastAuthor: 'bot' }, true],
    ['nothing new', { lastSeq: 1 }, true],
  ])('to the bot: after %s', (_, fields, isTyping) => {
    const store = start();
    const rows = [rowOf('a', { state: 'bot', ...fields })];
    store.receiveSignal({ type: 'inbox_bot_rows', data: { rows } });
    expect(store.isTyping('a')).toBe(isTyping);
  });
});

test('the page of a visitor is known until it is told no more, and forgotten when it is shared no more', () => {
  let time = 0;
  const store = createStore(me, () => time);
  const page = { url: 'https://shop.example/cart', title: 'Cart' };
  const tells = (data: { timeout: number; page?: typeof page }): TeamSignal => ({
    type: 'inbox_page',
    data: { conversationId: 'a', ...data },
  });
  expect(store.pageOf('a')).toBeUndefined();
  store.receiveSignal(tells({ timeout: 25_000, page }));
  expect(store.pageOf('a')).toEqual({ ...page, isOnline: true });
  time = 25_000;
  store.tick();
  expect(store.pageOf('a')).toEqual({ ...page, isOnline: false });
  store.receiveSignal(tells({ timeout: 0 }));
  expect(store.pageOf('a')).toBeUndefined();
  store.receiveSignal(tells({ timeout: 25_000, page }));
  store.receiveSignal({ type: 'inbox_deleted', data: { conversationId: 'a' } });
  expect(store.pageOf('a')).toBeUndefined();
});

test('a message that was changed is replaced where it is shown, and added nowhere else', () => {
  const store = createStore(me);
  store.open('a');
  store.receiveTimeline('a', {
    ...{ messages: [messageOf('m', 'a')], notes: [], activities: [], ratings: [], seq: 1 },
  });
  for (const id of ['m', 'older']) {
    const message = messageOf(id, 'a', 0, { payload: { type: 'text', text: 'Changed' } });
    store.receiveSignal({ type: 'inbox_message', data: { message } });
  }
  const { messages } = store.conversations.value.get('a')?.timeline ?? { messages: new Map() };
  expect([...messages.values()].map(({ id, payload }) => [id, payload])).toEqual([
    ['m', { type: 'text', text: 'Changed' }],
  ]);
});
