// Tests bot code in a thread: the bot object does the same as in the process of the server, and code that blocks or ends
// its thread disturbs no other event.
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../startup/log.ts';
import { heldLimit, holdLimits } from '../../testing/held-timers.testing.ts';
import { allDelivered } from '../../testing/settled-rows.testing.ts';
import {
  pollOptions,
  startTestServer,
  stripTypes,
  type TestOptions,
  type TestServer,
} from '../../testing.ts';
import { loadBotCode } from './load-bot.ts';

let folder: string;
let server: TestServer;
let log: Record<string, unknown>[];
let key: string;
let conversationId: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-bot-'));
  log = [];
});
afterEach(async () => {
  await server?.close();
  await rm(folder, { recursive: true });
});

/**
 * Starts a server whose bot runs the function of `cases`, by the text of a message. The module is `bot.mjs`. `reactionTime`: by
 * default one that no busy machine exceeds. The module hangs while it is loaded if there is a file `hang`.
 */
async function start(
  cases: Record<string, string>,
  isThread = true,
  {
    heapMegabytes,
    reactionTime = 120_000,
    loadTime,
    ...options
  }: TestOptions & { heapMegabytes?: number; reactionTime?: number; loadTime?: number } = {},
) {
  const functions = Object.entries(cases).map(([name, code]) => `${JSON.stringify(name)}: ${code}`);
  const text = `
import { existsSync } from 'node:fs';
if (existsSync(${JSON.stringify(hangFile())})) await new Promise(() => setInterval(() => {}, 1_000_000));
globalThis.count ??= 0;
const cases = {
${functions.join(',\n')}
};
export default async (event, bot) => {
  if (event.preview in cases) globalThis.count += 1;
  await cases[event.preview]?.(event, bot);
};
`;
  const path = join(folder, 'bot.mjs');
  await writeFile(path, text);
  const logger = createLogger('info', { write: (line) => log.push(JSON.parse(line)) });
  const threads = { logger, execArgv: ['--import', stripTypes], reactionTime, heapMegabytes, loadTime };
  const bot = await loadBotCode(path, isThread ? threads : undefined);
  server = await startTestServer({ bot, logger, botTimeLimit: 60_000, ...options });
  ({ key } = await server.user({ name: 'Ada' }));
  conversationId = await server.conversation(key);
}

const hangFile = () => join(folder, 'hang');
const send = (text: string, id = conversationId) => server.sendMessage(key, id, text);
/** The stored messages, oldest first. */
async function messages(id = conversationId) {
  const { body } = await server.call('GET', `/conversations/${id}/messages`, { key });
  const list = body.messages as { payload: Record<string, unknown>; metadata?: Record<string, unknown> }[];
  return list.reverse();
}
const texts = async (id?: string) =>
  (await messages(id)).map(({ payload }) => payload.text ?? payload.markdown);
/** Resolves when every event is finished. */
const finished = () => allDelivered(server.db);
/** Stops a stream as its visitor. */
async function stopStream(streamId: string) {
  const path = `/conversations/${conversationId}/stop`;
  const { status } = await server.call('POST', path, { key, body: { streamId } });
  expect(status).toBe(200);
}
const failure = 'Sorry, no answer came. Please try again.';

