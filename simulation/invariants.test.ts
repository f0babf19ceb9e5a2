// Tests the invariants of the simulation and of the trial of a cluster: a correct record breaks none, and each way to break one is
// reported.
import { describe, expect, test } from 'vitest';
import {
  answerFaults,
  type Handled,
  handlingFaults,
  leakFaults,
  orderFaults,
  privacyFaults,
  type Sent,
  type Stored,
  screenFaults,
  sequenceFaults,
  silenceFaults,
  stateFaults,
  storageFaults,
  supersededFaults,
  unansweredFaults,
  unfinishedFaults,
  unhandledFaults,
  visitorFaults,
} from './invariants.ts';

const written = (text: string, changes: Partial<Sent> = {}): Sent => ({
  ...{ text, author: 'tab 1', isAcknowledged: true, mayBeMissing: false },
  ...changes,
});
const message = (text: string, seq: number, changes: Partial<Stored> = {}): Stored => ({
  ...{ id: `id ${seq}`, conversationId: 'c', userId: 'u', isBot: false, text, seq },
  ...changes,
});
const run = (messageId: string, changes: Partial<Handled> = {}): Handled => ({
  ...{ eventId: `event of ${messageId}`, conversationId: 'c', messageId },
  ...changes,
});

describe('storage', () => {
  test('a message that is stored once, kept by its writer, or given up breaks nothing', () => {
    const sent = [
      written('a'),
      written('b', { isAcknowledged: false }),
      written('c', { isAcknowledged: false, mayBeMissing: true }),
    ];
    expect(storageFaults(sent, [message('a', 1)], ['b'])).toEqual([]);
  });

  test('a message that is stored twice is reported, also one that was given up', () => {
    const stored = [message('a', 1), message('a', 2)];
    expect(storageFaults([written('a', { mayBeMissing: true })], stored, [])).toEqual([
      'stored once: “a” is stored 2 times',
    ]);
  });

  test('an acknowledged message that is not stored is reported, also when its writer still has it', () => {
    expect(storageFaults([written('a')], [], ['a'])).toEqual([
      'stored once: “a” was acknowledged and is not stored',
    ]);
  });

  test('a message that nobody has any more is reported', () => {
    expect(storageFaults([written('a', { isAcknowledged: false })], [], [])).toEqual([
      'nothing is lost: “a” is neither stored nor kept',
    ]);
  });
});

test('messages of one author in another order are reported, and those of two authors have no order', () => {
  const sent = [written('a'), written('b'), written('x', { author: 'tab 2' })];
  expect(orderFaults(sent, [message('x', 1), message('a', 2), message('b', 3)])).toEqual([]);
  expect(orderFaults(sent, [message('b', 1), message('a', 2)])).toEqual([
    'order: tab 1 wrote “a”, “b”, stored are “b”, “a”',
  ]);
});

test('a window with a missing, a foreign or an exchanged message is reported, and older pages may be missing', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((text) => ({ id: text, text })) as [Stored, Stored, Stored];
  expect(screenFaults('tab', [a, b, c], [a, b, c])).toEqual([]);
  expect(screenFaults('tab', [b, c], [a, b, c], true)).toEqual([]);
  for (const shown of [[a, c], [a, c, b], [a, b, c, c], [], [b, c]])
    expect(screenFaults('tab', shown, [a, b, c])).toHaveLength(1);
  expect(screenFaults('tab', [a, c], [a, b, c], true)).toHaveLength(1);
});

test('a text that has reached another visitor is reported', () => {
  expect(privacyFaults('tab', ['mine', 'yours'], (text) => text === 'yours')).toEqual([
    'privacy: “yours” has reached tab',
  ]);
});

