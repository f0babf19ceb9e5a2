// Tests of createTestBot: a bot behaves in it as in production.
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { createCacheFolder } from '../../../scripts/cache-folder.mjs';
import type { BotEvent, BotHandler } from '../../protocol/bot.ts';
import type { Message } from '../../protocol/message.ts';
import { stripTypes } from '../testing.ts';
import { createTestBot, type TestBot, type TestBotOptions } from './index.ts';

const bots: TestBot[] = [];
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.close();
});
async function start(handler: BotHandler, options?: TestBotOptions): Promise<TestBot> {
  const bot = await createTestBot(handler, options);
  bots.push(bot);
  return bot;
}
const textOf = ({ payload }: Message) =>
  payload.type === 'text' ? payload.text : payload.type === 'markdown' ? payload.markdown : payload.type;

test('a bot answers a message, after it has received the start of the conversation', async () => {
  const events: BotEvent[] = [];
  const locale = { page: 'pt-BR', timeZone: 'America/Sao_Paulo' };
  const bot = await start(
    async (event, bot) => {
      events.push(event);
      if (event.type === 'conversation_started')
        await bot.reply({ type: 'text', text: `Hello ${bot.user.name}!` });
      else await bot.reply({ type: 'text', text: `You said: ${event.preview}` }, { metadata: { a: 1 } });
    },
    { user: { name: 'Ada' }, locale },
  );
  expect((await bot.messages()).map(textOf)).toEqual(['Hello Ada!']);
  const replies = await bot.send('Hi', { metadata: { from: 'test' } });
  expect(replies).toMatchObject([{ payload: { type: 'text', text: 'You said: Hi' }, metadata: { a: 1 } }]);
  expect((await bot.messages()).map(textOf)).toEqual(['Hello Ada!', 'Hi', 'You said: Hi']);
  expect(events).toMatchObject([
    { type: 'conversation_started', direction: 'incoming' },
    { type: 'text', payload: { type: 'text', text: 'Hi' }, createdOn: expect.any(Date), locale },
  ]);
});

test('a visitor presses buttons of cards, questions and suggestions, and not those that are not there', async () => {
  const bot = await start(async (event, bot) => {
    if (event.type === 'conversation_started') {
      await bot.reply({
        type: 'card',
        title: 'Order',
        actions: [
          { action: 'postback', label: 'Track', value: 'track_1' },
          { action: 'url', label: 'Open', value: 'https://example.com' },
        ],
      });
      await bot.reply({ type: 'choice', text: 'Sure?', options: [{ label: 'Yes', value: 'y' }] });
    } else {
      const answer = bot.stream();
      answer.write(JSON.stringify(event.payload));
      answer.suggest(['More', { label: 'Less', value: 'Say less' }]);
      await answer.end();
    }
  });
  for (const [label, payload] of [
    ['Track', { type: 'text', text: 'Track', value: 'track_1' }],
    ['Yes', { type: 'text', text: 'Yes', value: 'y' }],
    ['Less', { type: 'text', text: 'Say less' }],
  ] as const)
    expect((await bot.click(label)).map(textOf)).toEqual([JSON.stringify(payload)]);
  await expect(bot.click('Open')).rejects.toThrow('No message of the bot has a button “Open”.');
});

test('streams, parts, typing, custom events, commands and states work as in production', async () => {
  const bot = await start(async (event, bot) => {
    if (event.type !== 'text') return;
    bot.typing(true);
    const answer = bot.stream();
    answer.status('Searching');
    const tool = answer.tool({ name: 'get_order', input: { id: 'A-1' } });
    tool.done({ status: 'sent' });
    answer.write('On its way.');
    await answer.end();
    await bot.sendEvent({ order: 'A-1' });
    await bot.setVisibility('show');
    const count = Number((await bot.getState('user', 'visits'))?.count ?? 0) + 1;
    await bot.setState('user', 'visits', { count });
    await bot.reply({ type: 'text', text: `Visit ${count}` });
  });
  const [answer, visit] = await bot.send('Where is it?');
  expect(answer?.parts).toMatchObject([
    { type: 'tool', toolName: 'get_order', state: 'output-available', output: { status: 'sent' } },
  ]);
  expect(visit && textOf(visit)).toBe('Visit 1');
  expect((await bot.send('Again')).map(textOf)).toEqual(['On its way.', 'Visit 2']);
  const types = new Set(bot.signals.map(({ type }) => type));
  for (const type of [
    'typing_started',
    'message_stream_delta',
    'message_stream_complete',
    'webchat_visibility',
  ])
    expect(types).toContain(type);
  expect((await bot.until('event_created')).data).toMatchObject({ payload: { order: 'A-1' } });
});

test('a custom event and a rating reach the bot', async () => {
  const bot = await start(async (event, bot) => {
    if (event.type !== 'text')
      await bot.reply({ type: 'text', text: `${event.type} ${JSON.stringify(event.payload)}` });
    else await bot.reply({ type: 'text', text: 'Rate me' });
  });
  expect((await bot.sendEvent({ page: '/cart' })).map(textOf)).toEqual(['custom {"page":"/cart"}']);
  const [message] = await bot.send('x');
  const [rated] = await bot.rate(message?.id ?? '', 'negative', 'Why?');
  expect(rated && textOf(rated)).toBe(
    `feedback ${JSON.stringify({ messageId: message?.id, value: 'negative', comment: 'Why?' })}`,
  );
});