describe.each([
  ['in a thread', true],
  ['in the process', false],
])('bot code %s', (_, isThread) => {
  test('asks with a tool and a state, and gets the answer', async () => {
    await start(
      {
        ask: `async (event, bot) => {
          const answer = bot.stream();
          const tool = answer.tool({ name: 'mail', input: { text: 'x'.repeat(5_000) } });
          const errors = [];
          await answer.interrupt({ reason: 'tool_call', message: '', tool }).catch((error) => errors.push(error.message));
          await bot.reply({ type: 'text', text: errors[0] });
          const second = bot.stream();
          const other = second.tool({ name: 'mail', input: { text: 'x'.repeat(5_000) } });
          await second.interrupt({ reason: 'tool_call', message: 'Send it?', tool: other, state: { n: 1 } });
        }`,
        '': `async (event, bot) => {
          if (event.type !== 'resume') return;
          const [{ by, payload, state }] = event.payload.interrupts;
          await bot.updatePart(event.messageId, 'p1', { state: 'output-available' });
          await bot.reply({ type: 'text', text: JSON.stringify({ by, payload, state }) });
        }`,
      },
      isThread,
    );
    await send('ask');
    await finished();
    expect(await texts()).toEqual(['ask', expect.stringContaining('message'), 'Send it?']);
    const [asked] = await server.db.read((tx) => tx.all<{ id: string }>('SELECT id FROM interrupts'));
    const body = { status: 'resolved', payload: { approved: true } };
    const answered = await server.call('POST', `/interrupts/${asked?.id}/response`, { key, body });
    expect(answered.body.interrupt).toMatchObject({ input: { text: 'x'.repeat(5_000) }, toolName: 'mail' });
    await finished();
    expect((await texts()).at(-1)).toBe('{"by":"visitor","payload":{"approved":true},"state":{"n":1}}');
  });

  test('uses every function and value of the bot object', async () => {
    process.env.BOT_TEST_VALUE = 'from the environment';
    await start(
      {
        all: `async (event, bot) => {
          bot.typing(true);
          const first = await bot.reply({ type: 'text', text: 'first' }, { metadata: { a: 1 } });
          const sent = await bot.sendEvent({ b: 2 });
          await bot.setVisibility('show');
          await bot.configure({ botName: 'Changed' });
          await bot.setState('user', 'seen', { c: 3 });
          const merged = await bot.patchState('user', 'seen', { d: 4 });
          const state = await bot.getState('user', 'seen');
          const none = await bot.getState('user', 'none');
          const stream = bot.stream();
          stream.write('one ');
          stream.write('two');
          const last = await stream.end(undefined, { metadata: { e: 5 } });
          await bot.reply({ type: 'text', text: JSON.stringify({
            first: [first.payload.text, first.metadata],
            sent: sent.payload, merged, state, none: none === undefined,
            stream: [last.payload, last.metadata.e, last.metadata.streamId === stream.id],
            message: bot.message.payload, user: bot.user.name, conversation: bot.conversation.id === event.conversationId,
            isDate: event.createdOn instanceof Date, publicUrl: bot.publicUrl, env: process.env.BOT_TEST_VALUE,
            isAborted: bot.signal.aborted, frozen: Object.isFrozen(bot),
          }) });
        }`,
      },
      isThread,
      { PUBLIC_URL: 'https://chat.example.com' },
    );
    const stream = await server.listen(key, conversationId);
    await send('all');
    await finished();
    const stored = await texts();
    expect(stored.slice(0, 3)).toEqual(['all', 'first', 'one two']);
    expect(JSON.parse(String(stored[3]))).toEqual({
      first: ['first', { a: 1 }],
      sent: { b: 2 },
      merged: { c: 3, d: 4 },
      state: { c: 3, d: 4 },
      none: true,
      stream: [{ type: 'markdown', markdown: 'one two' }, 5, true],
      message: { type: 'text', text: 'all' },
      user: 'Ada',
      conversation: true,
      isDate: true,
      publicUrl: 'https://chat.example.com',
      env: 'from the environment',
      isAborted: false,
      frozen: false,
    });
    await stream.until(({ data }) => data.includes('isAborted'));
    const types = stream.frames.flatMap(({ signal }) => (signal ? [signal.type] : []));
    expect(types.filter((type) => /typing|delta|complete|visibility|config/.test(type))).toEqual([
      'typing_started',
      'typing_stopped',
      'webchat_visibility',
      'webchat_config',
      'message_stream_delta',
      'message_stream_delta',
      'message_stream_complete',
    ]);
    await stream.cancel();
  });

  test('that handles the error of a call does not fail, and a value that cannot be sent is refused', async () => {
    await start(
      {
        caught: `async (_, bot) => {
          const error = await bot.reply({ type: 'text', text: '' }).catch((error) => error);
          const later = bot.reply({ type: 'text' });
          await new Promise((resolve) => setTimeout(resolve, 5));
          await later.catch(() => {});
          const circular = {}; circular.self = circular;
          const odd = await bot.reply({ type: 'text', text: 'x' }, { metadata: { f: () => {}, circular } }).catch((error) => error);
          await bot.reply({ type: 'text', text: [error instanceof TypeError, odd instanceof Error].join() });
        }`,
      },
      isThread,
    );
    await send('caught');
    await finished();
    expect(await texts()).toEqual(['caught', 'true,true']);
    expect(log.filter(({ msg }) => msg === 'bot failed')).toEqual([]);
  });

  test('learns that the visitor stopped a stream, and what was written is kept', async () => {
    await start(
      {
        long: `async (_, bot) => {
          const stream = bot.stream();
          stream.write('the beginning');
          await new Promise((resolve) => stream.signal.addEventListener('abort', resolve));
          stream.write(' lost');
          const message = await stream.end();
          await bot.reply({ type: 'text', text: JSON.stringify([message.payload.markdown, message.metadata.stopped]) });
          throw stream.signal.reason;
        }`,
      },
      isThread,
    );
    const stream = await server.listen(key, conversationId);
    await send('long');
    const { data } = await stream.untilType('message_stream_delta');
    await stopStream(data.streamId);
    await finished();
    expect(await texts()).toEqual(['long', 'the beginning', '["the beginning",true]']);
    expect(log.filter(({ msg }) => msg === 'bot failed')).toEqual([]);
    await stream.cancel();
  });

  test('is told when its time has run out, and can send no more', async () => {
    const limits = holdLimits();
    await start(
      {
        slow: `async (_, bot) => {
          const aborted = new Promise((resolve) => bot.signal.addEventListener('abort', resolve));
          void bot.sendEvent({ begun: true }).catch(() => {});
          await aborted;
          globalThis.late = await bot.reply({ type: 'text', text: 'late' }).catch((error) => error.message);
        }`,
        ask: `(_, bot) => bot.reply({ type: 'text', text: String(globalThis.late) })`,
      },
      isThread,
      { botTimeLimit: heldLimit },
    );
    await send('slow');
    const begun = () => server.db.read((tx) => tx.all('SELECT id FROM events'));
    await expect.poll(async () => (await begun()).length, pollOptions).toBe(1);
    limits.latest().elapse();
    await finished();
    await send('ask');
    await expect
      .poll(texts, pollOptions)
      .toEqual(['slow', failure, 'ask', expect.stringMatching(/is over; its bot can send no more/)]);
  });
});

