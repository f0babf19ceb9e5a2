// Tests of the transcript: its order, and the rows of the list that stay in their places.
import { expect, test } from 'vitest';
import { heldOrder, withCurrent } from '../components/shown-rows.ts';
import { snoozeTimes } from '../dialogs/SnoozeDialog.tsx';
import { createDrafts } from './drafts.ts';
import { addressOf, routeOf } from './route.ts';
import { at, messageOf, noteOf } from './testing.ts';
import {
  addReply,
  addToTimeline,
  emptyTimeline,
  replaceNewest,
  type Timeline,
  timelineItems,
} from './timeline.ts';

test('messages, notes and activities are in the order in which they happened; superseded messages are left out', () => {
  const timeline = addToTimeline(emptyTimeline, {
    messages: [
      messageOf('second', 'a', 20),
      messageOf('first', 'a', 10, { supersededBy: 'second' }),
      messageOf('last', 'a', 40),
    ],
    notes: [noteOf('note', 'a', 30)],
    activities: [
      { seq: 1, createdAt: at(20), type: 'person_joined', actor: { kind: 'person', name: 'Ada' } },
      { seq: 1, createdAt: at(20), type: 'person_left', actor: { kind: 'person', name: 'Ben' } },
    ],
  });
  expect(timelineItems(timeline).map(({ key }) => key)).toEqual([
    '1 person_joined Ada',
    '1 person_left Ben',
    'second',
    'note',
    'last',
  ]);
});

test('a rating stands where it was given, an offer is not shown, and an older answer does not remove the rating', () => {
  const offered = { handoffId: 'handoff_1', state: 'offered', offeredAt: at(5) } as const;
  const submitted = { ...offered, state: 'given', rating: 4, ratedAt: at(15) } as const;
  const messages = [messageOf('before', 'a', 10), messageOf('after', 'a', 20)];
  const keys = (timeline: Timeline) => timelineItems(timeline).map(({ key }) => key);
  const asked = addToTimeline(emptyTimeline, { messages, ratings: [offered] });
  expect(keys(asked)).toEqual(['before', 'after']);
  const rated = addToTimeline(asked, { ratings: [submitted] });
  expect(keys(rated)).toEqual(['before', 'handoff_1', 'after']);
  expect(keys(addToTimeline(rated, { ratings: [offered] }))).toEqual(keys(rated));
});

test('a page of the newest messages removes what was deleted of its time, and neither older messages nor replies on their way', () => {
  const timeline = addReply(
    addToTimeline(emptyTimeline, {
      messages: [messageOf('old', 'a', 1), messageOf('kept', 'a', 10), messageOf('gone', 'a', 20)],
      notes: [noteOf('gone note', 'a', 15)],
      seq: 5,
    }),
    messageOf('reply', 'a', 30),
  );
  const page = { messages: [messageOf('kept', 'a', 10)], notes: [], activities: [], ratings: [] };
  const keys = (timeline: Timeline) => timelineItems(timeline).map(({ key }) => key);
  expect(keys(replaceNewest(timeline, { ...page, seq: 6 }, { isWhole: false }))).toEqual([
    'old',
    'kept',
    'reply',
  ]);
  expect(keys(replaceNewest(timeline, { ...page, seq: 6 }, { isWhole: true }))).toEqual(['kept', 'reply']);
  // An answer that a later one has overtaken.
  expect(keys(replaceNewest(timeline, { ...page, seq: 4 }, { isWhole: true }))).toEqual(keys(timeline));
  const confirmed = replaceNewest(
    timeline,
    { ...page, messages: [messageOf('reply', 'a', 30), ...page.messages], seq: 6 },
    { isWhole: true },
  );
  expect(keys(replaceNewest(confirmed, { ...page, seq: 7 }, { isWhole: true }))).toEqual(['kept']);
});

test('something of the wire that is not a message is left out', () => {
  const broken = [null, {}, { id: 'x' }, messageOf('ok', 'a')] as never[];
  expect(addToTimeline(emptyTimeline, { messages: broken }).messages.size).toBe(1);
});

test('while a list is in use, no row moves: new rows are held back, and another page is added at the end', () => {
  expect(heldOrder([], ['a', 'b'])).toEqual(['a', 'b']);
  expect(heldOrder(['a', 'b'], ['b', 'a'])).toEqual(['a', 'b']);
  expect(heldOrder(['a', 'b'], ['new', 'a', 'b'])).toEqual(['a', 'b']);
  expect(heldOrder(['a', 'b'], ['a', 'b', 'c', 'd'])).toEqual(['a', 'b', 'c', 'd']);
  // A row that has left the list stays until the order may change.
  expect(heldOrder(['a', 'b'], ['b', 'c'])).toEqual(['a', 'b', 'c']);
  expect(heldOrder(['a'], ['x', 'y'])).toEqual(['a']);
});

test('the open conversation keeps its place in a list that it has left', () => {
  expect(withCurrent(['a', 'c'], ['a', 'b', 'c'], 'b')).toEqual(['a', 'b', 'c']);
  expect(withCurrent(['a', 'c'], ['a', 'b', 'c'], undefined)).toEqual(['a', 'c']);
  expect(withCurrent(['a', 'c'], ['a', 'c'], 'elsewhere')).toEqual(['a', 'c']);
});

test('an address that nobody wrote leads to something sensible', () => {
  expect(routeOf('')).toEqual({ list: undefined, conversationId: undefined, isVisitorShown: false });
  expect(routeOf('?list=none&pane=visitor').isVisitorShown).toBe(false);
  expect(routeOf('?conversation=c%2F1')).toMatchObject({ list: 'all', conversationId: 'c/1' });
  const route = { list: 'mine', conversationId: 'a b&c', isVisitorShown: true } as const;
  expect(routeOf(addressOf(route))).toEqual(route);
});

test('a reply and a note have drafts of their own, which survive a reload; a storage that is full loses none', () => {
  const stored = new Map<string, string>();
  const storage = {
    get length() {
      return stored.size;
    },
    key: (n: number) => [...stored.keys()][n] ?? null,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem(key: string, value: string) {
      if (value === 'too long') throw new DOMException('full', 'QuotaExceededError');
      stored.set(key, value);
    },
    removeItem: (key: string) => void stored.delete(key),
  } as unknown as Storage;
  const drafts = createDrafts('ada', storage);
  drafts.setText('a', 'reply', 'to the visitor');
  drafts.setText('a', 'note', 'for the team');
  const other = createDrafts('ada', storage);
  expect([other.textOf('a', 'reply'), other.textOf('a', 'note')]).toEqual(['to the visitor', 'for the team']);
  expect(createDrafts('ben', storage).textOf('a', 'reply')).toBe('');
  drafts.setText('a', 'reply', 'too long');
  expect(drafts.textOf('a', 'reply')).toBe('too long');
  drafts.clear();
  expect([stored.size, drafts.textOf('a', 'note')]).toEqual([0, '']);
});

test('the times to snooze until are to come, also at the end of a month and on a Sunday', () => {
  for (const now of [new Date(2030, 0, 31, 23, 59), new Date(2030, 0, 6, 8), new Date(2030, 0, 7, 8)]) {
    for (const [, until] of snoozeTimes(now)) expect(until.getTime()).toBeGreaterThan(now.getTime());
  }
  expect(snoozeTimes(new Date(2030, 0, 6, 8)).map(([label]) => label)).not.toContain('Next Monday');
  const monday = snoozeTimes(new Date(2030, 0, 7, 8)).find(([label]) => label === 'Next Monday')?.[1];
  expect(monday?.getDate()).toBe(14);
});
