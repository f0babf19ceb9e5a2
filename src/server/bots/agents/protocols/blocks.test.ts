// Tests blocks of agents with the peers of their protocols: the same stream, read by the client of the protocol and by ours, shows
// the same blocks.
import { HttpAgent } from '@ag-ui/client';
import {
  createUIMessageStream,
  createUIMessageStreamResponse,
  parseJsonEventStream,
  readUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  uiMessageChunkSchema,
} from 'ai';
import { expect, test, vi } from 'vitest';
import type { AgentEvent } from '../protocol.ts';
import { agUi } from './ag-ui/ag-ui.ts';
import { aiSdk } from './ai-sdk/ai-sdk.ts';
import { readAll, readStream, runOf, streamOf } from './testing.ts';

const blocks = ['order', 'seat-plan'];

/** The last data of each block, in the order of the blocks. */
function blocksOf(events: readonly AgentEvent[]): [name: string, data: unknown][] {
  const found = new Map<string, [string, unknown]>();
  for (const event of events) if (event.type === 'block') found.set(event.id, [event.name, event.data]);
  return [...found.values()];
}

const started = { type: 'RUN_STARTED', threadId: 'conversation_1', runId: 'run_1' };
const finished = { type: 'RUN_FINISHED', threadId: 'conversation_1', runId: 'run_1' };
const snapshot = (messageId: string, activityType: string, content: object, more: object = {}) => ({
  type: 'ACTIVITY_SNAPSHOT',
  messageId,
  activityType,
  content,
  ...more,
});
const delta = (messageId: string, activityType: string, ...patch: object[]) => ({
  type: 'ACTIVITY_DELTA',
  messageId,
  activityType,
  patch,
});

/** The activities that the client of AG-UI has after a stream. */
async function activitiesOfClient(events: readonly object[]): Promise<[string, unknown][]> {
  const fetch = async () =>
    new Response(streamOf(events), { headers: { 'content-type': 'text/event-stream' } });
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const agent = new HttpAgent({ url: 'http://agent.test/', threadId: 'conversation_1', fetch });
  const { newMessages } = await agent.runAgent({ runId: 'run_1' });
  vi.restoreAllMocks();
  return newMessages.flatMap((message): [string, unknown][] =>
    message.role === 'activity' ? [[message.activityType, message.content]] : [],
  );
}

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
  expect(ours).toEqual(await activitiesOfClient(stream));
  expect(ours).not.toEqual([]);
});

test('an activity that the page does not draw is a status if it has a text, otherwise nothing', () => {
  const events = [
    started,
    snapshot('a', 'route', { text: 'Looking at the route' }),
    snapshot('b', 'forecast', { days: [1, 2] }),
    finished,
  ];
  expect(readAll(agUi, events, runOf({ blocks }))).toEqual([
    { type: 'status', text: 'Looking at the route' },
    { type: 'end', reason: 'finished' },
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

/** The data of the message that the AI SDK makes of a body. */
async function dataOfPeer(body: string): Promise<[string, unknown][]> {
  const bytes = new Blob([body]).stream() as ReadableStream<Uint8Array<ArrayBuffer>>;
  const parsed = parseJsonEventStream({ stream: bytes, schema: uiMessageChunkSchema });
  const chunks = parsed.pipeThrough(
    new TransformStream({
      transform(part, controller) {
        if (part.success) controller.enqueue(part.value as UIMessageChunk);
      },
    }),
  );
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream: chunks })) last = message;
  return (last?.parts ?? []).flatMap((part): [string, unknown][] =>
    part.type.startsWith('data-') ? [[part.type.slice(5), (part as { data: unknown }).data]] : [],
  );
}

test.each<[string, object[]]>([
  ['one', [{ type: 'data-order', id: 'o1', data: { id: 'A-1', list: [1, null] } }]],
  [
    'one whose data changes',
    [
      { type: 'data-order', id: 'o1', data: { state: 'loading' } },
      { type: 'data-order', id: 'o1', data: { state: 'sent' } },
    ],
  ],
  [
    'two without an id',
    [
      { type: 'data-order', data: 1 },
      { type: 'data-order', data: 2 },
    ],
  ],
  [
    'two names with the same id',
    [
      { type: 'data-order', id: 'x', data: 1 },
      { type: 'data-seat-plan', id: 'x', data: 2 },
      { type: 'data-order', id: 'x', data: 3 },
    ],
  ],
  [
    'one beside another that is transient',
    [
      { type: 'data-order', data: 1, transient: true },
      { type: 'data-order', id: 'o', data: 2 },
    ],
  ],
])('the AI SDK shows the same blocks: %s', async (_, chunks) => {
  const body = await bodyOf(chunks);
  const ours = blocksOf(readStream(aiSdk, body, runOf({ blocks })));
  expect(ours).toEqual(await dataOfPeer(body));
  expect(ours).not.toEqual([]);
});

test('data that the page does not draw is dropped, and a block without any text stands by its name', async () => {
  const body = await bodyOf([
    { type: 'data-route', data: { text: 'North' } },
    { type: 'data-order', id: 'o', data: { n: 1 } },
  ]);
  expect(readStream(aiSdk, body, runOf({ blocks }))).toEqual([
    { type: 'block', id: 'order:o', name: 'order', data: { n: 1 }, fallback: 'order' },
    { type: 'end', reason: 'finished' },
  ]);
});
