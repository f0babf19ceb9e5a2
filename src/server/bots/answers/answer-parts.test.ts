// Tests of what a bot shows in addition to the text of an answer: live, stored, and after every way in which an answer can end.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { assembleStreams } from '../../../protocol/assemble-stream.testing.ts';
import type { Message } from '../../../protocol/message.ts';
import { createLogger } from '../../startup/log.ts';
import { pollOptions, startTestServer, stripTypes, type TestServer, type TestStream } from '../../testing.ts';
import { loadBotCode } from '../threads/load-bot.ts';

let folder: string;
let server: TestServer;
let key: string;
let conversationId: string;
let listener: TestStream;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-parts-'));
});
afterEach(async () => {
  await listener?.cancel();
  await server?.close();
  await rm(folder, { recursive: true });
});

/** Starts a server whose bot runs this code for a message, and sends it one. */
async function run(code: string, isThread: boolean) {
  const path = join(folder, 'bot.mjs');
  await writeFile(
    path,
    `export default async (event, bot) => {\n  if (event.type !== 'text') return;\n${code}\n};\n`,
  );
  const logger = createLogger('silent', { write() {} });
  const threads = { logger, execArgv: ['--import', stripTypes] };
  server = await startTestServer({ bot: await loadBotCode(path, isThread ? threads : undefined), logger });
  ({ key } = await server.user());
  conversationId = await server.conversation(key);
  listener = await server.listen(key, conversationId);
  await server.sendMessage(key, conversationId, 'go');
}
const signals = (stream = listener) => stream.frames.map(({ signal }) => signal);
const live = (stream = listener) => [...assembleStreams(signals(stream)).values()].at(-1);
const answers = async (): Promise<Message[]> => {
  const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
  return (body.messages as Message[]).reverse().slice(1);
};
const answered = (text: string) => listener.until(({ data }) => data.includes(text));
/** The JSON in the text of a message. */
const textOf = (message: Message | undefined) =>
  JSON.parse(message?.payload.type === 'text' ? message.payload.text : '');