describe('the bot', () => {
  const stored = [message('a', 1), message('b', 2)];

  test('an event that is handled again after a later one breaks nothing', () => {
    expect(handlingFaults(stored, [run('id 1'), run('id 2'), run('id 1')])).toEqual([]);
  });

  test('an event that is handled first after a later one is reported', () => {
    expect(handlingFaults(stored, [run('id 2'), run('id 1')])).toEqual([
      'bot, order: “a” was handled after a later message',
    ]);
  });

  test('a message that is never handled is reported', () => {
    expect(unhandledFaults(stored, [run('id 1')])).toEqual(['bot, at least once: “b” was never handled']);
  });

  test('the same answer to one event that is stored twice is reported, and to two events it is not', () => {
    const answer = { isBot: true, eventId: 'e' };
    expect(answerFaults([message('x', 2, answer), message('x', 3, { isBot: true, eventId: 'f' })])).toEqual(
      [],
    );
    expect(answerFaults([message('x', 2, answer), message('x', 3, answer)])).toEqual([
      'bot, answers once: e “x” is stored 2 times',
    ]);
  });

  test('an answer to a message that was superseded before is reported, and one that came first is not', () => {
    const asked = message('a', 1, { supersededBy: 'id of b' });
    const answerAt = (seq: number) => message('said', seq, { isBot: true, eventId: 'e' });
    const handled = [{ eventId: 'e', conversationId: 'c', messageId: asked.id }];
    const instead = { ...message('b', 3), id: 'id of b' };
    expect(supersededFaults([asked, answerAt(2), instead], handled)).toEqual([]);
    expect(supersededFaults([asked, instead, answerAt(4)], handled)).toEqual([
      'superseded: “said” was stored after “b”',
    ]);
  });

  test('a message that was handled and has no answer is reported', () => {
    const asked = message('a', 1);
    expect(unansweredFaults([asked], [asked, message('answer to a', 2, { isBot: true })])).toEqual([]);
    expect(unansweredFaults([asked], [asked, message('answer to a', 2)])).toEqual([
      'bot, answers: “a” was handled, and has no answer',
    ]);
  });

  test('a state that an earlier run has written later is reported', () => {
    const expected = new Map([['c', 'b']]);
    expect(stateFaults([{ conversationId: 'c', text: 'b' }], expected)).toEqual([]);
    expect(stateFaults([{ conversationId: 'c', text: 'a' }], expected)).toEqual([
      'bot, state: in c it is “a” instead of “b”',
    ]);
  });

  test('events that are left are reported', () => {
    expect(unfinishedFaults([])).toEqual([]);
    expect(unfinishedFaults([{ state: 'waiting', count: 2 }])).toEqual([
      'bot, finished: 2 events are waiting at the end',
    ]);
  });

  test('a message of the bot while a person answers is reported, and one after it is not', () => {
    const changes = [
      { conversationId: 'c', seq: 2, state: 'assigned' },
      { conversationId: 'c', seq: 5, state: 'bot' },
    ];
    const said = [1, 3, 6].map((seq) => message(`said ${seq}`, seq, { isBot: true }));
    expect(silenceFaults(said, changes, () => false)).toEqual([
      'person: the bot said “said 3” while the conversation was assigned',
    ]);
    expect(silenceFaults(said, changes, ({ seq }) => seq === 3)).toEqual([]);
  });
});

test('a number that is missing or given twice is reported', () => {
  const numbers = (...seqs: number[]) => seqs.map((seq) => ({ conversationId: 'c', seq }));
  expect(sequenceFaults(numbers(3, 1, 2))).toEqual([]);
  expect(sequenceFaults(numbers(1, 3))).toEqual(['numbers: in c, 3 follows 1']);
  expect(sequenceFaults(numbers(1, 2, 2))).toEqual(['numbers: in c, 2 follows 2']);
  expect(sequenceFaults(numbers(1, 3), new Map([['c', 1]]))).toEqual([]);
  expect(sequenceFaults(numbers(1, 3, 5), new Map([['c', 1]]))).toEqual(['numbers: in c, 5 follows 3']);
});

test('a window that shows another visitor or conversation than the browser has is reported', () => {
  const stored = { userId: 'u', conversationId: 'c' };
  expect(visitorFaults('tab', stored, stored)).toEqual([]);
  expect(visitorFaults('tab', { userId: 'v', conversationId: 'c' }, stored)).toEqual([
    'visitor: tab shows c of v, and its browser knows c of u',
  ]);
});

test('what a page has left is reported', () => {
  expect(leakFaults('tab', ['a timer'])).toEqual(['leak: tab still has a timer']);
});
