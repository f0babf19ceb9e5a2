// Tests what is read of who answers: values of any shape from the wire never throw, and only what is known is shown.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toRowMessage } from './activities.ts';
import { readActivities, readHandling, readMark, readRating } from './read-handling.ts';

const base = { conversationId: 'conv_1', revision: 2 };

describe('who answers', () => {
  test('a person is only read of a conversation that a person answers', () => {
    const person = { name: 'Ada', pictureUrl: 'https://example.com/ada.png' };
    expect(readHandling({ ...base, state: 'assigned', person })).toEqual({
      ...base,
      state: 'assigned',
      person,
    });
    expect(readHandling({ ...base, state: 'bot', person })).toEqual({ ...base, state: 'bot' });
  });

  test('the place in the queue is only read of a conversation that waits', () => {
    const queue = { position: 3 };
    expect(readHandling({ ...base, state: 'waiting', queue })).toMatchObject({ queue });
    expect(readHandling({ ...base, state: 'assigned', queue })).not.toHaveProperty('queue');
    expect(readHandling({ ...base, state: 'waiting', queue: { position: '3' } })).not.toHaveProperty('queue');
  });

  test.each([
    ['an unknown state', { ...base, state: 'snoozed' }],
    ['a state of an object', { ...base, state: 'constructor' }],
    ['no revision', { conversationId: 'conv_1', state: 'bot' }],
    ['no conversation', { revision: 1, state: 'bot' }],
    ['nothing', undefined],
    ['a text', 'waiting'],
  ])('%s is not read', (_, value) => {
    expect(readHandling(value)).toBeUndefined();
  });

  test('a time that is none and a name that is not a text are left out, and a long name is cut', () => {
    const value = { ...base, state: 'waiting', opensAt: 'soon' };
    expect(readHandling(value)).toEqual({ ...base, state: 'waiting' });
    expect(readHandling({ ...base, state: 'assigned', person: { name: 7 } })).toEqual({
      ...base,
      state: 'assigned',
    });
    const long = { name: 'x'.repeat(5_000) };
    expect(readHandling({ ...base, state: 'assigned', person: long })?.person?.name).toHaveLength(200);
  });

  test('a value of any shape does not throw', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (one, other) => {
        readHandling(one);
        readHandling({ ...base, state: 'waiting', queue: one, opensAt: other });
        readHandling({ ...base, state: 'assigned', person: one });
        readActivities(one);
        readMark(one);
        readMark({ until: other });
        readRating(one);
        readRating({ handoffId: 'handoff_1', state: one, offeredAt: other });
        readActivities([one, other, { seq: 1, type: 'person_joined', createdAt: one, actor: other }]);
      }),
    );
  });
});

test('a rating is read with a known state, and a mark with a time', () => {
  const offeredAt = '2026-01-01T00:00:00.000Z';
  const rating = { handoffId: 'handoff_1', state: 'offered', offeredAt };
  expect(readRating({ ...rating, rating: 7, comment: {} })).toEqual(rating);
  for (const wrong of [{ state: 'toString' }, { handoffId: 1 }, { offeredAt: 'soon' }])
    expect(readRating({ ...rating, ...wrong })).toBeUndefined();
  expect(readMark({ seq: 4, until: offeredAt })).toEqual({ until: offeredAt });
  expect(readMark({ until: 'now' })).toBeUndefined();
});

describe('activities', () => {
  const activity = (type: string, seq = 5) => ({
    seq,
    type,
    createdAt: '2026-01-01T00:00:00.000Z',
    actor: { kind: 'person', name: 'Ada' },
  });

  test('types that are not known are not shown', () => {
    expect(
      readActivities([activity('person_joined'), activity('note_added'), activity('__proto__')]),
    ).toHaveLength(1);
  });

  test('of one change, a person who leaves is shown before a person who joins, and a repetition has the same id', () => {
    const ids = readActivities([activity('person_joined'), activity('person_left')]).map(
      (activity) => toRowMessage('conv_1', activity).id,
    );
    expect(ids.toSorted()).toEqual(ids.toReversed());
    const [again] = readActivities([activity('person_joined')]);
    expect(again && toRowMessage('conv_1', again).id).toBe(ids[0]);
  });

  test('the text names the person', () => {
    const [joined] = readActivities([activity('person_joined')]);
    expect(joined && toRowMessage('conv_1', joined).payload).toMatchObject({ text: 'Ada joined' });
  });
});
