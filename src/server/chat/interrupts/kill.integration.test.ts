// Kills the server at each step of an approval, and starts it again: the question is asked once, answered once, and the bot
// receives one event.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Message } from '../../../protocol/message.ts';
import { useServerProcess } from '../../testing/process.testing.ts';
import { pollOptions } from '../../testing.ts';
import { approve, type InterruptPart, refuse } from './testing.ts';

const server = useServerProcess();

/** Notes each step with the id of its event, and does not go on after the step HANG_AFTER. */
const code = `
import { appendFile } from 'node:fs/promises';
const step = async (name, event) => {
  await appendFile(process.env.STEPS, name + ' ' + event.id + '\\n');
  if (process.env.HANG_AFTER === name) await new Promise(() => {});
};
export default async (event, bot) => {
  if (event.type === 'resume') {
    await step('resumed', event);
    const { state, payload } = event.payload.interrupts[0];
    await bot.updatePart(event.messageId, state.tool, { state: 'output-available', output: payload });
    await step('updated', event);
    await bot.reply({ type: 'text', text: 'Done.' });
    await step('replied', event);
  } else if (event.preview === 'ask') {
    await step('began', event);
    const answer = bot.stream();
    answer.write('I can do that.');
    const tool = answer.tool({ name: 'refund', input: { amount: 20 } });
    await answer.interrupt({ reason: 'tool_call', message: 'Sure?', tool, state: { tool: tool.id } });
    await step('asked', event);
  }
};`;

test.each(['began', 'asked', 'resumed', 'updated', 'replied'])(
  'the server is killed after the bot has noted "%s"',
  async (killedAfter) => {
    const stepsFile = join(server.folder(), 'steps');
    const env = { STEPS: stepsFile, BOT: await server.bot(code) };
    let current = await server.run({ ...env, HANG_AFTER: killedAfter });
    const call = async (path: string, key?: string, body?: unknown) => {
      const response = await fetch(`${current.url}/chat/demo${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
      return { status: response.status, body: (await response.json()) as any };
    };
    const { key } = (await call('/users', undefined, {})).body;
    const { id: conversationId } = (await call('/conversations', key, {})).body.conversation;
    await call('/messages', key, { conversationId, payload: { type: 'text', text: 'ask' } });
    const messages = async () =>
      ((await call(`/conversations/${conversationId}/messages`, key)).body.messages as Message[]).reverse();
    const interrupts = async () =>
      (await messages()).flatMap(({ parts = [] }) =>
        parts.filter((part): part is InterruptPart => part.type === 'interrupt'),
      );
    const steps = async () =>
      (await readFile(stepsFile, 'utf8').catch(() => ''))
        .split('\n')
        .filter(Boolean)
        .map((line) => line.split(' ') as [name: string, eventId: string]);
    const kill = async () => {
      await expect
        .poll(async () => (await steps()).some(([name]) => name === killedAfter), pollOptions)
        .toBe(true);
      current.child.kill('SIGKILL');
      await current.exit;
      current = await server.run(env);
    };

    const isAsking = ['began', 'asked'].includes(killedAfter);
    if (isAsking) await kill();
    await expect.poll(async () => (await interrupts()).length, pollOptions).toBe(1);
    const [{ id = '' } = {}] = await interrupts();
    const respond = (body: object) => call(`/interrupts/${id}/response`, key, body);
    expect((await respond(approve)).status).toBe(200);
    if (!isAsking) await kill();
    const replies = async () => (await steps()).filter(([name]) => name === 'replied').length;
    await expect.poll(replies, pollOptions).toBe(killedAfter === 'replied' ? 2 : 1);
    const texts = async () => (await messages()).map(({ payload }) => 'text' in payload && payload.text);
    await expect
      .poll(async () => (await texts()).filter((text) => text === 'Done.').length, pollOptions)
      .toBe(1);
    expect((await respond(approve)).status).toBe(200);
    expect((await respond(refuse)).status).toBe(409);
    expect(await interrupts()).toMatchObject([{ id, state: 'resolved', response: { approved: true } }]);
    expect((await messages())[1]?.parts?.[0]).toMatchObject({
      state: 'output-available',
      output: { approved: true },
    });
    const resumed = (await steps()).filter(([name]) => name === 'resumed').map(([, eventId]) => eventId);
    expect(new Set(resumed).size).toBe(1);
    expect(resumed).toHaveLength(isAsking ? 1 : 2);
  },
);