test('a stopped answer is stored as far as it was written', async () => {
  const bot = await start(async (event, bot) => {
    if (event.type !== 'text') return;
    const answer = bot.stream();
    answer.write('Half');
    await new Promise((resolve) => answer.signal.addEventListener('abort', resolve));
    await answer.end();
  });
  const sent = bot.send('Go');
  await bot.until('message_stream_delta');
  await bot.stop();
  expect(await sent).toMatchObject([{ payload: { markdown: 'Half' }, metadata: { stopped: true } }]);
});

test('errors of the bot are those of the test, and the visitor reads what visitors read', async () => {
  const broken = new Error('broken');
  const bot = await start(async (event, bot) => {
    if (event.preview === 'throw') throw broken;
    if (event.preview === 'wrong') await bot.reply({ type: 'text', text: 7 } as never);
    if (event.preview === 'unawaited') void bot.reply({ type: 'nothing' } as never);
    if (event.preview === 'caught') await bot.reply({ type: 'nothing' } as never).catch(() => {});
  });
  await expect(bot.send('throw')).rejects.toBe(broken);
  expect((await bot.messages()).map(textOf).at(-1)).toMatch(/^Sorry, no answer came/);
  await expect(bot.send('wrong')).rejects.toThrow('The payload is not valid: text');
  await expect(bot.send('unawaited')).rejects.toThrow('The payload is not valid');
  expect(await bot.send('caught')).toEqual([]);
  // Actions of the visitor are checked, too.
  await expect(bot.send({ type: 'text' } as never)).rejects.toThrow('POST /messages: 400');
  expect(await bot.send('again')).toEqual([]);
});

test('a bot that takes too long has failed', async () => {
  const bot = await start((event) => (event.type === 'text' ? new Promise(() => {}) : undefined), {
    timeLimit: 50,
  });
  await expect(bot.send('x')).rejects.toThrow('The bot has failed');
});

test('a bot that fails at the beginning of the conversation cannot be started, and leaves nothing behind', async () => {
  // Other tests that run at the same time create folders, too.
  const folder = await mkdtemp(join(tmpdir(), 'webchat-nothing-'));
  vi.stubEnv('TMPDIR', folder);
  try {
    await expect(createTestBot(() => Promise.reject(new Error('at once')))).rejects.toThrow('at once');
    const remaining = await readdir(folder);
    expect(remaining.filter((name) => name.startsWith('webchat-bot-'))).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true });
  }
});

test('two bots do not know of each other, actions at once follow one another, and a closed bot waits for nothing', async () => {
  const handler: BotHandler = async (event, bot) => {
    if (event.type === 'text') await bot.reply({ type: 'text', text: `${event.preview}!` });
  };
  const [one, two] = [await start(handler), await start(handler)];
  const answers = await Promise.all([one.send('a'), one.send('b'), two.send('c'), one.send('d')]);
  expect(answers.map((messages) => messages.map(textOf))).toEqual([['a!'], ['b!'], ['c!'], ['d!']]);
  const refused = expect(one.until('webchat_config')).rejects.toThrow('The bot was closed.');
  await one.close();
  await refused;
  await one.close();
});

test('the example of docs/guides/bots.md passes unchanged', async () => {
  const root = join(import.meta.dirname, '../../..');
  const page = await readFile(join(root, 'docs/guides/bots.md'), 'utf8');
  const example = /## Tests of a bot[\s\S]*?```ts\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  expect(example).toContain('await bot.close()');
  const folder = await createCacheFolder('bot-testing-');
  try {
    const module = join(import.meta.dirname, 'index.ts');
    const file = join(folder, 'bot.ts');
    await writeFile(file, example.replace("'platform-webchat/testing'", JSON.stringify(module)));
    const { stderr } = await promisify(execFile)(process.execPath, ['--import', stripTypes, file]);
    expect(stderr).not.toMatch(/Error/);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a person takes over, answers, and gives the conversation back', async () => {
  const bot = await start(async (event, { reply, handoff }) => {
    if (event.type === 'handoff_ended') await reply({ type: 'text', text: 'I am back.' });
    if (event.type !== 'text') return;
    if (event.preview === 'person') await handoff({ reason: 'asked' });
    else {
      const actions = [{ action: 'handoff' as const, label: 'Talk to a person', value: 'Help' }];
      await reply({ type: 'card', title: 'Help', actions });
    }
  });
  expect(await bot.send('person')).toEqual([]);
  await expect(bot.takeOver('Ben' as never)).rejects.toThrow(
    "takeOver() takes an object: takeOver({ name: 'Ada' }).",
  );
  await bot.takeOver({ name: 'Ben' });
  expect(await bot.send('Hello?')).toEqual([]);
  await bot.say('Hi');
  expect((await bot.messages()).at(-1)).toMatchObject({ author: { kind: 'person', name: 'Ben' } });
  expect(await bot.returnToBot()).toMatchObject([{ payload: { text: 'I am back.' } }]);
  await bot.send('Help');
  await bot.click('Talk to a person');
  expect((await bot.until('handling_changed')).data.state).toBe('waiting');
  await bot.takeOver();
  await bot.say('Ada here');
});
