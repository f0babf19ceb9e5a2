// Kills the server after each step of a call of a tool of the page, and starts it again: the page that has claimed the call keeps it, no
// other page gets it, and the bot receives one result.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Message } from '../../../protocol/message.ts';
import { useServerProcess } from '../../testing/process.testing.ts';
import { pollOptions } from '../../testing.ts';
import type { InterruptPart } from './testing.ts';

const server = useServerProcess();

const code = `
import { appendFile } from 'node:fs/promises';
export default async (event, bot) => {
  if (event.type === 'resume') {
    const { by, payload } = event.payload.interrupts[0];
    await appendFile(process.env.STEPS, JSON.stringify({ event: event.id, by, payload }) + '\\n');
    await bot.reply({ type: 'text', text: 'Done.' });
  } else if (event.preview === 'ask') {
    await bot.stream().interrupt({ reason: 'client_tool', message: 'Add', toolName: 'add_item', input: { id: 'A-1' } });
  }
};`;

test.each(['asked', 'claimed', 'answered'])(
  'the server is killed after the call was %s',
  async (killedAfter) => {
    const stepsFile = join(server.folder(), 'steps');
    const env = { STEPS: stepsFile, BOT: await server.bot(code) };
    let current = await server.run(env);
    const call = async (path: string, key?: string, body?: unknown) => {
      const response = await fetch(`${current.url}/chat/demo${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
      return { status: response.status, body: (await response.json()) as any };
    };
    const kill = async (step: string) => {
      if (step !== killedAfter) return;
      current.child.kill('SIGKILL');
      await current.exit;
      current = await server.run(env);
    };
    const { key } = (await call('/users', undefined, {})).body;
    const { id: conversationId } = (await call('/conversations', key, {})).body.conversation;
    const client = { id: 'tab-1', tools: [{ name: 'add_item', description: 'Adds an item.' }] };
    await call('/messages', key, { conversationId, payload: { type: 'text', text: 'ask' }, client });
    const messages = async () =>
      ((await call(`/conversations/${conversationId}/messages`, key)).body.messages as Message[]).reverse();
    const calls = async () =>
      (await messages()).flatMap(({ parts = [] }) =>
        parts.filter((part): part is InterruptPart => part.type === 'interrupt'),
      );
    await expect.poll(async () => (await calls()).length, pollOptions).toBe(1);
    const [{ id = '' } = {}] = await calls();
    const claim = async (name: string) =>
      (await call(`/interrupts/${id}/claim`, key, { claim: name })).status;
    const respond = async (name: string, result: unknown) =>
      (
        await call(`/interrupts/${id}/response`, key, {
          status: 'resolved',
          payload: { result },
          claim: name,
        })
      ).status;

    await kill('asked');
    expect(await claim('page-1')).toBe(200);
    await kill('claimed');
    // The response of the claim may be lost with the server: the page asks again, another page cannot.
    expect([await claim('page-1'), await claim('page-2')]).toEqual([200, 409]);
    expect(await respond('page-2', 'forged')).toBe(409);
    expect(await respond('page-1', 1)).toBe(200);
    await kill('answered');
    expect([await respond('page-1', 1), await respond('page-1', 2)]).toEqual([200, 409]);
    const said = async () =>
      (await messages()).filter(({ payload }) => 'text' in payload && payload.text === 'Done.').length;
    await expect.poll(said, pollOptions).toBe(1);
    const heard = (await readFile(stepsFile, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(heard.map(({ event }) => event)).size).toBe(1);
    for (const one of heard) expect(one).toMatchObject({ by: 'page', payload: { result: 1 } });
    expect(await calls()).toMatchObject([
      { id, state: 'resolved', by: 'page', response: { outcome: 'done' } },
    ]);
  },
);
