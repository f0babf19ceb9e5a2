// Runs the unchanged example of each page about a protocol, and asks it as the server does: a question, then an approval.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createCacheFolder } from '../../../../../scripts/cache-folder.mjs';
import { freePort } from '../../../../../scripts/services/service.mjs';
import type { Message } from '../../../../protocol/message.ts';
import { pollOptions, startTestServer } from '../../../testing.ts';
import type { AgentProtocol, AgentRun } from '../protocol.ts';
import { agentAt } from '../testing.ts';
import { agUi } from './ag-ui/ag-ui.ts';
import { aiSdk } from './ai-sdk/ai-sdk.ts';
import { openaiResponses } from './openai-responses/openai-responses.ts';
import { answerOf, keptOf, readStream, runOf } from './testing.ts';

const root = join(import.meta.dirname, '../../../../..');
const started: { process: ChildProcess; folder: string }[] = [];
afterEach(async () => {
  for (const { process, folder } of started.splice(0)) {
    const ended = new Promise((resolve) => process.once('exit', resolve));
    process.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
});

/** Starts the example of a page, and returns its address. */
async function startExample(page: string): Promise<string> {
  const text = await readFile(join(root, 'docs/guides', page), 'utf8');
  const example = /^```js\n([\s\S]*?)^```/m.exec(text)?.[1] ?? '';
  // Inside the repository, so that the library is found.
  const folder = await createCacheFolder('agent-docs-');
  await writeFile(join(folder, 'agent.mjs'), example);
  const port = await freePort();
  const process_ = spawn(process.execPath, [join(folder, 'agent.mjs')], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'inherit',
  });
  started.push({ process: process_, folder });
  await expect.poll(() => isOpen(port), pollOptions).toBe(true);
  return `http://127.0.0.1:${port}/`;
}

/** Whether something listens on a port. Examples read every request as a run, so they get no other. */
const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.once('error', () => resolve(false)).once('connect', () => socket.end());
  });

test.each<[page: string, protocol: AgentProtocol, question: string, source: string | undefined]>([
  ['agents-ag-ui.md', agUi, 'You asked: Where is A-1?', undefined],
  ['agents-openai-responses.md', openaiResponses, '', 'https://example.com/refunds'],
  ['agents-ai-sdk.md', aiSdk, 'You asked: Where is A-1?', 'https://example.com/refunds'],
])('the example of %s answers, asks, and goes on', async (page, protocol, question, source) => {
  const url = await startExample(page);
  const ask = async (run: AgentRun) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(protocol.request(run)),
    });
    return readStream(protocol, await response.text(), run);
  };
  const first = await ask(runOf({ model: 'm' }));
  expect(answerOf(first)).toBe(question);
  expect(first.at(-1)).toEqual({ type: 'end', reason: 'interrupted' });
  const interrupts = first.flatMap((event) => (event.type === 'interrupt' ? [event.interrupt] : []));
  expect(interrupts).toMatchObject([{ reason: 'tool_call', toolName: 'refund', input: { order: 'A-1' } }]);
  const state = keptOf(first);
  const all = [...first];
  const answers: string[] = [];
  for (const approved of [true, false]) {
    const resume = [
      { interruptId: interrupts[0]?.id ?? '', status: 'resolved' as const, payload: { approved } },
    ];
    const next = await ask(runOf({ model: 'm', state, resume }));
    expect(next.at(-1)).toEqual({ type: 'end', reason: 'finished' });
    answers.push(answerOf(next));
    all.push(...next);
  }
  expect(answers).toEqual(['The money is on its way.', 'As you like.']);
  const sources = all.flatMap((event) => (event.type === 'source' ? [event.url] : []));
  expect(sources[0]).toBe(source);
});

test.each([
  ['agents-ag-ui.md', 'ag-ui'],
  ['agents-openai-responses.md', 'openai-responses'],
  ['agents-ai-sdk.md', 'ai-sdk'],
] as const)(
  'the example of %s answers the visitors of a server, and receives both answers',
  async (page, protocol) => {
    const url = await startExample(page);
    const server = await startTestServer({ agents: { agent: agentAt(url, { protocol }) } });
    for (const [approved, answer] of [
      [true, 'The money is on its way.'],
      [false, 'As you like.'],
    ] as const) {
      const { key } = await server.user();
      const id = await server.conversation(key);
      const newest = async () =>
        ((await server.call('GET', `/conversations/${id}/messages`, { key })).body.messages as Message[])[0];
      await server.sendMessage(key, id, 'Where is A-1?');
      const question = async () => (await newest())?.parts?.find(({ type }) => type === 'interrupt');
      await expect.poll(question, pollOptions).toMatchObject({ toolName: 'refund', state: 'open' });
      const body = { status: 'resolved', payload: { approved } };
      const path = `/interrupts/${(await question())?.id}/response`;
      expect((await server.call('POST', path, { key, body })).status).toBe(200);
      // One of the examples cites its source.
      const text = async () => JSON.stringify((await newest())?.payload).replace('[1]', '');
      await expect.poll(text, pollOptions).toBe(JSON.stringify({ type: 'markdown', markdown: answer }));
    }
    await server.close();
  },
);
