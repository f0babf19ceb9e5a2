// @vitest-environment jsdom
// Tests what the stream's words do to the store: how often it is drawn, whose typing counts, what garbage does.
import { beforeEach, expect, test, vi } from 'vitest';
import { resolveConfiguration } from '../../../protocol/config.ts';
import type { Message } from '../../../protocol/message.ts';
import type { Signal } from '../../../protocol/signal.ts';
import type { Shell } from '../../launcher-chat-interface.ts';
import { createStore, type Store } from '../store/store.ts';
import { createNews, type News } from './incoming.ts';

let store: Store;
let news: News;
let calls: [string, unknown][];
/** What waits for the next frame. */
let frames: Map<number, () => void>;
const nextFrame = () => {
  const waiting = [...frames.values()];
  frames.clear();
  for (const task of waiting) task();
};

beforeEach(() => {
  frames = new Map();
  let count = 0;
  vi.stubGlobal('requestAnimationFrame', (task: () => void) => {
    frames.set(++count, task);
    return count;
  });
  vi.stubGlobal('cancelAnimationFrame', (handle: number) => void frames.delete(handle));
  calls = [];
  store = createStore(resolveConfiguration());
  const shell = {
    signal: new AbortController().signal,
    storage: { read: () => ({}), write: () => {} },
    isOpen: true,
    emit: () => {},
    onUnread: () => {},
    open: () => void calls.push(['visibility', 'show']),
    close: () => void calls.push(['visibility', 'hide']),
    toggle: () => void calls.push(['visibility', 'toggle']),
    config: ({ configuration }: { configuration: unknown }) => void calls.push(['configure', configuration]),
  } as unknown as Shell;
  news = createNews(shell, store, () => 'me');
});

const hear = (type: string, data: unknown) => news.hear({ type, data } as Signal);
const delta = (sequence: number, text: string) =>
  hear('message_stream_delta', {
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

test('a hundred deltas in one frame are drawn once', () => {
  delta(0, 'x');
  nextFrame();
  let draws = 0;
  store.subscribe(() => {
    if (store.state.rows.length) draws++;
  });
  for (let i = 1; i <= 100; i++) delta(i, 'x');
  const before = draws;
  nextFrame();
  expect(shown()).toEqual([['x'.repeat(101), 'streaming']]);
  expect(frames.size).toBe(0);
  // Typing ends with each delta; the text itself came once.
  expect(draws - before).toBe(1);
});

test('what waits for a frame is not lost when the stream is given up, nor drawn over the whole message', () => {
  delta(0, 'one ');
  delta(1, 'two');
  hear('message_stream_abort', { streamId: 's', conversationId: 'c' });
  expect(shown()).toEqual([['one two', 'aborted']]);
  nextFrame();
  expect(shown()).toEqual([['one two', 'aborted']]);
});

test('a late delta changes nothing of a finished message', () => {
  delta(0, 'one ');
  hear('message_stream_complete', { streamId: 's', message: message('m', { streamId: 's' }) });
  hear('message_created', { ...message('m', { streamId: 's' }), isBot: true });
  delta(1, 'late');
  nextFrame();
  expect(shown()).toEqual([['whole', 'sent']]);
});

test('the typing of others counts, the own does not', () => {
  hear('typing_started', { conversationId: 'c', userId: 'me' });
  expect(store.state.isTyping).toBe(false);
  hear('typing_started', { conversationId: 'c', userId: 'bot' });
  expect(store.state.isTyping).toBe(true);
  hear('typing_stopped', { conversationId: 'c', userId: 'me' });
  expect(store.state.isTyping).toBe(true);
  hear('typing_stopped', { conversationId: 'c', userId: 'bot' });
  expect(store.state.isTyping).toBe(false);
});

test('an opinion changes its row and is no new message', () => {
  news.accept([message('m')], true);
  const { heard } = store.state;
  hear('message_updated', { ...message('m'), isBot: true, feedback: { value: 'positive' } });
  expect(store.state.rows.map(({ feedback }) => feedback)).toEqual([{ value: 'positive' }]);
  expect(store.state.heard).toBe(heard);
});

test('the bot moves the window and changes the looks through the shell alone', () => {
  hear('webchat_visibility', { conversationId: 'c', visibility: 'hide' });
  hear('webchat_config', { conversationId: 'c', config: { color: '#123456' } });
  expect(calls).toEqual([
    ['visibility', 'hide'],
    ['configure', { color: '#123456' }],
  ]);
});
