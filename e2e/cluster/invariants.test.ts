// Tests the invariants of the stress tests: a correct record breaks none, and each way to break one is reported.
import { describe, expect, test } from 'vitest';
import { clientMessageIdKey, type Message } from '../../src/protocol/message.ts';
import { checkInvariants, type Delivered } from '../stress/crash/invariants.ts';
import type { Writer } from '../stress/crash/writer.ts';
import {
  fileFault,
  removedGuestsThatHear,
  type Step,
  sequenceFaults,
  simultaneousEvents,
} from './trial/invariants.ts';

interface Evidence {
  writers: Writer[];
  messages: Message[];
  delivered: Delivered[];
}

/** Records of two visitors and a bot who wrote two messages each. */
function correct(): Evidence {
  const messages: Message[] = [];
  const delivered: Delivered[] = [{ id: 'start', type: 'conversation_started', preview: '' }];
  const add = (text: string, isBot: boolean): Message => {
    const message = {
      id: `msg_${messages.length}`,
      createdAt: '2026-01-01T00:00:00.000Z',
      conversationId: 'conv',
      userId: isBot ? 'bot' : 'visitor',
      isBot,
      payload: { type: 'text', text },
      ...(isBot ? {} : { metadata: { [clientMessageIdKey]: text } }),
    } as unknown as Message;
    messages.push(message);
    return message;
  };
  add('begin ', true);
  add('end ', true);
  const sent: Record<string, { id: string; text: string }[]> = { w0: [], w1: [] };
  for (const text of ['w0-0', 'w1-0', 'w0-1', 'w1-1']) {
    const { id } = add(text, false);
    sent[text.slice(0, 2)]?.push({ id, text });
    delivered.push({ id: `evt-${text}`, type: 'text', messageId: id, preview: text });
    add(`begin ${text}`, true);
    add(`end ${text}`, true);
  }
  const ids = messages.map(({ id }) => id);
  const writers = ['w0', 'w1'].map(
    (name) =>
      ({
        name,
        acknowledged: sent[name],
        receivedIds: [...ids],
        streamOpenings: [true, true],
      }) as unknown as Writer,
  );
  return { writers, messages, delivered };
}

const remove = <T>(list: T[], index: number): void => void list.splice(index, 1);
const double = <T>(list: T[], index: number): void => void list.splice(index, 0, list[index] as T);
const swap = <T>(list: T[], one: number, other: number): void => {
  [list[one], list[other]] = [list[other] as T, list[one] as T];
};
const first = ({ writers }: Evidence): Writer => writers[0] as Writer;

describe('the invariants of messages', () => {
  test('a correct record breaks none', () => {
    expect(checkInvariants(correct())).toEqual({ faults: [], count: { lost: 0, duplicated: 0 } });
  });

  test.each<[name: string, change: (evidence: Evidence) => void]>([
    ['an acknowledged message is lost', ({ messages }) => remove(messages, 2)],
    ['a message is stored twice', ({ messages }) => double(messages, 2)],
    [
      'a message has another id than the acknowledged one',
      (all) => Object.assign(first(all).acknowledged[0] as object, { id: 'x' }),
    ],
    ['messages of one visitor changed places', ({ messages }) => swap(messages, 2, 8)],
    ['a stream missed a message', (all) => remove(first(all).receivedIds, 5)],
    ['a stream showed a message twice', (all) => double(first(all).receivedIds, 5)],
    ['a stream had another order', (all) => swap(first(all).receivedIds, 5, 6)],
    ['a stream began again instead of going on', (all) => first(all).streamOpenings.push(false)],
    ['the bot never got an event', ({ delivered }) => remove(delivered, 1)],
    ['a reply is missing', ({ messages }) => remove(messages, 3)],
    ['a reply is doubled', ({ messages }) => double(messages, 4)],
    ['a reply came before its message', ({ messages }) => swap(messages, 2, 3)],
  ])('%s: reported', (_, change) => {
    const evidence = correct();
    change(evidence);
    expect(checkInvariants(evidence).faults).not.toEqual([]);
  });
});

describe('the other invariants', () => {
  test('who was removed may hear the last signals, and nothing a minute later', () => {
    const guest = (heardAt: number) => ({ name: 'guest', removedAt: 1_000, heardAt });
    expect(removedGuestsThatHear([guest(0), guest(1_000), guest(30_000)])).toEqual([]);
    expect(removedGuestsThatHear([guest(70_000)])).toEqual([
      'guest heard the conversation 69000 ms after the removal',
    ]);
  });

  test('two events of a conversation are not handled at once, except those of a process that was disturbed', () => {
    const step = (id: string, kind: Step['step'], pid: number): Step => ({
      id,
      conversationId: 'c',
      pid,
      step: kind,
    });
    const orderly = [step('a', 'begin', 1), step('a', 'end', 1), step('b', 'begin', 2), step('b', 'end', 2)];
    expect(simultaneousEvents(orderly, new Set())).toEqual([]);
    const overlapping = [
      step('a', 'begin', 1),
      step('b', 'begin', 2),
      step('a', 'end', 1),
      step('b', 'end', 2),
    ];
    expect(simultaneousEvents(overlapping, new Set())).toHaveLength(1);
    expect(simultaneousEvents(overlapping, new Set([1]))).toEqual([]);
    // The same event a second time, after its process was killed.
    const repeated = [step('a', 'begin', 1), step('a', 'begin', 2), step('a', 'end', 2)];
    expect(simultaneousEvents(repeated, new Set([1]))).toEqual([]);
    // By two processes that were not disturbed.
    expect(simultaneousEvents(repeated, new Set())).toHaveLength(1);
  });

  test('numbers have no hole and are not used twice', () => {
    expect(sequenceFaults([{ id: 'c', seq: 3, rows: 3, distinct: 3 }])).toEqual([]);
    expect(sequenceFaults([{ id: 'c', seq: 3, rows: 2, distinct: 2 }])).toHaveLength(1);
    expect(sequenceFaults([{ id: 'c', seq: 3, rows: 4, distinct: 3 }])).toHaveLength(1);
  });

  test('a file has the bytes that were sent', () => {
    const [one, other] = [Buffer.from('abc'), Buffer.from('abd')];
    expect(fileFault('/f', 200, one, Buffer.from('abc'))).toEqual([]);
    expect(fileFault('/f', 200, one, other)).toHaveLength(1);
    expect(fileFault('/f', 404, one, one)).toHaveLength(1);
  });
});
