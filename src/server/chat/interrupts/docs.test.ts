// Runs the sample of docs/guides/bots.md unchanged: a bot that asks for approval.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import type { BotHandler } from '../../../protocol/bot.ts';
import { startTestServer } from '../../testing.ts';
import { approve, askedVisitor, idle, refuse } from './testing.ts';

test.each([
  [approve, 'You get 20 EUR back.', 'output-available'],
  [refuse, 'I have not sent anything.', 'output-denied'],
])('the sample of docs/guides/bots.md: after the answer %j, the bot says %s', async (answer, text, state) => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/guides/bots.md'), 'utf8');
  const sample = /### Asking for approval[\s\S]*?```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  expect(sample).toContain('answer.interrupt');
  const folder = await mkdtemp(join(tmpdir(), 'webchat-docs-'));
  const path = join(folder, 'bot.ts');
  await writeFile(path, sample);
  const { default: handler } = (await import(pathToFileURL(path).href)) as { default: BotHandler };
  const server = await startTestServer({ handler });
  const { respond, messages } = await askedVisitor(server);
  expect((await messages()).at(-1)?.payload).toEqual({
    type: 'markdown',
    markdown: 'I can send the money back.',
  });
  expect((await respond(answer)).status).toBe(200);
  await idle(server);
  expect((await messages()).at(-1)?.payload).toEqual({ type: 'text', text });
  expect((await messages())[1]?.parts?.[0]).toMatchObject({ state });
  await server.close();
  await rm(folder, { recursive: true });
});
