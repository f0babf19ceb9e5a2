// Tests agents that give blocks, over HTTP: only those are stored whose names the page has sent with the message.
import { describe, expect, test } from 'vitest';
import type { ProtocolName } from '../../../protocol/admin.ts';
import type { Message } from '../../../protocol/message.ts';
import type { PartOf } from '../../../protocol/parts.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { startChat, useAgent } from './chat.testing.ts';
import { agentAt, begin, done, frames } from './testing.ts';

const agent = useAgent();
const data = { id: 'A-1', title: 'Order A-1' };

/** A response with a block of each name, and a text if one is given. */
type Script = (names: string[], text?: string) => string;
const scripts: Partial<Record<ProtocolName, Script>> = {
  'ag-ui': (names, text) =>
    frames([
      { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
      ...names.map((activityType, n) => ({
        type: 'ACTIVITY_SNAPSHOT',
        messageId: `a${n}`,
        activityType,
        content: data,
      })),
      ...(text === undefined ? [] : [{ type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', delta: text }]),
      { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
    ]),
  'ai-sdk': (names, text) =>
    frames([
      { type: 'start' },
      ...names.map((name) => ({ type: `data-${name}`, id: name, data })),
      ...(text === undefined
        ? []
        : [
            { type: 'text-start', id: 'a' },
            { type: 'text-delta', id: 'a', delta: text },
          ]),
      { type: 'finish' },
    ]) + done,
};

/** Returns a function that sends a message with data of the page, which is answered with the response of the agent. */
async function start(protocol: ProtocolName, response: string, sandboxOrigin?: string) {
  agent.answer((to) => begin(to).end(response));
  const server = await startServer({
    agent: agentAt(agent.url, { protocol }),
    SANDBOX_ORIGIN: sandboxOrigin,
  });
  const { conversationId, post, until } = await startChat(() => server);
  const send = (client?: object) =>
    post('/messages', { conversationId, payload: { type: 'text', text: 'Where is it?' }, client });
  const ask = async (client?: object): Promise<Message | undefined> => {
    expect((await send(client)).status).toBe(201);
    return (await until(2))[1];
  };
  return { ask, send };
}
const blocksOf = (message: Message | undefined) =>
  (message?.parts ?? []).filter((part): part is PartOf<'block'> => part.type === 'block');

describe.each(Object.entries(scripts) as [ProtocolName, Script][])('%s', (protocol, script) => {
  test('a block of a name that the page draws is stored before the text, others are not', async () => {
    const { ask } = await start(protocol, script(['order', 'other'], 'It is on its way.'));
    const message = await ask({ blocks: ['order', 'chart'] });
    expect(message?.payload).toEqual({ type: 'markdown', markdown: 'It is on its way.' });
    expect(blocksOf(message)).toEqual([
      { id: 'p1', type: 'block', at: 0, name: 'order', data, fallback: 'Order A-1' },
    ]);
  });

  test('a block alone is an answer: its payload is the text that stands for the block', async () => {
    const { ask } = await start(protocol, script(['order']));
    const message = await ask({ blocks: ['order'] });
    expect(message?.payload).toEqual({ type: 'text', text: 'Order A-1' });
    expect(message?.metadata?.error).toBeUndefined();
    expect(blocksOf(message)).toMatchObject([{ name: 'order', data }]);
  });

  test('a block alone that the page does not draw is not an answer', async () => {
    const { ask } = await start(protocol, script(['order']));
    const message = await ask({ blocks: ['chart'] });
    expect(message?.payload).toMatchObject({ text: 'Sorry, no answer came. Please try again.' });
    expect(message?.metadata?.error).toBe('bot_failed');
  });
});

test.each([
  ['a name with other characters', ['a b']],
  ['the same name twice', ['a', 'a']],
  ['too many names', Array.from({ length: 33 }, (_, n) => `n${n}`)],
  ['no list', 'order'],
])('names of blocks are refused: %s', async (_, blocks) => {
  const { send } = await start('ag-ui', '');
  const { status, body } = await send({ blocks });
  expect([status, body.type]).toEqual([400, 'InvalidPayload']);
});

const result = {
  content: [{ type: 'text', text: '21 degrees' }, { type: 'image' }],
  structuredContent: { degrees: 21 },
};
const csp = { connectDomains: ['https://api.example'] };
const appActivity = (content: object, more: object[] = []) =>
  frames([
    { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
    { type: 'ACTIVITY_SNAPSHOT', messageId: 'a', activityType: 'mcp-apps', content },
    ...more,
    { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
  ]);

test.each<[string, object, object]>([
  ['as text', { text: '<p>App</p>' }, { html: '<p>App</p>' }],
  [
    'as base64, with a policy and a name',
    { blob: Buffer.from('<p>Ä</p>').toString('base64'), name: 'Forecast', _meta: { ui: { csp } } },
    { html: '<p>Ä</p>', csp, title: 'Forecast' },
  ],
])('an app of AG-UI is a block with its document, input and result: %s', async (_, resource, expected) => {
  const toolInput = { city: 'Bern' };
  const content = { resource, toolInput, result, serverHash: 'canary', resourceUri: 'ui://a' };
  const { ask } = await start('ag-ui', appActivity(content), 'https://apps.example');
  const message = await ask();
  expect(blocksOf(message)).toMatchObject([{ name: 'mcp-apps', fallback: '21 degrees' }]);
  expect(blocksOf(message)[0]?.data).toEqual({ ...expected, toolInput, result });
  expect(message?.payload).toEqual({ type: 'text', text: '21 degrees' });
});

const text = { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm', role: 'assistant', delta: 'Hello' };
test.each<[string, object, string | undefined]>([
  ['without a sandbox origin', { resource: { text: '<p>App</p>' } }, undefined],
  ['without a document', { resourceUri: 'ui://a', result }, 'https://apps.example'],
  ['with a document of another type', { resource: { text: 7, blob: {} } }, 'https://apps.example'],
  ['with an empty document', { html: '  ' }, 'https://apps.example'],
  ['with a document that is too long', { html: 'x'.repeat(20_000) }, 'https://apps.example'],
])('an app of AG-UI is not stored %s', async (_, content, sandboxOrigin) => {
  const { ask } = await start('ag-ui', appActivity(content, [text]), sandboxOrigin);
  const message = await ask();
  expect(blocksOf(message)).toEqual([]);
  expect(message?.payload).toEqual({ type: 'markdown', markdown: 'Hello' });
});
