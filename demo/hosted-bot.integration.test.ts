// Tests that the demos of bots of the hosted product run unchanged: each program in its own process, a real server, and a
// visitor of the Chat API.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type HostedBot,
  type HostedServer,
  startHostedServer,
} from '../src/contract/hosted-client.testing.ts';
import { pollOptions, readStream, type TestStream } from '../src/server/testing.ts';

interface SeenMessage {
  userId: string;
  payload: { type: string; text?: string; fileUrl?: string; title?: string };
}

describe.each([
  ['hosted-bot.mjs', 'standard'],
  ['hosted-sdk-bot.mjs', 'hosted'],
])('%s', (file, format) => {
  let hosted: HostedServer;
  let bot: HostedBot;
  let program: ChildProcess;
  let visitor: Awaited<ReturnType<HostedBot['visitor']>>;
  let stream: TestStream;
  let output = '';
  beforeAll(async () => {
    hosted = await startHostedServer();
    bot = await hosted.addBot('away');
    program = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url))], {
      env: {
        ...process.env,
        API_URL: hosted.apiUrl,
        BP_API_URL: hosted.apiUrl,
        BP_TOKEN: bot.token,
        BOT_ID: bot.id,
        BOT_TOKEN: bot.token,
        SIGNING_SECRET: bot.secret,
        PORT: '0',
      },
    });
    const exited = once(program, 'exit').then(() => {
      throw new Error(`The bot has exited: ${output}`);
    });
    program.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    const address = new Promise<string>((resolve) => {
      program.stdout?.on('data', (chunk) => {
        output += chunk;
        const found = /http:\/\/127\.0\.0\.1:\d+\//.exec(output)?.[0];
        if (found) resolve(found);
      });
    });
    const webhookUrl = await Promise.race([address, exited]);
    exited.catch(() => {});
    await hosted.server.db.write((tx) =>
      tx.run('UPDATE bots SET webhook_url = ?, webhook_format = ? WHERE id = ?', webhookUrl, format, bot.id),
    );
    visitor = await bot.visitor();
    stream = readStream(await visitor.listen());
  }, 60_000);
  afterAll(async () => {
    await stream?.cancel();
    program?.kill();
    await hosted?.close();
  });

  async function send(payload: object): Promise<void> {
    const response = await hosted.server.fetch('/chat/away/messages', {
      method: 'POST',
      headers: { 'x-user-key': visitor.key, 'content-type': 'application/json' },
      body: JSON.stringify({ conversationId: visitor.conversationId, payload }),
    });
    expect(response.status).toBe(201);
  }

  /** The messages of the bot that the visitor reads, oldest first. */
  async function answers(): Promise<SeenMessage[]> {
    const { conversationId, key } = visitor;
    const response = await hosted.server.fetch(`/chat/away/conversations/${conversationId}/messages`, {
      headers: { 'x-user-key': key },
    });
    const { messages } = (await response.json()) as { messages: SeenMessage[] };
    return messages.filter(({ userId }) => userId === bot.userId).reverse();
  }

  let seen = 0;
  /** Waits for the next answer of the bot. */
  async function answer(): Promise<SeenMessage['payload']> {
    seen += 1;
    await expect.poll(async () => (await answers()).length, { ...pollOptions, message: output }).toBe(seen);
    return (await answers()).at(-1)?.payload ?? { type: 'none' };
  }

  test('the bot greets, echoes, asks, counts in a state, and sends a file', async () => {
    expect((await answer()).text).toMatch(/^Hello!/);

    await send({ type: 'text', text: 'How are you?' });
    expect(await answer()).toEqual({ type: 'text', text: 'You said: How are you?' });
    await stream.untilType('typing_started');

    await send({ type: 'text', text: 'buttons' });
    expect(await answer()).toMatchObject({
      type: 'choice',
      options: [{ value: 'blue' }, { value: 'green' }],
    });
    await send({ type: 'text', text: 'Blue', value: 'blue' });
    expect(await answer()).toEqual({ type: 'text', text: 'You chose blue.' });
    const { conversation } = await bot.client.getConversation({ id: visitor.conversationId });
    expect(conversation.tags.color).toBe('blue');

    for (const count of [1, 2]) {
      await send({ type: 'text', text: 'count' });
      expect(await answer()).toEqual({ type: 'text', text: `You asked ${count} times.` });
    }

    await send({ type: 'text', text: 'file' });
    const sent = await answer();
    expect(sent).toMatchObject({ type: 'file', title: 'notes.txt' });
    const content = await hosted.server.fetch(new URL(sent.fileUrl ?? '').pathname);
    expect(await content.text()).toBe('Notes of the bot');

    await send({ type: 'file', fileUrl: sent.fileUrl, title: 'mine.txt' });
    expect(await answer()).toEqual({ type: 'text', text: 'Thank you for mine.txt.' });
  }, 120_000);

  test.runIf(format === 'standard')('the bot refuses requests that the server has not signed', async () => {
    const { webhookUrl } = (await hosted.server.db.read((tx) =>
      tx.get('SELECT webhook_url FROM bots WHERE id = ?', bot.id),
    )) as { webhookUrl: string };
    const response = await fetch(webhookUrl, { method: 'POST', body: '{"event": {}}' });
    expect(response.status).toBe(401);
  });
});
