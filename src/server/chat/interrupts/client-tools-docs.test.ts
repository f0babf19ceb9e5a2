// Runs the sample of docs/guides/page-tools.md unchanged: a bot that calls a tool of the page.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { BotHandler } from '../../../protocol/bot.ts';
import type { Message } from '../../../protocol/message.ts';
import { pollOptions, startTestServer } from '../../testing.ts';

test('the sample of docs/guides/page-tools.md calls a tool of the page, and answers with its result', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/guides/page-tools.md'), 'utf8');
  const folder = await mkdtemp(join(tmpdir(), 'webchat-docs-'));
  const path = join(folder, 'bot.ts');
  await writeFile(path, /```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
  const { default: handler } = (await import(pathToFileURL(path).href)) as { default: BotHandler };
  const server = await startTestServer({ handler });
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
  await server.close();
  await rm(folder, { recursive: true });
});
