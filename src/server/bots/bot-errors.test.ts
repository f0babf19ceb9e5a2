// Tests what the log says about a bot that fails, and what the visitor sees of it: in development the error with its
// stack, in production nothing.
import { describe, expect, test } from 'vitest';
import type { Bot, BotHandler } from '../../protocol/bot.ts';
import { startServer } from '../testing/servers.testing.ts';
import { pollOptions, type TestOptions, type TestServer } from '../testing.ts';

type Work = (bot: Bot) => unknown;

/** The log that a case expects; `botTimeLimit` in milliseconds, for the bot that does not end. */
type Expected = { type: string; message: RegExp; line?: boolean; botTimeLimit?: number };

/** Starts a server whose bot runs `work` for the text "bad", and sends this text. `botTimeLimit` in milliseconds. */
async function fail(work: Work, { DEV_ERRORS = 'off', botTimeLimit = 60_000 }: TestOptions = {}) {
  const handler: BotHandler = async (event, bot) => {
    if (event.preview === 'bad') await work(bot);
  };
  const server = await startServer({ handler, botTimeLimit, DEV_ERRORS });
  const { key } = await server.user();
  const conversationId = await server.conversation(key);
  await server.sendMessage(key, conversationId, 'bad');
  const unfinished = () => server.db.read((tx) => tx.all('SELECT event_id FROM deliveries'));
  await expect.poll(unfinished, pollOptions).toEqual([]);
  return { server, key, conversationId };
}

const failures = (server: TestServer) => server.log.filter(({ msg }) => msg === 'bot failed');

async function texts({ server, key, conversationId }: Awaited<ReturnType<typeof fail>>) {
  const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
  return JSON.stringify(body);
}

const throwing = (error: Error): never => {
  throw error;
};

describe('the log of a failing bot', () => {
  const wrong = (payload: object) => (bot: Bot) => bot.reply(payload as never);
  const notValid = /^The payload is not valid: /;
  test.each<[string, Work, Expected]>([
    [
      'throws',
      () => throwing(new RangeError('it is empty')),
      { type: 'RangeError', message: /^it is empty$/, line: true },
    ],
    ['rejects', () => Promise.reject(new Error('no db')), { type: 'Error', message: /^no db$/, line: true }],
    ['throws a text', () => Promise.reject('just words'), { type: 'string', message: /^just words$/ }],
    ['throws nothing', () => Promise.reject(), { type: 'undefined', message: /^undefined$/ }],
    [
      'replies with a wrong payload',
      wrong({ type: 'text', text: 7 }),
      { type: 'TypeError', message: /^The payload is not valid: text: Expected string\.$/, line: true },
    ],
    [
      'replies with a wrong payload and does not await it',
      (bot) => void wrong({ type: 'choice', text: 'x', options: [{ label: 'y' }] })(bot),
      { type: 'TypeError', message: /options\.0\.value/, line: true },
    ],
    [
      'ends a stream with a wrong payload',
      (bot) => bot.stream().end({ type: 'image' } as never),
      { type: 'TypeError', message: /imageUrl/, line: true },
    ],
    [
      'replies with too much',
      wrong({ type: 'text', text: 'x'.repeat(1_100_000) }),
      { type: 'ApiError', message: /payload has \d+ bytes/, line: true },
    ],
    [
      'sends an event that is not an object',
      (bot) => bot.sendEvent('x' as never),
      { type: 'TypeError', message: notValid, line: true },
    ],
    [
      'does not end',
      () => new Promise(() => {}),
      { type: 'ApiError', message: /The handler did not finish within 500 ms/, botTimeLimit: 500 },
    ],
  ])('a bot that %s', async (_, work, { type, message, line = false, botTimeLimit }) => {
    const { server, conversationId } = await fail(work, { botTimeLimit });
    expect(failures(server)).toHaveLength(1);
    const [entry] = failures(server);
    expect(entry).toMatchObject({
      botId: expect.stringMatching(/^bot_/),
      eventId: expect.stringMatching(/^evt_/),
      eventType: 'text',
      conversationId,
      err: { message: expect.stringMatching(message) },
    });
    const { err } = entry as { err: { type: string; stack?: string } };
    expect(err.type).toBe(type);
    if (line) expect(err.stack).toMatch(/bot-errors\.test\.ts:\d+:\d+/);
  });
});

test('an error that the bot handles, now or later, is not logged', async () => {
  const wrong = { type: 'text', text: '' } as const;
  const { server } = await fail(async (bot) => {
    bot.reply(wrong).catch(() => {});
    const [later, sooner] = [bot.reply(wrong), bot.reply(wrong)];
    await Promise.allSettled([sooner, bot.sendEvent({})]);
    await expect(later).rejects.toThrow('text: ');
  });
  expect(server.log.filter(({ err }) => err)).toEqual([]);
});

describe('the window of a visitor whose bot fails', () => {
  const secretWork: Work = () =>
    throwing(new Error('secret ```words``` <b>', { cause: new TypeError('the inner reason') }));

  /** Asserts that neither the messages nor a stream contain anything of the error. */
  async function assertHidden(run: Awaited<ReturnType<typeof fail>>) {
    const stream = await run.server.listen(run.key, run.conversationId, 0);
    await stream.until(({ data }) => data.includes('bot_failed'));
    await stream.cancel();
    for (const text of [await texts(run), JSON.stringify(stream.frames)]) {
      expect(text).toContain('Sorry, no answer came.');
      expect(text).not.toMatch(/secret|inner reason|bot-errors|development/);
    }
  }

  test('in development it shows the error and its stack in a code block, before the usual notice', async () => {
    const run = await fail(secretWork, { DEV_ERRORS: 'on' });
    const { body } = await run.server.call('GET', `/conversations/${run.conversationId}/messages`, {
      key: run.key,
    });
    const [notice, shown] = body.messages as { payload: { markdown: string }; metadata: object }[];
    expect(notice).toMatchObject({ payload: { type: 'text' }, metadata: { error: 'bot_failed' } });
    expect(shown).toMatchObject({ payload: { type: 'markdown' }, metadata: { development: true } });
    const [, block = ''] = /\n````text\n([\s\S]*)\n````\n/.exec(shown?.payload.markdown ?? '') ?? [];
    expect(block).toMatch(/^Error: secret ```words``` <b>\n {4}at .*bot-errors\.test\.ts/);
    expect(shown?.payload.markdown).toContain('\n```` Error: secret ```words``` <b> ````\n');
    expect(block).not.toContain('node:');
    expect(block).toContain('Caused by: TypeError: the inner reason');
  });

  test('in development: once for an event that is delivered again', async () => {
    const run = await fail(secretWork, { DEV_ERRORS: 'on' });
    const server = await run.server.restart();
    expect((await texts({ ...run, server })).match(/development/g)).toHaveLength(2);
  });

  test('in production: no message or stream contains anything of the error', async () => {
    await assertHidden(await fail(secretWork));
  });

  test('in production on the data of development: the errors are removed before the first request', async () => {
    const run = await fail(secretWork, { DEV_ERRORS: 'on' });
    expect(await texts(run)).toContain('inner reason');
    const server = await run.server.restart({ DEV_ERRORS: 'off' });
    await assertHidden({ ...run, server });
    const rows = await server.db.read((tx) => tx.all('SELECT * FROM messages'));
    expect(JSON.stringify(rows)).not.toContain('inner reason');
  });
});
