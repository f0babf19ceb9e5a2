// Tests of the demo bot and of the samples in docs/guides/bots.md: every sample of the menu is answered, and the code compiles.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Message } from '../src/protocol/message.ts';
import { schemas } from '../src/protocol/schemas/chat.ts';
import { loadBotCode } from '../src/server/bots/index.ts';
import { startTestServer, type TestServer, type TestStream } from '../src/server/testing.ts';
import bot from './bot.ts';

describe('demo bot', () => {
  let server: TestServer;
  let key: string;
  let conversationId: string;
  let stream: TestStream;
  beforeAll(async () => {
    // Fake timers skip the pauses of the bot.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync');
    server = await startTestServer({ handler: bot });
    key = (await server.user({ name: 'Ann' })).key;
    conversationId = await server.conversation(key);
    stream = await server.listen(key, conversationId, 0);
    // Its first message: otherwise a test that runs alone would take it for an answer.
    await stream.until(({ data }) => data.includes('Hello, Ann!'));
  });
  afterAll(async () => {
    await server.close();
    vi.useRealTimers();
  });

  /** Sends a message and returns the next message of the bot. */
  async function exchange(text: string, value?: string): Promise<Message> {
    const payload = { type: 'text', text, ...(value ? { value } : {}) };
    const { body } = await server.call('POST', '/messages', { key, body: { conversationId, payload } });
    const { id } = body.message as Message;
    await stream.until(({ signal }) => signal?.type === 'message_created' && signal.data.id === id);
    const sentIndex = stream.frames.findIndex(
      ({ signal }) => signal?.type === 'message_created' && signal.data.id === id,
    );
    const { signal } = await stream.until(
      (frame) =>
        stream.frames.indexOf(frame) > sentIndex &&
        frame.signal?.type === 'message_created' &&
        frame.signal.data.isBot,
    );
    if (signal?.type !== 'message_created') throw new Error('no answer');
    return signal.data;
  }

  test('greets the visitor by name', () => {
    expect(stream.frames.filter(({ data }) => data.includes('Hello, Ann!'))).toHaveLength(1);
  });

  test('lists every sample in its menu, and answers each of them', async () => {
    const menu = await exchange('Menu');
    if (menu.payload.type !== 'choice') throw new Error('no menu');
    const values = menu.payload.options.map(({ value }) => value);
    const types = new Set<string>();
    for (const word of values) {
      const { payload, metadata } = await exchange(`please ${word}`, word);
      expect(v.is(schemas.payload, payload), word).toBe(true);
      expect(metadata?.error, word).toBe(word === 'error' ? 'bot_failed' : undefined);
      types.add(payload.type);
    }
    const all = schemas.payload.options.map((option) => option.entries.type.literal);
    expect([...types].sort(), 'Add a sample of each type to demo/bot.ts.').toEqual([...all].sort());
    const signals = new Set(stream.frames.map(({ signal }) => signal?.type));
    for (const type of [
      'typing_started',
      'message_stream_delta',
      'message_stream_complete',
      'event_created',
    ]) {
      expect(signals).toContain(type);
    }
  });

  /** Runs an action and returns the next text of the bot. */
  async function nextText(act: () => Promise<unknown>): Promise<unknown> {
    const seen = stream.frames.length;
    await act();
    const { signal } = await stream.until(
      (frame) =>
        stream.frames.indexOf(frame) >= seen &&
        frame.signal?.type === 'message_created' &&
        frame.signal.data.isBot,
    );
    return signal?.type === 'message_created' ? signal.data.payload : undefined;
  }
  const send = (payload: unknown) =>
    server.call('POST', '/messages', { key, body: { conversationId, payload } });

  test('names the files that it receives', async () => {
    const picture = { type: 'image', imageUrl: 'https://a.test/1', title: 'cat.png', fileId: 'file_1' };
    expect(await nextText(() => send(picture))).toEqual({ type: 'text', text: 'You sent: image “cat.png”.' });
    const sound = { type: 'audio', audioUrl: 'https://a.test/2' };
    const items = [{ type: 'text', text: 'Look:' }, picture, sound];
    expect(await nextText(() => send({ type: 'bloc', items }))).toEqual({
      type: 'text',
      text: 'You sent: image “cat.png”, audio.',
    });
    expect(await nextText(() => send({ type: 'file', fileUrl: 'https://a.test/3', title: 'a.pdf' }))).toEqual(
      {
        type: 'text',
        text: 'You sent: file “a.pdf”.',
      },
    );
  });

  test('reacts to feedback, closes the window and changes its color', async () => {
    const { id } = await exchange('feedback');
    const path = `/messages/${id}/feedback`;
    const setFeedback = (value: string) => () => server.call('PUT', path, { key, body: { value } });
    expect(await nextText(setFeedback('positive'))).toMatchObject({ text: 'Thank you!' });
    expect(await nextText(setFeedback('negative'))).toMatchObject({ text: expect.stringMatching(/sorry/) });
    await server.call('DELETE', path, { key });
    expect((await exchange('what?')).payload.type).toBe('choice');
    await exchange('hide');
    expect((await stream.untilType('webchat_visibility')).data.visibility).toBe('hide');
    await exchange('theme');
    expect((await stream.untilType('webchat_config')).data.config).toEqual({ color: '#7b2d8e' });
  });

  test('the steps end with the block of the order', async () => {
    const dataOf = async (sample: string) =>
      (await exchange(sample)).parts?.flatMap((part) => (part.type === 'block' ? [part.data] : []));
    expect(await dataOf('steps')).toEqual([
      expect.objectContaining({ id: expect.any(String), items: expect.anything() }),
    ]);
    expect(await dataOf('steps')).toEqual(await dataOf('order'));
  });

  test('asks before it acts, and goes on with the answer', async () => {
    const answer = async (sample: string, payload: object) => {
      const [part] = ((await exchange(sample)).parts ?? []).filter(({ type }) => type === 'interrupt');
      const body = { status: 'resolved', payload };
      return nextText(() => server.call('POST', `/interrupts/${part?.id}/response`, { key, body }));
    };
    expect(await answer('ask before acting', { approved: true })).toMatchObject({
      text: 'I have refunded 49.90 CHF.',
    });
    expect(await answer('ask before acting', { approved: false })).toMatchObject({
      text: 'Nothing was refunded.',
    });
    expect(await answer('form', { name: 'Ada', size: 's' })).toMatchObject({
      text: 'Thank you, Ada. It is on its way.',
    });
  });

  /** Sends a question of the page, answers the interrupt of its answer, and returns the text of what the bot says then. */
  async function settle(question: string, payload: object): Promise<string> {
    const [part] = ((await exchange(question)).parts ?? []).filter(({ type }) => type === 'interrupt');
    const body = { status: 'resolved', payload };
    const respond = () => server.call('POST', `/interrupts/${part?.id}/response`, { key, body });
    return JSON.stringify(await nextText(respond));
  }

  test('answers questions about the shop with sources on its page, and suggests the next ones', async () => {
    const { payload, parts = [] } = await exchange('How long does a service take?');
    expect(payload).toMatchObject({ markdown: expect.stringContaining('**one working day**') });
    const sources = parts.flatMap((part) => (part.type === 'source' ? [part.url] : []));
    expect(sources).toEqual([
      expect.stringMatching(/^http.*\/#workshop$/),
      expect.stringMatching(/^http.*\/#visit$/),
    ]);
    expect(payload).not.toMatchObject({ markdown: expect.stringContaining('[workshop]') });
    expect(parts.map(({ type }) => type)).toContain('suggestions');
  });

  test('books, and refunds an order only after the visitor has approved', async () => {
    /** The next day of the week, at least one week away: 0 is Sunday. */
    const next = (weekday: number) => {
      const day = new Date(Date.now() + 7 * 86_400_000);
      day.setUTCDate(day.getUTCDate() + ((weekday - day.getUTCDay() + 7) % 7));
      return day.toISOString().slice(0, 10);
    };
    const book = (day?: string) => settle('Book a service', { work: 'service', name: 'Ada', day });
    expect(await book(next(1))).toMatch(/Ada.*on \*\*Monday \d+ \w+\*\*/);
    expect(await book()).toMatch(/Ada.*on the next free day/);
    expect(await book(next(0))).toMatch(/Sunday \d+ \w+ is our day off/);
    expect(await book('2020-05-04')).toMatch(/Monday 4 May is over/);
    expect(await settle('Return order A-1', { approved: false })).toContain('Nothing was refunded');
    expect(await settle('Return order A-1', { approved: true })).toContain('CHF 89.00');
  });

  test('says that a page without a cart offers none, and names the products if it does not know one', async () => {
    expect(await exchange('Add a helmet to my cart')).toMatchObject({
      payload: { text: expect.stringContaining('offers no cart') },
    });
    expect(await exchange('Remove the helmet from my cart')).toMatchObject({
      payload: { text: expect.stringContaining('offers no cart') },
    });
    const { payload } = await exchange('Add a tandem to my cart');
    expect(payload.type === 'choice' && payload.options.map(({ label }) => label)).toContain('Dome helmet');
  });

  test('says what it can do and what it is, and knows that it has one order only', async () => {
    const textOf = async (request: string) => JSON.stringify((await exchange(request)).payload);
    expect(await textOf('What can you do?')).toContain('book the workshop');
    expect(await textOf('Are you an AI?')).toContain('without a language model');
    expect(await textOf('Return order B-77')).toContain('no order B-77');
    expect(await textOf('Can I pay by card?')).toContain('sells nothing');
    expect(await textOf('How much is the Ridge?')).toContain('CHF 1890');
    expect(await textOf('Thanks!')).toContain('You are welcome');
  });

  test.each(['x'.repeat(10_000), '🚲'.repeat(1_000), '你好', 'Was kostet ein Rad?', '<script>'])(
    'a text that it does not know is cut, and answered with what it knows (%#)',
    async (text) => {
      const { payload } = await exchange(text);
      if (payload.type !== 'choice') throw new Error('no choice');
      expect(payload.text.length).toBeLessThan(700);
      expect(payload.text).toContain('I do not guess');
      // It throws if a character was cut in half.
      expect(() => encodeURIComponent(payload.text)).not.toThrow();
      expect(payload.options.map(({ value }) => value)).toContain('What can you do?');
    },
  );

  test('offers its own questions when it does not know an answer', async () => {
    const { payload } = await exchange('Why is the sky blue?');
    if (payload.type !== 'choice') throw new Error('no choice');
    expect(await exchange('Hello!')).toMatchObject({ payload: { text: expect.stringContaining('so do I') } });
    expect(payload.text).toContain('“Why is the sky blue?”');
    for (const { value } of payload.options.slice(0, -1))
      expect((await exchange(value)).payload, value).not.toMatchObject({
        text: expect.stringMatching(/You said/),
      });
  });

  test('stops streaming when the visitor stops the message', async () => {
    const seen = stream.frames.length;
    await server.sendMessage(key, conversationId, 'streaming');
    const { signal } = await stream.until(
      (frame) => stream.frames.indexOf(frame) >= seen && frame.signal?.type === 'message_stream_delta',
    );
    if (signal?.type !== 'message_stream_delta') throw new Error('no stream');
    const { streamId } = signal.data;
    await server.call('POST', `/conversations/${conversationId}/stop`, { key, body: { streamId } });
    const { signal: made } = await stream.until(
      (frame) =>
        frame.signal?.type === 'message_created' && frame.signal.data.metadata?.streamId === streamId,
    );
    expect(made?.data).toMatchObject({ metadata: { stopped: true } });
    // The bot did not fail and answers the next message.
    expect((await exchange('text')).metadata).toBeUndefined();
    expect(server.log.filter(({ msg }) => msg === 'bot failed')).toHaveLength(1);
  });

  test('answers any other text, and custom events of the page', async () => {
    expect(JSON.stringify((await exchange('what?')).payload)).toContain('what?');
    await server.call('POST', '/events', {
      key,
      body: { conversationId, payload: { type: 'custom', data: { page: 'cart' } } },
    });
    await stream.until(({ data }) => data.includes('The page sent me an event') && data.includes('cart'));
  });
});

test('the first sample of docs/guides/bots.md, saved as it is, is a bot that the server loads', async () => {
  const page = await readFile(new URL('../docs/guides/bots.md', import.meta.url), 'utf8');
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'bot-'));
  await writeFile(join(folder, 'bot.mjs'), code);
  const server = await startTestServer({ bot: await loadBotCode(join(folder, 'bot.mjs'), undefined) });
  try {
    const { key } = await server.user({ name: 'Ann' });
    const conversationId = await server.conversation(key);
    const stream = await server.listen(key, conversationId, 0);
    await stream.until(({ data }) => data.includes('Hello Ann!'));
    await server.call('POST', '/messages', {
      key,
      body: { conversationId, payload: { type: 'text', text: 'Good morning' } },
    });
    await stream.until(({ data }) => data.includes('You said: Good morning'));
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});

test('the samples of docs/guides/bots.md compile', async () => {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const page = await readFile(join(root, 'docs', 'guides', 'bots.md'), 'utf8');
  const samples = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  expect(samples.length).toBe(10);
  // Two folders deep, so that the imports of the samples resolve to the sources.
  const folder = join(root, '.cache', `samples-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    for (const [index, code] of samples.entries()) {
      await writeFile(
        join(folder, `sample-${index}.ts`),
        code
          .replaceAll("'platform-webchat/bot'", "'../../src/protocol/bot.ts'")
          .replaceAll("'platform-webchat/client'", "'../../src/client/index.ts'")
          .replaceAll("'platform-webchat/testing'", "'../../src/server/bot-testing/index.ts'"),
      );
    }
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }),
    );
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const { stdout } = await promisify(execFile)(tsc, ['-p', folder]).catch(
      (error: { stdout: string }) => error,
    );
    expect(stdout).toBe('');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
