// An agent of Mastra with its AG-UI bridge, on the loopback address. Argument: the port. The model is scripted.
import { createServer } from 'node:http';
import { MastraAgent } from '@ag-ui/mastra';
import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const refund = createTool({
  id: 'refund',
  description: 'Gives money back.',
  inputSchema: z.object({ order: z.string(), amount: z.number() }),
  suspendSchema: z.object({ message: z.string() }),
  resumeSchema: z.object({ approved: z.boolean() }),
  async execute(_, { agent }) {
    if (agent?.resumeData === undefined) return agent?.suspend({ message: 'Refund 20 euros?' });
    return { refunded: agent.resumeData.approved };
  },
});
const getOrder = createTool({
  id: 'get_order',
  description: 'Finds an order.',
  inputSchema: z.object({ id: z.string() }),
  execute: async ({ id }) => ({ id, status: 'sent' }),
});

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const wait = (time) => new Promise((resolve) => setTimeout(resolve, time));

/** The next step of the model after the messages so far: calls a tool for some words, and speaks of its result. */
async function* answer(prompt) {
  const last = prompt.at(-1);
  yield { type: 'stream-start', warnings: [] };
  const say = (text) => [
    { type: 'text-start', id: 't' },
    ...text.split(/(?<= )/).map((delta) => ({ type: 'text-delta', id: 't', delta })),
    { type: 'text-end', id: 't' },
    { type: 'finish', finishReason: 'stop', usage },
  ];
  const call = (toolName, input) => [
    {
      type: 'tool-call',
      toolCallId: `call_${prompt.length}_${Date.now()}`,
      toolName,
      input: JSON.stringify(input),
    },
    { type: 'finish', finishReason: 'tool-calls', usage },
  ];
  if (last.role === 'tool') {
    yield* say(`The tool says: ${JSON.stringify(last.content[0].output)}`);
    return;
  }
  const words = last.content.map(({ text = '' }) => text).join('');
  if (/refund/i.test(words)) yield* call('refund', { order: 'A-1', amount: 20 });
  else if (/order/i.test(words)) yield* call('get_order', { id: 'A-1' });
  else {
    if (/slow/i.test(words)) {
      yield { type: 'text-start', id: 's' };
      yield { type: 'text-delta', id: 's', delta: 'Once' };
      yield { type: 'text-end', id: 's' };
      await wait(3_000);
    }
    yield* say(`You said: ${words}`);
  }
}

const model = {
  specificationVersion: 'v2',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  async doGenerate() {
    throw new Error('The model only streams.');
  },
  async doStream({ prompt }) {
    return { stream: ReadableStream.from(answer(prompt)) };
  },
};
const agent = new Agent({
  id: 'shop',
  name: 'shop',
  instructions: 'Help.',
  model,
  tools: { refund, get_order: getOrder },
});
const mastra = new Mastra({ agents: { shop: agent }, storage: new InMemoryStore(), logger: false });

createServer(async (request, response) => {
  let body = '';
  for await (const piece of request) body += piece;
  const emitInterruptOutcome = request.url !== '/events';
  const bridge = new MastraAgent({
    agent: mastra.getAgent('shop'),
    resourceId: 'visitor',
    emitInterruptOutcome,
  });
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (event) => response.write(`data: ${JSON.stringify(event)}\n\n`);
  bridge.run(JSON.parse(body)).subscribe({
    next: send,
    error(error) {
      send({ type: 'RUN_ERROR', message: String(error?.message ?? error) });
      response.end();
    },
    complete: () => response.end(),
  });
}).listen(Number(process.argv[2]), '127.0.0.1', () => console.log('listening'));
