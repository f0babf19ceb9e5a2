// Tests the rows of the transcript: messages in any order and with repetitions result in the same rows.
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Message, Payload } from '../../../protocol/message.ts';
import { resolveConfiguration } from '../../../protocol/page-api/config-layers.ts';
import { createStore, type Row, type Side, type Store } from './store.ts';

const at = (second: number) => new Date(Date.UTC(2025, 0, 1, 0, 0, second)).toISOString();
const sideOf = ({ userId }: Message): Side => (userId === 'me' ? 'visitor' : 'bot');
function message(number: number, more: Partial<Message> = {}): Message {
  const id = `msg_${String(number).padStart(3, '0')}`;
  const payload = { type: 'text', text: `text ${number}` } as const;
  return { id, createdAt: at(number), payload, userId: 'bot', conversationId: 'c', ...more };
}
const mine = (number: number, clientMessageId = `key ${number}`) =>
  message(number, { userId: 'me', metadata: { clientMessageId } });

let store: Store;
beforeEach(() => {
  store = createStore(resolveConfiguration());
});
/** The visitor has just written a message. */
const write = (to: Store, id: string, payload: Payload = { type: 'text', text: id }) =>
  to.addOutgoing({ id, payload, createdAt: new Date().toISOString() }, 'sending');
const rows = () => store.state.rows;
const keys = () => rows().map(({ key }) => key);
const text = (row: Row | undefined) => (row?.payload.type === 'text' ? row.payload.text : undefined);

