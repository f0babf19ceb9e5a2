// Tests what an agent is told of a conversation.
import { expect, test } from 'vitest';
import type { Message } from '../../../protocol/message.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { startChat } from './chat.testing.ts';
import { readHistory } from './history.ts';

/** A conversation with a silent bot, and the history before its last message. */
async function start(answer?: (text: string) => { payload: Message['payload']; metadata?: object }) {
  const server = await startServer({
    async handler(event, bot) {
      const reply = event.type === 'text' && answer?.(event.preview);
      if (reply) await bot.reply(reply.payload, { metadata: { ...reply.metadata } });
    },
  });
  const { conversationId, until, post } = await startChat(() => server);
  const send = async (payload: object) =>
    (await post('/messages', { conversationId, payload })).body.message as Message;
  return {
    ...{ server, until, send },
    say: (text: string) => send({ type: 'text', text }),
    /** `seq`: of the message that is answered; by default all others come before it. */
    read: (message: Message, seq = Number.MAX_SAFE_INTEGER) =>
      server.db.read((tx) => readHistory(tx, { conversationId, message, seq })),
  };
}

test('the newest 40 messages, oldest first, with the answered one at the end', async () => {
  const { say, read } = await start();
  for (let n = 1; n <= 45; n += 1) await say(`Message ${n}`);
  const history = await read(await say('Message 46'));
  expect(history.map(({ text }) => text)).toEqual(Array.from({ length: 40 }, (_, n) => `Message ${n + 7}`));
  expect(history.at(-1)).toEqual({
    id: expect.any(String),
    role: 'user',
    text: 'Message 46',
    createdAt: expect.any(String),
  });
});

test('at most 100,000 characters, 16,000 of one message, and the answered one in any case', async () => {
  const { say, read } = await start();
  for (let n = 0; n < 8; n += 1) await say(String(n).repeat(20_000));
  const history = await read(await say(`${'😀'.repeat(10_000)}`));
  expect(history.map(({ text }) => text.length)).toEqual(Array(6).fill(16_000));
  expect(history[0]?.text[0]).toBe('3');
  expect(history.at(-1)?.text).toMatch(/^(?:😀)+$/u);
});

test('messages that visitors have sent since are left out, and answers that came since are not', async () => {
  const { say, read, until, server } = await start((text) => ({
    payload: { type: 'markdown', markdown: `To ${text}` },
  }));
  await say('One');
  const second = await say('Two');
  await say('Three');
  await until(6);
  const [row] = await server.db.read((tx) =>
    tx.all<{ seq: number }>('SELECT seq FROM messages WHERE id = ?', second.id),
  );
  const history = await read(second, row?.seq);
  expect(history.map(({ role, text }) => `${role}: ${text}`).sort()).toEqual(
    ['assistant: To One', 'assistant: To Three', 'assistant: To Two', 'user: One', 'user: Two'].sort(),
  );
  expect(history.at(-1)?.text).toBe('Two');
});

test('other payloads are described, and messages of failures are left out', async () => {
  const notices: Record<string, { payload: Message['payload']; metadata?: object }> = {
    card: { payload: { type: 'card', title: 'A bike', subtitle: 'Red', actions: [] } },
    failed: { payload: { type: 'text', text: 'Sorry' }, metadata: { error: 'bot_failed' } },
    limit: { payload: { type: 'text', text: 'Too many' }, metadata: { error: 'agent_limit' } },
    half: { payload: { type: 'markdown', markdown: 'Half' }, metadata: { error: 'agent_failed' } },
  };
  const { say, send, read, until } = await start(
    (text) => notices[text] ?? { payload: { type: 'text', text: '?' } },
  );
  for (const name of Object.keys(notices)) await say(name);
  await until(8);
  const last = await send({ type: 'location', latitude: 1, longitude: 2, title: 'Here' });
  const texts = (await read(last)).map(({ text }) => text);
  expect(texts).toContain('A bike\nRed');
  expect(texts).toContain('Half');
  expect(texts).not.toContain('Sorry');
  expect(texts).not.toContain('Too many');
  expect(texts.at(-1)).toBe('Here\n1, 2');
});