const ask = `(_, bot) => bot.reply({ type: 'text', text: 'here ' + globalThis.count })`;

describe('a thread', () => {
  test.each([
    ['throws nothing', '() => Promise.reject()', { type: 'undefined' }],
    [
      'throws with a cause',
      '() => { throw new Error("outer", { cause: Object.assign(new TypeError("inner"), { code: "E1" }) }); }',
      { message: 'outer', cause: { type: 'TypeError', message: 'inner', code: 'E1' } },
    ],
    [
      'replies with a wrong payload and does not wait',
      '(_, bot) => void bot.reply({ type: "text", text: 7 })',
      { type: 'TypeError', message: 'The payload is not valid: text: Expected string.' },
    ],
    [
      'ends a stream with a wrong payload',
      '(_, bot) => bot.stream().end({ type: "image" })',
      { type: 'TypeError', message: expect.stringMatching(/imageUrl/) },
    ],
  ])('whose code %s fails its event: the log has the error with its line', async (_, code, err) => {
    await start({ bad: code, good: '(_, bot) => bot.reply({ type: "text", text: "fine" })' });
    await send('bad');
    await finished();
    expect(await texts()).toEqual(['bad', failure]);
    const [entry, ...more] = log.filter(({ msg }) => msg === 'bot failed');
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ eventType: 'text', conversationId, err });
    const { stack } = (entry as { err: { stack?: string } }).err;
    if (stack !== undefined) expect(stack).toMatch(/bot\.mjs:\d+:\d+/);
    await send('good');
    await expect.poll(texts, pollOptions).toEqual(['bad', failure, 'good', 'fine']);
  });

  test('that its code blocks forever disturbs no other request, and is ended after the time of the event', async () => {
    const limits = holdLimits();
    const times = { botTimeLimit: heldLimit, reactionTime: 200 };
    await start({ block: '() => { for (;;) {} }', ask }, true, times);
    await send('block');
    // The event before it was that of the new conversation.
    await expect.poll(() => limits.count(), pollOptions).toBe(2);
    const blocked = limits.latest();
    // The server answers while the thread is blocked.
    const other = await server.conversation(key);
    await send('ask', other);
    expect(await texts(other)).toEqual(['ask']);
    blocked.elapse();
    // The event of the other conversation waits for the same thread, and is handled by the next one.
    await expect.poll(() => texts(other), pollOptions).toEqual(['ask', 'here 1']);
    await finished();
    expect(await texts()).toEqual(['block', failure]);
    expect(log.map(({ msg }) => msg)).toContain('the thread of a bot does not respond, and is terminated');
  });

  test('in which a promise that nobody waits for is rejected logs it with the event, and goes on', async () => {
    await start({ careless: `() => { void Promise.reject(new Error('forgotten')); }`, ask });
    await send('careless');
    await expect
      .poll(() => log.filter(({ msg }) => msg === 'unhandled rejection'), pollOptions)
      .toMatchObject([{ eventType: 'text', conversationId, err: { message: 'forgotten' } }]);
    await send('ask');
    await expect.poll(texts, pollOptions).toEqual(['careless', 'ask', 'here 2']);
  });

  test('that an error in a timer ends is started again: the event fails once, others are delivered again', async () => {
    await start({
      timer: `() => new Promise(() => { setTimeout(() => { throw new Error('in a timer'); }); })`,
      wait: `async (_, bot) => {
        await bot.reply({ type: 'text', text: 'begun' });
        if ((await bot.getState('conversation', 'seen')) === undefined) {
          await bot.setState('conversation', 'seen', {});
          await bot.sendEvent({ waits: true });
          await new Promise(() => {});
        }
        await bot.reply({ type: 'text', text: 'done' });
      }`,
    });
    const other = await server.conversation(key);
    await send('wait', other);
    const waits = () => server.db.read((tx) => tx.all('SELECT id FROM events'));
    await expect.poll(async () => (await waits()).length, pollOptions).toBe(1);
    await send('timer');
    await finished();
    expect(await texts()).toEqual(['timer', failure]);
    // The reply of the first attempt is not sent again.
    expect(await texts(other)).toEqual(['wait', 'begun', 'done']);
    expect(log.filter(({ msg }) => msg === 'uncaught exception')).toMatchObject([
      { err: { message: 'in a timer', stack: expect.stringMatching(/bot\.mjs:\d+/) } },
    ]);
  });

  test('that ends itself is started again once for an event; the second time the event fails', async () => {
    await start({
      exit: '() => { process.exit(3); }',
      once: `async (event, bot) => {
        const seen = (await bot.getState('conversation', 'seen')) !== undefined;
        await bot.setState('conversation', 'seen', {});
        if (!seen) process.exit(4);
        await bot.reply({ type: 'text', text: 'again' });
      }`,
    });
    await send('once');
    await finished();
    expect(await texts()).toEqual(['once', 'again']);
    await send('exit');
    await finished();
    expect(await texts()).toEqual(['once', 'again', 'exit', failure]);
    expect(log.filter(({ msg }) => msg === 'the thread of a bot ended')).toHaveLength(3);
  });

  test('a thread that ends after the visitor stopped a stream stores the stopped message once', async () => {
    await start({
      long: `async (_, bot) => {
        const stream = bot.stream();
        stream.write('the beginning');
        if (!stream.signal.aborted) {
          await new Promise((resolve) => stream.signal.addEventListener('abort', resolve));
          await stream.end();
          process.exit(5);
        }
        const message = await stream.end();
        await bot.reply({ type: 'text', text: String(message.metadata.streamId === stream.id) });
      }`,
    });
    const stream = await server.listen(key, conversationId);
    await send('long');
    const { data } = await stream.untilType('message_stream_delta');
    await stopStream(data.streamId);
    await finished();
    expect(await texts()).toEqual(['long', 'the beginning', 'true']);
    await stream.cancel();
  });

  test('whose memory is full is started again, and the server goes on', async () => {
    const fill = '() => { const all = []; for (;;) all.push(new Array(100_000).fill({})); }';
    await start({ fill, ask }, true, { heapMegabytes: 60 });
    await send('fill');
    await finished();
    await send('ask');
    await expect.poll(texts, pollOptions).toEqual(['fill', failure, 'ask', 'here 1']);
  });

  test('whose module hangs when it is started again fails the event, and answers when the module is repaired', async () => {
    const limits = holdLimits();
    await start({ exit: '() => { process.exit(3); }', ask }, true, { loadTime: heldLimit });
    await writeFile(hangFile(), '');
    await send('exit');
    // The first was that of the start of the server. The thread is started before the event is begun, and then for it.
    for (const count of [2, 3]) {
      await expect.poll(() => limits.count(), pollOptions).toBe(count);
      limits.latest().elapse();
    }
    await finished();
    expect(await texts()).toEqual(['exit', failure]);
    expect(log.filter(({ msg }) => msg === 'bot failed')).toMatchObject([
      { err: { message: expect.stringMatching(/bot\.mjs takes too long to load\.$/) } },
    ]);
    await unlink(hangFile());
    await send('ask');
    await expect.poll(texts, pollOptions).toEqual(['exit', failure, 'ask', 'here 1']);
  });

  test('whose module hangs when it is started again ends with the server', async () => {
    const limits = holdLimits();
    const ended = vi.spyOn(Worker.prototype, 'terminate');
    onTestFinished(() => ended.mockRestore());
    await start({ exit: '() => { process.exit(3); }' }, true, { loadTime: heldLimit });
    await writeFile(hangFile(), '');
    await send('exit');
    await expect.poll(() => limits.count(), pollOptions).toBe(2);
    await server.close();
    expect(ended).toHaveBeenCalledOnce();
    await expect(server.db.read((tx) => tx.get('SELECT 1'))).rejects.toThrow();
  });

  test('is ended with the server, also while its code runs', async () => {
    await start({ block: '() => { for (;;) {} }' });
    await send('block');
    await server.close();
    await expect(server.db.read((tx) => tx.get('SELECT 1'))).rejects.toThrow();
  });
});

describe('a module', () => {
  test.each([
    ['', /^BOT: .*bot\.mjs has no function as its default export\.$/],
    ['throw new Error("broken")', /^BOT: .*bot\.mjs could not be loaded: Error: broken \(.*bot\.mjs:1:7\)$/],
    ['export default (', /^BOT: .*bot\.mjs could not be loaded: SyntaxError: .*bot\.mjs:1/],
    [
      'process.exit(7)',
      /^BOT: .*bot\.mjs could not be loaded: The thread of the bot ended with the code 7\.$/,
    ],
  ])('with the code %j is refused in a thread with the reason', async (code, message) => {
    await writeFile(join(folder, 'bot.mjs'), code);
    const logger = createLogger('silent', { write() {} });
    const threads = { logger, execArgv: ['--import', stripTypes] };
    await expect(loadBotCode(join(folder, 'bot.mjs'), threads)).rejects.toThrow(message);
    const missing = loadBotCode(join(folder, 'none.mjs'), threads);
    await expect(missing).rejects.toThrow(/none\.mjs does not exist\.$/);
  });
});
