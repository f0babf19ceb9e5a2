// @vitest-environment jsdom
// Tests how signals change the store: render frequency, typing indicators, and deltas after the end of a stream.
import { beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '../../../../protocol/message.ts';
import { resolveConfiguration } from '../../../../protocol/page-api/config-layers.ts';
import type { Signal } from '../../../../protocol/signal.ts';
import type { Widget } from '../../../launcher-chat-interface.ts';
import { createStore, type Store } from '../../store/store.ts';
import { createIncoming, type Incoming } from './incoming.ts';

let store: Store;
let incoming: Incoming;
let calls: [string, unknown][];
/** The callbacks of the next frame. */
let frames: Map<number, () => void>;
/** The clock of the page, in milliseconds. */
let now: number;
const nextFrame = () => {
  now += 1_000 / 60;
  const waiting = [...frames.values()];
  frames.clear();
  for (const task of waiting) task();
};

beforeEach(() => {
  frames = new Map();
  now = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  let count = 0;
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => {
    frames.set(++count, task);
    return count;
  });
  vi.stubGlobal('cancelAnimationFrame', (handle: number) => void frames.delete(handle));
  calls = [];
  store = createStore(resolveConfiguration());
  const widget = {
    signal: new AbortController().signal,
    storage: { read: () => ({}), write: () => {} },
    isOpen: true,
    emit: () => {},
    onUnread: () => {},
    open: () => void calls.push(['visibility', 'show']),
    close: () => void calls.push(['visibility', 'hide']),
    toggle: () => void calls.push(['visibility', 'toggle']),
    config: ({ configuration }: { configuration: unknown }) => void calls.push(['configure', configuration]),
  } as unknown as Widget;
  incoming = createIncoming(widget, store, () => 'me');
});

const handleSignal = (type: string, data: unknown) => incoming.handleSignal({ type, data } as Signal);
const delta = (sequence: number, text: string) =>
  handleSignal('message_stream_delta', {
    streamId: 's',
    conversationId: 'c',
    userId: 'bot',
    createdAt: '2025-01-01T00:00:00.000Z',
    sequence,
    delta: text,
  });
const message = (id: string, metadata?: object, userId = 'bot') =>
  ({
    id,
    createdAt: '2025-01-01T00:00:01.000Z',
    payload: { type: 'markdown', markdown: 'whole' },
    userId,
    conversationId: 'c',
    ...(metadata ? { metadata } : {}),
  }) as Message;
const shown = () =>
  store.state.rows.map(({ payload, status }) => [(payload as { markdown: string }).markdown, status]);

test('deltas are rendered together, in every second frame at most', () => {
  delta(0, 'x');
  nextFrame();
  let draws = 0;
  store.observe(() => {
    if (store.state.rows.length) draws++;
  });
  for (let i = 1; i <= 100; i++) delta(i, 'x');
  const before = draws;
  nextFrame();
  expect(shown()).toEqual([['x', 'streaming']]);
  nextFrame();
  expect(shown()).toEqual([['x'.repeat(101), 'streaming']]);
  expect(frames.size).toBe(0);
  // Typing ends with each delta; the text itself came once.
  expect(draws - before).toBe(1);
});

test('text that waits for a frame is kept when the stream is aborted', () => {
  delta(0, 'one ');
  delta(1, 'two');
  handleSignal('message_stream_abort', { streamId: 's', conversationId: 'c' });
  expect(shown()).toEqual([['one two', 'aborted']]);
  nextFrame();
  expect(shown()).toEqual([['one two', 'aborted']]);
});

test('a late delta does not change a complete message', () => {
  delta(0, 'one ');
  handleSignal('message_stream_complete', { streamId: 's', message: message('m', { streamId: 's' }) });
  handleSignal('message_created', { ...message('m', { streamId: 's' }), isBot: true });
  delta(1, 'late');
  nextFrame();
  expect(shown()).toEqual([['whole', 'sent']]);
});

test('only the typing of others is shown', () => {
  handleSignal('typing_started', { conversationId: 'c', userId: 'me' });
  expect(store.state.typing).toBeUndefined();
  handleSignal('typing_started', { conversationId: 'c', userId: 'bot' });
  expect(store.state.typing).toBe('bot');
  handleSignal('typing_stopped', { conversationId: 'c', userId: 'me' });
  expect(store.state.typing).toBe('bot');
  handleSignal('typing_stopped', { conversationId: 'c', userId: 'bot' });
  expect(store.state.typing).toBeUndefined();
});

test('of two who type the one who began last is shown, also after the other has stopped', () => {
  handleSignal('typing_started', { conversationId: 'c', userId: 'bot' });
  handleSignal('typing_started', { conversationId: 'c', userId: 'ada' });
  expect(store.state.typing).toBe('ada');
  handleSignal('typing_stopped', { conversationId: 'c', userId: 'bot' });
  expect(store.state.typing).toBe('ada');
});

test('feedback changes its row and does not count as a new message', () => {
  incoming.handleMessages([message('m')], true);
  const { announced } = store.state;
  handleSignal('message_updated', { ...message('m'), isBot: true, feedback: { value: 'positive' } });
  expect(store.state.rows.map(({ feedback }) => feedback)).toEqual([{ value: 'positive' }]);
  expect(store.state.announced).toBe(announced);
});

test('the bot opens, closes and configures the window through the widget', () => {
  handleSignal('webchat_visibility', { conversationId: 'c', visibility: 'hide' });
  handleSignal('webchat_config', { conversationId: 'c', config: { color: '#123456' } });
  expect(calls).toEqual([
    ['visibility', 'hide'],
    ['configure', { color: '#123456' }],
  ]);
});

test('a list is shown in several tasks, the newest messages first, and in the right order', async () => {
  const minutes = (i: number) => `2025-01-01T00:${String(i).padStart(2, '0')}:00.000Z`;
  const newestFirst = Array.from({ length: 50 }, (_, i) => ({
    ...message(`m${49 - i}`),
    createdAt: minutes(49 - i),
  }));
  const drawn: (string | undefined)[][] = [];
  const end = store.observe(() => void drawn.push(store.state.rows.map(({ id }) => id)));
  await incoming.handleList(newestFirst, new AbortController().signal);
  end();
  expect(drawn.at(-1)).toEqual(newestFirst.map(({ id }) => id).reverse());
  const sizes = drawn.map((rows) => rows.length);
  expect(Math.max(...sizes.slice(1).map((size, i) => size - (sizes[i] ?? 0)))).toBeLessThanOrEqual(6);
  for (const rows of drawn.slice(1)) expect(rows.at(-1)).toBe('m49');
});

test('of a list whose conversation has ended nothing more is shown', async () => {
  const controller = new AbortController();
  const listing = incoming.handleList(
    Array.from({ length: 50 }, (_, i) => message(`m${i}`)),
    controller.signal,
  );
  controller.abort();
  await expect(listing).rejects.toThrow();
  expect(store.state.rows.length).toBeLessThanOrEqual(6);
});
