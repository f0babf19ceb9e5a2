// Runs the unchanged example of each page about a protocol, and asks it as the server does: a question, then an approval.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createCacheFolder } from '../../../../../scripts/cache-folder.mjs';
import { freePort } from '../../../../../scripts/services/service.mjs';
import type { ProtocolName } from '../../../../protocol/admin.ts';
import type { Message } from '../../../../protocol/message.ts';
import { pollOptions, startTestServer } from '../../../testing.ts';
import { agentAt } from '../testing.ts';

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

test.each<[page: string, protocol: ProtocolName, said: string, source: string | undefined]>([
  ['agents-ag-ui.md', 'ag-ui', 'You asked: Where is A-1?', undefined],
  ['agents-openai-responses.md', 'openai-responses', '', 'https://example.com/refunds'],
  ['agents-ai-sdk.md', 'ai-sdk', 'You asked: Where is A-1?', 'https://example.com/refunds'],
])('the example of %s answers, asks, and goes on with both answers', async (page, protocol, said, source) => {
  const url = await startExample(page);
  const server = await startTestServer({ agent: agentAt(url, { protocol }) });
  const shown: Message[] = [];
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
    await expect
      .poll(question, pollOptions)
      .toMatchObject({ reason: 'tool_call', toolName: 'refund', input: { order: 'A-1' }, state: 'open' });
    shown.push((await newest()) as Message);
    const body = { status: 'resolved', payload: { approved } };
    const path = `/interrupts/${(await question())?.id}/response`;
    expect((await server.call('POST', path, { key, body })).status).toBe(200);
    // One of the examples cites its source.
    const text = async () => JSON.stringify((await newest())?.payload).replace('[1]', '');
    await expect.poll(text, pollOptions).toBe(JSON.stringify({ type: 'markdown', markdown: answer }));
    shown.push((await newest()) as Message);
  }
  expect(JSON.stringify(shown[0]?.payload)).toContain(said);
  const sources = shown.flatMap(({ parts = [] }) =>
    parts.flatMap((part) => (part.type === 'source' ? [part.url] : [])),
  );
  expect(sources[0]).toBe(source);
  await server.close();
});
