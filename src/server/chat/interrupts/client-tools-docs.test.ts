// Runs samples of the guides unchanged: a bot that asks for approval, and one that calls a tool of the page.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { BotHandler } from '../../../protocol/bot.ts';
import type { Message } from '../../../protocol/message.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { pollOptions } from '../../testing.ts';
import { approve, askedVisitor, idle, refuse } from './testing.ts';

/** Starts a server with the bot in the first TypeScript of a guide that `sample` finds. */
async function startSample(guide: string, sample: RegExp) {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/guides', guide), 'utf8');
  const [, code = ''] = sample.exec(page) ?? [];
  expect(code).not.toBe('');
  const folder = await mkdtemp(join(tmpdir(), 'webchat-docs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'bot.ts');
  await writeFile(path, code);
  const { default: handler } = (await import(pathToFileURL(path).href)) as { default: BotHandler };
  return startServer({ handler });
}

test.each([
  [approve, 'You get 20 EUR back.', 'output-available'],
  [refuse, 'I have not sent anything.', 'output-denied'],
])('the sample of docs/guides/bots.md: after the answer %j, the bot says %s', async (answer, text, state) => {
  const server = await startSample('bots.md', /### Asking for approval[\s\S]*?```ts\n([\s\S]*?)```/);
  const { respond, messages } = await askedVisitor(server);
  const asked = { type: 'markdown', markdown: 'I can send the money back.' };
  expect((await messages()).at(-1)?.payload).toEqual(asked);
  expect((await respond(answer)).status).toBe(200);
  await idle(server);
  expect((await messages()).at(-1)?.payload).toEqual({ type: 'text', text });
  expect((await messages())[1]?.parts?.[0]).toMatchObject({ state });
});

test('the sample of docs/guides/page-tools.md calls a tool of the page, and answers with its result', async () => {
  const server = await startSample('page-tools.md', /```ts\n([\s\S]*?)```/);
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  const messages = async () => {
    const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
    return (body.messages as Message[]).reverse();
  };
  const client = { tools: [{ name: 'add_item', description: 'Adds an item.' }] };
  const body = { conversationId, payload: { type: 'text', text: 'Buy it' }, client };
  await server.call('POST', '/messages', { key, body });
  await expect.poll(async () => (await messages()).length, pollOptions).toBe(2);
  const id = (await messages())[1]?.parts?.find(({ type }) => type === 'interrupt')?.id;
  const post = (to: string, answer: object) =>
    server.call('POST', `/interrupts/${id}/${to}`, { key, body: { claim: 'page-1', ...answer } });
  await post('claim', {});
  await post('response', { status: 'resolved', payload: { result: { items: 2 } } });
  await expect.poll(async () => (await messages()).length, pollOptions).toBe(3);
  expect((await messages())[2]?.payload).toEqual({ type: 'text', text: 'There are 2 items in your cart.' });
});