describe('receive', () => {
  test('returns the messages whose id was not known', () => {
    const [a, b, c] = [message(1), message(2), message(3)];
    expect(store.receive([a, b], sideOf)).toEqual([a, b]);
    expect(store.receive([b, c, c, a], sideOf)).toEqual([c]);
    expect(store.receive([], sideOf)).toEqual([]);
  });

  test.each([{}, [], 1, null, true])('an author id of another type is dropped: %j', (userId) => {
    store.receive([message(1, { userId: userId as unknown as string })], sideOf);
    expect(rows().map((row) => [row.side, row.userId])).toEqual([['bot', undefined]]);
  });

  test('a changed message replaces its row in place', () => {
    store.receive([message(1), message(2)], sideOf);
    store.receive([message(1, { payload: { type: 'text', text: 'new' } })], sideOf);
    expect(rows().map(text)).toEqual(['new', 'text 2']);
  });

  test('any order, splitting and repetition results in the same sorted rows without duplicates', () => {
    const visitorOrBot = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
    const run = visitorOrBot.chain((sides) => {
      const messages = sides.map((isMine, i) => (isMine ? mine(i) : message(i)));
      const deliveries = fc.array(fc.subarray(messages), { maxLength: 5 });
      const shuffled = fc.shuffledSubarray(messages, { minLength: messages.length });
      return fc.record({
        messages: fc.constant(messages),
        outgoing: fc.subarray(messages.filter(({ userId }) => userId === 'me')),
        deliveries: fc
          .tuple(deliveries, shuffled, deliveries)
          .map(([a, all, b]) => [...a, ...all.map((m) => [m]), ...b]),
      });
    });
    fc.assert(
      fc.property(run, ({ messages, outgoing, deliveries }) => {
        const tested = createStore(resolveConfiguration());
        for (const { metadata, payload } of outgoing)
          write(tested, String(metadata?.clientMessageId), payload);
        const fresh = deliveries.flatMap((delivery) => tested.receive(delivery, sideOf));
        expect(tested.state.rows.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
        expect(tested.state.rows.map(({ key }) => key)).toEqual(
          messages.map(({ id, metadata }) => metadata?.clientMessageId ?? id),
        );
        expect(tested.state.rows.every(({ status }) => status === 'sent')).toBe(true);
        expect(fresh.map(({ id }) => id).toSorted()).toEqual(messages.map(({ id }) => id));
      }),
      { numRuns: 300 },
    );
  });

  test('within one millisecond the id decides: a list is newest first, a stream oldest first', () => {
    const [a, b] = [message(1, { createdAt: at(5) }), message(2, { createdAt: at(5) })];
    store.receive([b, a], sideOf);
    const listed = keys();
    store.reset();
    store.receive([a], sideOf);
    store.receive([b], sideOf);
    expect([keys(), listed]).toEqual([
      ['msg_001', 'msg_002'],
      ['msg_001', 'msg_002'],
    ]);
  });

  test('a bot that returns the visitor’s metadata does not replace the visitor’s row', () => {
    write(store, 'k');
    store.receive([mine(1, 'k')], sideOf);
    store.receive([message(2, { metadata: { clientMessageId: 'k' } })], sideOf);
    expect(rows().map((row) => [row.side, text(row)])).toEqual([
      ['visitor', 'text 1'],
      ['bot', 'text 2'],
    ]);
  });

  test('a message takes the place of the one that it supersedes and of all between them, live and in a list', () => {
    const [a, b, c, d] = [message(1), mine(2), message(3), mine(5, 'again')];
    const later = message(6);
    store.receive([a, b], sideOf);
    store.setStream('s', 'half an answer', at(4));
    write(store, 'unsent');
    const next = { ...d, supersedes: b.id };
    expect(store.receive([next], sideOf)).toEqual([next]);
    expect(keys()).toEqual(['msg_001', 'again', 'unsent']);
    const list = [later, next, ...[c, b].map((old) => ({ ...old, supersededBy: d.id })), a];
    expect(store.receive(list, sideOf)).toEqual([later]);
    expect(keys()).toEqual(['msg_001', 'again', 'msg_006', 'unsent']);
    // It was not told live: the list tells it.
    const other = createStore(resolveConfiguration());
    other.receive([a, b, c], sideOf);
    expect(other.receive(list, sideOf)).toEqual([later, next]);
    expect(other.state.rows.map(({ id }) => id)).toEqual(['msg_001', 'msg_005', 'msg_006']);
  });

  test('a superseded message stays away when its signal is processed after the list, or its sending has just ended', () => {
    const [old, answer, next] = [mine(1, 'old'), message(2), { ...mine(3, 'next'), supersedes: 'msg_001' }];
    write(store, 'old');
    store.receive([{ ...old, supersededBy: next.id }, { ...answer, supersededBy: next.id }, next], sideOf);
    expect(keys()).toEqual(['next']);
    expect(store.receive([old, answer], sideOf)).toEqual([]);
    expect(keys()).toEqual(['next']);
  });

  test('a superseded answer stays away when a list that is older than the edit comes after it', () => {
    const [a, old, next] = [message(1), mine(2, 'old'), { ...mine(4, 'next'), supersedes: 'msg_002' }];
    store.receive([a, old], sideOf);
    store.receive([next], sideOf);
    expect(store.receive([message(5), message(3), old, a], sideOf)).toEqual([message(5)]);
    expect(keys()).toEqual(['msg_001', 'next', 'msg_005']);
    // Another conversation went on at the same time.
    store.reset();
    const elsewhere = message(3, { id: 'msg_elsewhere', conversationId: 'conv_2' });
    expect(store.receive([elsewhere], sideOf)).toEqual([elsewhere]);
  });

  test('what the visitor has written before the server has stored an edit stays', () => {
    const [a, b] = [mine(1), mine(5, 'edit')];
    store.receive([a], sideOf);
    for (const [id, n] of [
      ['edit', 2],
      ['next', 3],
    ] as const)
      store.addOutgoing({ id, payload: { type: 'text', text: id }, createdAt: at(n) }, 'sending');
    store.receive([{ ...b, supersedes: a.id }], sideOf);
    expect(keys()).toEqual(['edit', 'next']);
  });

  test('rows are replaced and never mutated', () => {
    store.receive([message(1)], sideOf);
    const before = rows();
    const copy = structuredClone(before);
    store.receive([message(1, { payload: { type: 'text', text: 'new' } }), message(0)], sideOf);
    store.setStatus('msg_001', 'aborted');
    store.remove('msg_000');
    expect(before).toEqual(copy);
  });

  test('a failure of the bot is a notice', () => {
    store.receive([message(1, { metadata: { error: 'bot_failed' } }), message(2)], sideOf);
    expect(rows().map(({ error }) => error)).toEqual(['bot_failed', undefined]);
  });
});

describe('own messages', () => {
  const writeMessage = (key: string) => write(store, key);

  test('are last, in the order they were written, whatever the clocks are', () => {
    writeMessage('a');
    writeMessage('b');
    store.receive([message(1, { createdAt: '2999-01-01T00:00:00.000Z' })], sideOf);
    store.setStatus('a', 'queued');
    store.receive([message(2)], sideOf);
    expect(keys()).toEqual(['msg_002', 'msg_001', 'a', 'b']);
  });

  test('that failed are at the time at which they were written, and last again while they are sent', () => {
    store.receive([message(1)], sideOf);
    store.addOutgoing({ id: 'a', payload: { type: 'text', text: 'a' }, createdAt: at(2) }, 'sending');
    store.receive([message(3)], sideOf);
    expect(keys()).toEqual(['msg_001', 'msg_003', 'a']);
    store.setStatus('a', 'failed');
    expect(keys()).toEqual(['msg_001', 'a', 'msg_003']);
    store.receive([message(4), message(0)], sideOf);
    writeMessage('b');
    expect(keys()).toEqual(['msg_000', 'msg_001', 'a', 'msg_003', 'msg_004', 'b']);
    store.setStatus('a', 'sending');
    expect(keys()).toEqual(['msg_000', 'msg_001', 'msg_003', 'msg_004', 'a', 'b']);
  });

  test('are confirmed in their row: same key, with the id and time of the server', () => {
    writeMessage('a');
    store.receive([mine(1, 'a')], sideOf);
    expect(rows()).toMatchObject([{ key: 'a', id: 'msg_001', createdAt: at(1), status: 'sent' }]);
    store.receive([mine(1, 'a')], sideOf);
    expect(rows().length).toBe(1);
  });

  test('a failed message that was stored after all is sent', () => {
    writeMessage('a');
    store.setStatus('a', 'failed');
    store.receive([mine(1, 'a')], sideOf);
    expect(rows().map(({ status }) => status)).toEqual(['sent']);
  });

  test('are removed by key, and messages by id', () => {
    writeMessage('a');
    store.receive([mine(1, 'k'), message(2)], sideOf);
    store.remove('a');
    store.remove('msg_001');
    expect(keys()).toEqual(['msg_002']);
  });

  test('a status of a missing row changes nothing', () => {
    writeMessage('a');
    store.setStatus('b', 'failed');
    expect(rows().map(({ status }) => status)).toEqual(['sending']);
  });
});

describe('streams', () => {
  const ended = message(3, { metadata: { streamId: 's' }, payload: { type: 'text', text: 'all of it' } });

  test('grow in one row, and become the final message', () => {
    store.receive([message(1)], sideOf);
    store.setStream('s', 'al', at(2));
    store.setStream('s', 'all of', at(2));
    expect(rows()).toMatchObject([
      { key: 'msg_001' },
      {
        key: 's',
        id: undefined,
        side: 'bot',
        status: 'streaming',
        payload: { type: 'markdown', markdown: 'all of' },
      },
    ]);
    expect(store.receive([ended], sideOf)).toEqual([ended]);
    expect(rows()).toMatchObject([{ key: 'msg_001' }, { key: 's', id: 'msg_003', status: 'sent' }]);
    expect(text(rows()[1])).toBe('all of it');
  });

  test('a delta after the complete message does not change it', () => {
    store.receive([ended], sideOf);
    store.setStream('s', 'al', at(2));
    expect(rows().map(text)).toEqual(['all of it']);
  });

  test('are before unsent messages', () => {
    write(store, 'a');
    store.setStream('s', 'x', '2999-01-01T00:00:00.000Z');
    expect(keys()).toEqual(['s', 'a']);
  });

  test('two at once do not mix', () => {
    store.setStream('s', 'x', at(1));
    store.setStream('t', 'y', at(2));
    store.setStream('s', 'xx', at(1));
    expect(rows().map(({ payload }) => payload)).toEqual([
      { type: 'markdown', markdown: 'xx' },
      { type: 'markdown', markdown: 'y' },
    ]);
  });
});

test('the announced row is the row of the message, and stays if a stream leaves no message', () => {
  store.receive([message(1)], sideOf);
  store.announce('msg_001');
  expect(store.state.announced).toBe(rows()[0]);
  store.announce('unknown');
  expect(store.state.announced).toBe(rows()[0]);
});

test('reset empties the transcript, and does not change the window', () => {
  store.setOpen(true);
  store.setConnection('online');
  store.receive([message(1)], sideOf);
  store.announce('msg_001');
  store.setHistory('more');
  store.setTyping('bot');
  store.setRenewed(true);
  store.reset();
  expect([rows(), store.state.history, store.state.typing, store.state.announced]).toEqual([
    [],
    'unknown',
    undefined,
    undefined,
  ]);
  expect(store.state.isRenewed).toBe(false);
  expect([store.state.isOpen, store.state.connection]).toEqual([true, 'online']);
});

test('streams that were cut count as aborted until another delta, or their message, arrives', () => {
  store.setStream('stream_1', 'Half an', '2026-01-01T00:00:00.000Z');
  store.setStream('stream_2', 'Another', '2026-01-01T00:00:01.000Z');
  store.abortStreams();
  expect(store.state.rows.map(({ status }) => status)).toEqual(['aborted', 'aborted']);
  store.setStream('stream_1', 'Half an answer', '2026-01-01T00:00:00.000Z');
  expect(store.state.rows.map(({ status }) => status)).toEqual(['streaming', 'aborted']);
});

describe('row', () => {
  test('a reader of a row hears of its changes, also after it was gone, or read by nobody', () => {
    store.receive([message(1), message(2)], sideOf);
    const seen: (string | undefined)[] = [];
    const read = () => {
      // As the transcript does, which draws the rows of the outline.
      const [key = ''] = store.state.outline.map((row) => row.key);
      seen.push(text(store.row(key)));
    };
    const change = (to: string) =>
      store.receive([message(1, { payload: { type: 'text', text: to } })], sideOf);
    store.observe(read)();
    change('unseen');
    const end = store.observe(read);
    change('seen');
    store.remove('msg_001');
    change('back');
    end();
    expect([...new Set(seen)]).toEqual(['text 1', 'unseen', 'seen', 'text 2', 'back']);
    expect(store.row('msg_001')).toBeDefined();
    store.remove('msg_001');
    expect(store.row('msg_001')).toBeUndefined();
  });

  test('a reader of one row does not hear of another, nor of text that another one streams', () => {
    store.receive([message(1), message(2)], sideOf);
    let runs = 0;
    store.observe(() => {
      store.row('msg_001');
      runs++;
    });
    store.setFeedback('msg_002', { value: 'positive' });
    store.setStream('stream', 'a', at(3));
    store.setStream('stream', 'ab', at(3));
    expect(runs).toBe(1);
    let streamed: string | undefined;
    store.observe(() => {
      streamed = JSON.stringify(store.row('stream')?.payload);
    });
    store.setStream('stream', 'abc', at(3));
    expect(streamed).toContain('abc');
  });
});
