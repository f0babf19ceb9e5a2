// Tests blocks of agents with the peers of their protocols: the same stream, read by the client of the protocol and by ours, shows
// the same blocks.
import { createUIMessageStream, createUIMessageStreamResponse, type UIMessageChunk } from 'ai';
import { expect, test } from 'vitest';
import type { AgentEvent } from '../protocol.ts';
import { agUi } from './ag-ui/ag-ui.ts';
import { aiSdk } from './ai-sdk.ts';
import { messagesOfAgUi, partsOfAiSdk } from './peers.testing.ts';
import { readAll, readStream, runOf } from './testing.ts';
import * as told from './told.testing.ts';

const blocks = ['order', 'seat-plan'];

/** The last data of each block, in the order of the blocks. */
function blocksOf(events: readonly AgentEvent[]): [name: string, data: unknown][] {
  const found = new Map<string, [string, unknown]>();
  for (const event of events) if (event.type === 'block') found.set(event.id, [event.name, event.data]);
  return [...found.values()];
}

const started = { type: 'RUN_STARTED', threadId: 'conversation_1', runId: 'run_1' };
const finished = { type: 'RUN_FINISHED', threadId: 'conversation_1', runId: 'run_1' };
const snapshot = (messageId: string, activityType: string, content: object, more: object = {}) => {
  return { type: 'ACTIVITY_SNAPSHOT', messageId, activityType, content, ...more };
};
const delta = (messageId: string, activityType: string, ...patch: object[]) => {
  return { type: 'ACTIVITY_DELTA', messageId, activityType, patch };
};
const data = (name: string, value: unknown, id?: string) => ({ type: `data-${name}`, id, data: value });

test.each<[string, object[]]>([
  ['a snapshot', [snapshot('a', 'order', { id: 'A-1', items: [1, { deep: null }] })]],
  [
    'changes of a snapshot',
    [
      snapshot('a', 'order', { id: 'A-1', items: ['x'] }),
      delta('a', 'order', { op: 'add', path: '/items/-', value: 'y' }),
      delta('a', 'order', { op: 'replace', path: '/id', value: 'A-2' }, { op: 'remove', path: '/items/0' }),
    ],
  ],
  [
    'a snapshot that replaces another',
    [snapshot('a', 'order', { id: 1 }), snapshot('a', 'order', { id: 2 })],
  ],
  [
    'a snapshot that does not replace another',
    [snapshot('a', 'order', { id: 1 }), snapshot('a', 'order', { id: 2 }, { replace: false })],
  ],
  [
    'two blocks that change by turns',
    [
      snapshot('a', 'order', { n: 1 }),
      snapshot('b', 'seat-plan', { n: 1 }),
      delta('a', 'order', { op: 'replace', path: '/n', value: 2 }),
      delta('b', 'seat-plan', { op: 'replace', path: '/n', value: 3 }),
    ],
  ],
])('the client of AG-UI shows the same blocks: %s', async (_, events) => {
  const stream = [started, ...events, finished];
  const ours = blocksOf(readAll(agUi, stream, runOf({ blocks })));
  const theirs = (await messagesOfAgUi(stream)).flatMap((message) =>
    message.role === 'activity' ? [[message.activityType, message.content]] : [],
  );
  expect(ours).toEqual(theirs);
  expect(ours).not.toEqual([]);
});

test('a block of AG-UI has a text, also after a change; other activities are a status if they have a text, or nothing', () => {
  const order = { id: 'A-1', title: 'Order A-1' };
  const events = [
    started,
    snapshot('a', 'order', order),
    snapshot('a', 'order', { id: 'other' }, { replace: false }),
    delta('a', 'order', { op: 'add', path: '/status', value: 'sent' }),
    snapshot('b', 'order', { text: 'x'.repeat(20_000) }),
    snapshot('c', 'route', { text: 'Looking at the route' }),
    snapshot('d', 'forecast', { days: [1, 2] }),
    finished,
  ];
  const block = { type: 'block', id: 'a', name: 'order', fallback: 'Order A-1' };
  expect(readAll(agUi, events, runOf({ blocks }))).toEqual([
    { ...block, data: order },
    { ...block, data: { ...order, status: 'sent' } },
    told.status('Looking at the route'),
    told.finished,
  ]);
});

/** The body of a route of the AI SDK that writes these chunks. */
const bodyOf = (chunks: readonly object[]): Promise<string> =>
  createUIMessageStreamResponse({
    stream: createUIMessageStream({
      execute({ writer }) {
        for (const chunk of chunks) writer.write(chunk as UIMessageChunk);
      },
    }),
  }).text();

test.each<[string, object[]]>([
  ['one', [data('order', { id: 'A-1', list: [1, null] }, 'o1')]],
  [
    'one whose data changes',
    [data('order', { state: 'loading' }, 'o1'), data('order', { state: 'sent' }, 'o1')],
  ],
  ['two without an id', [data('order', 1), data('order', 2)]],
  ['two names with the same id', [data('order', 1, 'x'), data('seat-plan', 2, 'x'), data('order', 3, 'x')]],
  ['one beside another that is transient', [{ ...data('order', 1), transient: true }, data('order', 2, 'o')]],
])('the AI SDK shows the same blocks: %s', async (_, chunks) => {
  const body = await bodyOf(chunks);
  const ours = blocksOf(readStream(aiSdk, body, runOf({ blocks })));
  const theirs = (await partsOfAiSdk(body)).flatMap((part) =>
    part.type.startsWith('data-') ? [[part.type.slice(5), (part as { data: unknown }).data]] : [],
  );
  expect(ours).toEqual(theirs);
  expect(ours).not.toEqual([]);
});

test('a block of the AI SDK has a text or stands by its name, and data that the page does not draw are dropped', async () => {
  const order = { id: 'A-1', title: 'Order A-1' };
  const body = await bodyOf([data('route', { text: 'North' }), data('order', order, 'o'), data('order', 7)]);
  expect(readStream(aiSdk, body, runOf({ blocks }))).toEqual([
    { type: 'block', id: 'order:o', name: 'order', data: order, fallback: 'Order A-1' },
    { type: 'block', id: 'order 1', name: 'order', data: 7, fallback: 'order' },
    told.finished,
  ]);
});