const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe.each([
  ['in a thread', true],
  ['in the process', false],
])('an answer with parts of a bot %s', (_, isThread) => {
  test('is shown while it is written, and stored with what remains of it', async () => {
    await run(
      `
  const answer = bot.stream();
  answer.status('Searching orders');
  answer.status('Reading');
  answer.reasoning('The number ');
  answer.reasoning('begins with A.');
  const one = answer.tool({ name: 'get_order', title: 'Looking up order A-1', input: { id: 'A-1' } });
  const two = answer.tool({ name: 'get_rules' });
  one.done({ status: 'sent' });
  two.failed('No such rules.');
  const n = [
    answer.source({ title: 'Returns', url: 'https://example.com/returns', snippet: 'Thirty days.' }),
    answer.source({ title: 'Prices', fileId: 'file_1', page: 2 }),
    answer.source({ title: 'Returns', url: 'https://example.com/returns' }),
  ];
  answer.write('Within thirty days [' + n.join('') + '].');
  answer.tool({ name: 'slow' });
  answer.write('And more.');
  answer.block('order', { id: 'A-1' }, 'Order A-1');
  answer.suggest(['Send it back', { label: 'Track it', value: 'Where is it?' }]);
  const message = await answer.end();
  await bot.reply({ type: 'text', text: 'ended ' + message.parts.length });`,
      isThread,
    );
    await answered('ended 8');
    const [message] = await answers();
    const markdown = 'Within thirty days [121].\n\nAnd more.';
    expect(message?.payload).toEqual({ type: 'markdown', markdown });
    const times = { startedAt: expect.stringMatching(iso), endedAt: expect.stringMatching(iso) };
    const tool = (id: string, at: number, toolName: string, more: object) => ({
      id,
      at,
      type: 'tool',
      toolName,
      ...more,
    });
    const ended = {
      title: 'Looking up order A-1',
      input: { id: 'A-1' },
      output: { status: 'sent' },
      state: 'output-available',
    };
    const source = { at: 0, type: 'source' };
    const last = { at: markdown.length };
    const parts = [
      { id: 'p1', at: 0, type: 'reasoning', text: 'The number begins with A.', state: 'done', ...times },
      tool('p2', 0, 'get_order', ended),
      tool('p3', 0, 'get_rules', { state: 'output-error', errorText: 'No such rules.' }),
      { id: 'p4', ...source, title: 'Returns', url: 'https://example.com/returns', snippet: 'Thirty days.' },
      { id: 'p5', ...source, title: 'Prices', fileId: 'file_1', page: 2 },
      tool('p6', 25, 'slow', { state: 'cancelled' }),
      { id: 'p7', ...last, type: 'block', name: 'order', data: { id: 'A-1' }, fallback: 'Order A-1' },
      {
        ...{ id: 'p8', ...last, type: 'suggestions' },
        items: [{ label: 'Send it back' }, { label: 'Track it', value: 'Where is it?' }],
      },
    ];
    expect(message?.parts).toEqual(parts);
    // The status and the tool that ran, as seen live.
    expect(live()?.text).toBe(markdown);
    expect(live()?.parts).toEqual([
      { id: 'status', at: 0, type: 'status', text: expect.any(String) },
      ...parts.map((part) => (part.id === 'p6' ? { ...part, state: 'input-available' } : part)),
    ]);
    const complete = signals().find((signal) => signal?.type === 'message_stream_complete');
    expect(complete?.data).toMatchObject({ message: { parts } });
    const created = signals().find((signal) => signal?.type === 'message_created' && signal.data.isBot);
    expect(created?.data).toMatchObject({ parts });
  });

  test('is the same for one who begins to listen in its middle', async () => {
    await run(
      `
  const answer = bot.stream();
  answer.write('One ');
  answer.tool({ name: 'a' });
  globalThis.finish = () => { answer.tool({ name: 'b' }); answer.write('two'); };
  answer.status('Waiting');
  await new Promise((resolve) => answer.signal.addEventListener('abort', resolve));`,
      isThread,
    );
    await expect.poll(() => live()?.parts.length, pollOptions).toBe(2);
    const late = await server.listen(key, conversationId);
    const parts = [
      { id: 'p1', toolName: 'a' },
      { id: 'status', text: 'Waiting' },
    ];
    await expect.poll(() => live(late), pollOptions).toMatchObject({ text: 'One ', parts });
    const { streamId } = (await late.untilType('message_stream_delta')).data;
    await server.call('POST', `/conversations/${conversationId}/stop`, { key, body: { streamId } });
    await late.untilType('message_stream_complete');
    const [message] = await answers();
    expect(message).toMatchObject({ payload: { markdown: 'One ' }, metadata: { stopped: true } });
    expect(message?.parts).toEqual([{ id: 'p1', at: 4, type: 'tool', toolName: 'a', state: 'cancelled' }]);
    await late.cancel();
  });

  test('has no half characters, in whatever pieces it is written', async () => {
    await run(
      `
  const answer = bot.stream();
  for (const text of ['A ', '\\ud83d', '\\ude00', '\\ud83d']) answer.reasoning(text);
  const tool = answer.tool({ name: 'to\\ud83dol', input: { a: ['\\ud83d', '\\ud83d\\ude00'] } });
  for (const text of ['b\\ud83d', '\\ude00', '\\ude00', '\\ud83d']) answer.write(text);
  tool.done('\\ud83d');
  answer.write('\\ude00c\\ud83d');
  await answer.end();
  await bot.reply({ type: 'text', text: 'all of it' });`,
      isThread,
    );
    await answered('all of it');
    const [message] = await answers();
    expect(message).toMatchObject({
      payload: { markdown: 'b😀\ufffd😀c' },
      parts: [
        { type: 'reasoning', text: 'A 😀' },
        { toolName: 'to\ufffdol', input: { a: ['\ufffd', '😀'] }, output: '\ufffd' },
      ],
    });
    expect(listener.frames.filter(({ data }) => /\\ud[89a-f]/.test(data))).toEqual([]);
  });

  test('can be a block alone, whose text is what stands for it', async () => {
    await run(
      `
  const answer = bot.stream();
  answer.block('order', { id: 'A-1' }, 'Order A-1');
  answer.block('chart', [1], ' ');
  await answer.end();`,
      isThread,
    );
    await listener.until(({ signal }) => signal?.type === 'message_created' && signal.data.isBot);
    const [message] = await answers();
    expect(message?.payload).toEqual({ type: 'text', text: 'Order A-1\n\nchart' });
    expect(message?.parts).toMatchObject([{ name: 'order', data: { id: 'A-1' } }, { name: 'chart' }]);
  });

  test('leaves nothing behind when its bot fails or returns without an end', async () => {
    await run(
      `
  const answer = bot.stream();
  answer.tool({ name: 'a' });
  answer.write('half');
  throw new Error('broken');`,
      isThread,
    );
    await listener.untilType('message_stream_abort');
    await answered('Sorry, no answer came');
    expect((await answers()).flatMap(({ parts = [] }) => parts)).toEqual([]);
  });

  test('refuses wrong parts where the code makes them, and goes on', async () => {
    await run(
      `
  const answer = bot.stream();
  const errors = [];
  for (const attempt of [
    () => answer.source({ title: 'x', url: 'javascript:alert(1)' }),
    () => answer.source({ url: 'https://example.com' }),
    () => answer.tool({ name: '' }),
    () => answer.status(7),
    () => answer.block('b', 'x'.repeat(20_000), ''),
    () => answer.suggest([{ label: 7 }]),
  ]) {
    try { attempt(); errors.push('nothing'); } catch (error) { errors.push(error.name + ' ' + error.message); }
  }
  for (const parts of [[{ type: 'status', text: 'x' }], [{ type: 'source', title: 'x', url: 'data:,' }], 'x']) {
    try { await bot.reply({ type: 'text', text: 'x' }, { parts }); errors.push('nothing'); } catch (error) { errors.push(error.name); }
  }
  await answer.end({ type: 'text', text: JSON.stringify(errors) });`,
      isThread,
    );
    await answered('message_created","data":{"id"');
    await listener.until(({ signal }) => signal?.type === 'message_created' && signal.data.isBot);
    const [message] = await answers();
    expect(textOf(message)).toEqual([
      'TypeError parts.url: Expected an address with http or https.',
      expect.stringMatching(/^TypeError parts\.title: /),
      'TypeError parts.toolName: Expected a text that is not empty.',
      expect.stringMatching(/^TypeError parts\.text: /),
      'TypeError parts: The data of a block is limited to 16000 bytes.',
      expect.stringMatching(/^TypeError parts\.items\.0\.label: /),
      'TypeError',
      'TypeError',
      'TypeError',
    ]);
    expect(message).not.toHaveProperty('parts');
  });

  test('can be changed after its end, and everybody sees the change', async () => {
    await run(
      `
  const message = await bot.reply({ type: 'text', text: 'first' }, { parts: [{ id: 'job', type: 'tool', toolName: 'export', state: 'output-available' }] });
  await bot.updatePart(message.id, 'job', { title: 'Exported', output: 'x'.repeat(1_500) });
  const errors = [];
  for (const given of [[message.id, 'none', {}], [message.id, 'job', { state: 'unknown' }], ['msg_none', 'job', {}], [bot.message.id, 'job', {}]]) {
    try { await bot.updatePart(...given); errors.push('nothing'); } catch (error) { errors.push(error.message); }
  }
  await bot.reply({ type: 'text', text: JSON.stringify(errors) });`,
      isThread,
    );
    await answered('part of this id');
    const [message, last] = await answers();
    const part = {
      ...{ id: 'job', at: 0, type: 'tool', toolName: 'export' },
      ...{ state: 'output-available', title: 'Exported' },
    };
    // Lists and signals have no long values, the message alone has.
    expect(message?.parts).toEqual([{ ...part, omitted: true }]);
    const updated = signals().find((signal) => signal?.type === 'message_updated');
    expect(updated?.data).toMatchObject({ id: message?.id, parts: [{ ...part, omitted: true }] });
    const { body } = await server.call('GET', `/messages/${message?.id}`, { key });
    expect((body.message as Message).parts).toEqual([{ ...part, output: 'x'.repeat(1_500) }]);
    expect(textOf(last)).toEqual([
      'The message has no part of this id.',
      expect.stringMatching(/^parts\.state: /),
      'The bot has sent no such message here.',
      'The bot has sent no such message here.',
    ]);
  });
});

test('a visitor cannot write parts', async () => {
  await run('await bot.reply({ type: "text", text: "ok" });', false);
  const parts = [{ id: 'a', at: 0, type: 'source', title: 'Forged' }];
  const sent = { conversationId, payload: { type: 'text', text: 'mine' }, parts };
  const { status, body } = await server.call('POST', '/messages', { key, body: sent });
  expect(status).toBe(201);
  expect(body.message).not.toHaveProperty('parts');
  expect(JSON.stringify(await answers())).not.toContain('Forged');
});
