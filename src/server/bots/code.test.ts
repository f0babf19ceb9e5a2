// Tests of the code of bots: its digest, which workspace can select which module, and what the error of a failed module reveals.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { type AdminFixture, createAdminFixture, requesterFor, type SendRequest } from '../admin/testing.ts';
import { unlimitedSettings } from '../composition/unlimited.ts';
import { createLogger } from '../startup/log.ts';
import { botOfWebhook } from '../storage/bots/bots.ts';
import { heldLimit, holdLimits } from '../testing/held-timers.testing.ts';
import { pollOptions, stripTypes } from '../testing.ts';
import { createBotCode, digestBotCode } from './code.ts';
import { inProcess } from './threads/load-bot.ts';
import { startVisitor } from './webhooks/testing.ts';

let home: string;
let bot: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'webchat-digest-'));
  bot = join(home, 'one', 'bot.mjs');
  await mkdir(join(home, 'one', 'lib'), { recursive: true });
  await mkdir(join(home, 'shared'));
  await mkdir(join(home, 'bots', 'wkspace_1'), { recursive: true });
  await writeFile(
    bot,
    `import { a } from './lib/a.mjs'; import fs from 'node:fs'; import '../shared/c.js';
     const late = () => import("./lib/late.mjs"); export default () => a;`,
  );
  await writeFile(
    join(home, 'one', 'lib', 'a.mjs'),
    `export * from '../bot.mjs'; export { b } from "./b.mjs";`,
  );
  await writeFile(join(home, 'one', 'lib', 'b.mjs'), 'export const b = 1;');
  await writeFile(join(home, 'one', 'lib', 'late.mjs'), 'export const late = 1;');
  await writeFile(join(home, 'shared', 'c.js'), 'export const c = 1;');
  await writeFile(join(home, 'bots', 'wkspace_1', 'other.mjs'), 'export default () => 1;');
});
afterEach(() => rm(home, { recursive: true, force: true }));

test.each([
  'one/bot.mjs',
  'one/lib/a.mjs',
  'one/lib/b.mjs',
  'one/lib/late.mjs',
  'shared/c.js',
  'bots/wkspace_1/other.mjs',
])('a change of %s changes the digest, and so does its removal', async (name) => {
  const digest = () => digestBotCode(bot, join(home, 'bots'));
  const before = await digest();
  expect(await digest()).toBe(before);
  await writeFile(join(home, name), `${name === 'one/bot.mjs' ? "import './lib/a.mjs';" : ''} // changed`);
  const changed = await digest();
  expect(changed).not.toBe(before);
  await rm(join(home, name));
  expect([before, changed]).not.toContain(await digest());
});

test('the digest is the same at another place, and ignores files that no bot uses', async () => {
  const before = await digestBotCode(bot, join(home, 'bots'));
  expect(before).toMatch(/^[\w-]{43}$/);
  await writeFile(join(home, 'one', 'unused.mjs'), 'unused');
  await writeFile(join(home, 'bots', 'notes.txt'), 'notes');
  await mkdir(join(home, 'bots', 'node_modules', 'left'), { recursive: true });
  await writeFile(join(home, 'bots', 'node_modules', 'left', 'index.js'), 'left');
  const copy = `${home}-copy`;
  await cp(home, copy, { recursive: true });
  expect(await digestBotCode(join(copy, 'one', 'bot.mjs'), join(copy, 'bots'))).toBe(before);
  await rm(copy, { recursive: true });
});

test('files with the same bytes at other boundaries, and names, have another digest', async () => {
  const digests = new Set<string>();
  for (const [one, two] of [
    ['ab', 'c'],
    ['a', 'bc'],
    ['', 'abc'],
  ]) {
    await writeFile(join(home, 'bots', 'one.mjs'), one ?? '');
    await writeFile(join(home, 'bots', 'two.mjs'), two ?? '');
    digests.add(await digestBotCode(bot, join(home, 'bots')));
  }
  expect(digests.size).toBe(3);
});

test('what is missing or cannot be read counts as missing', async () => {
  expect(await digestBotCode(join(home, 'none.mjs'), join(home, 'none'))).toMatch(/^[\w-]{43}$/);
});

let context: AdminFixture;
let owner: SendRequest;
let theirs: SendRequest;
let their = '';

const codeReplying = (text: string) =>
  `export default async (_, bot) => void (await bot.reply({ type: 'text', text: '${text}' }));`;
const secret = 'postgres://secret@database';

beforeAll(async () => {
  const first = await createAdminFixture();
  const made = (await first.owner('POST', '/workspaces', { name: 'B', email: 'b@example.com' })).body;
  their = made.workspace.id;
  const folder = join(first.server.home, 'bots');
  await mkdir(join(folder, their), { recursive: true });
  await mkdir(join(folder, first.workspaceId));
  const modules = {
    'ours.mjs': codeReplying('ours'),
    'both.mjs': codeReplying('ours'),
    'throws.mjs': `throw new Error('${secret} ours');`,
    [`${their}/theirs.mjs`]: codeReplying('theirs'),
    [`${their}/both.mjs`]: codeReplying('theirs'),
    [`${their}/throws.mjs`]: `throw new TypeError('${secret}');`,
    [`${their}/number.mjs`]: 'export default 7;',
    [`${first.workspaceId}/hidden.mjs`]: codeReplying('hidden'),
  };
  for (const [name, text] of Object.entries(modules)) await writeFile(join(folder, name), text);
  const server = await first.server.restart({ BOTS: folder });
  context = { ...first, server };
  owner = requesterFor(server, first.tokens.owner, first.workspaceId);
  theirs = requesterFor(server, made.value, their);
});
afterAll(() => context.server.close());

let count = 0;
const make = async (send: SendRequest, code: string) => {
  count += 1;
  return send('POST', '/bots', { name: `x ${count}`, webhookId: `code-${count}`, code });
};
/** Returns the text that the newest bot sends. */
const replyText = async () => {
  const { texts } = await startVisitor(() => context.server, `code-${count}`);
  await expect.poll(texts, pollOptions).not.toEqual([]);
  return (await texts()).join();
};

test('bot code: each workspace runs its own modules, also with the same name', async () => {
  for (const [send, code, text] of [
    [owner, 'ours.mjs', 'ours'],
    [theirs, 'theirs.mjs', 'theirs'],
    [owner, 'both.mjs', 'ours'],
    [theirs, 'both.mjs', 'theirs'],
  ] as const) {
    expect((await make(send, code)).status).toBe(200);
    expect([code, await replyText()]).toEqual([code, text]);
  }
});

test('bot code: a module of another workspace is not found under any path', async () => {
  const { bot } = (await make(theirs, 'theirs.mjs')).body;
  for (const [send, code] of [
    [theirs, 'ours.mjs'],
    [theirs, '../ours.mjs'],
    [owner, 'theirs.mjs'],
    [owner, `${their}/theirs.mjs`],
    [owner, 'hidden.mjs'],
  ] as const) {
    const answers = [await make(send, code)];
    if (send === theirs) answers.push(await send('PUT', `/bots/${bot.id}/deployment`, { code }));
    for (const { status, body } of answers) {
      expect([code, status, body.type]).toEqual([code, 400, 'InvalidPayload']);
      expect(JSON.stringify(body)).not.toContain(context.server.home);
    }
  }
  // Nor for a bot that selected it before this rule existed.
  await context.server.db.write((tx) => tx.run("UPDATE bots SET code = 'ours.mjs' WHERE id = ?", bot.id));
  count += 1;
  await context.server.db.write((tx) =>
    tx.run('UPDATE bots SET webhook_id = ? WHERE id = ?', `code-${count}`, bot.id),
  );
  expect((await context.server.db.read((tx) => botOfWebhook(tx, `code-${count}`)))?.code).toBe('ours.mjs');
  expect(await replyText()).toBe('Sorry, no answer came. Please try again.');
});

test('bot code: only the first workspace sees the error of a module that fails to load', async () => {
  expect((await make(owner, 'throws.mjs')).body.message).toContain(`${secret} ours`);
  const { status, body } = await make(theirs, 'throws.mjs');
  expect([status, body.type]).toEqual([400, 'InvalidPayload']);
  expect(body.message).toContain('code: throws.mjs could not be loaded');
  expect(JSON.stringify(body)).not.toContain('secret');
  const { message } = (await make(theirs, 'number.mjs')).body;
  expect(message).toBe('code: number.mjs has no function as its default export.');
  expect((await make(theirs, 'none.mjs')).body.message).toBe('code: the file none.mjs does not exist.');
});

test('bot code: the log has the type, the message and the position of a module error', async () => {
  const lines: string[] = [];
  const { botCode, file } = await coded((line) => lines.push(line));
  await expect(botCode.assertLoadable('range.mjs', 'ws_b')).rejects.toThrow('range.mjs could not be loaded');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('RangeError');
  expect(lines[0]).toContain(file);
  expect(lines[0]).toContain(secret);
  expect(JSON.parse(lines[0] ?? '').err.message).toContain(`${file}:1:7`);
});

test('bot code: a module that hangs while it is selected is ended, and can be selected once it is repaired', async () => {
  const { limits, ended, botCode, file } = await hanging();
  const selected = botCode.assertLoadable('range.mjs', 'ws_b');
  expect(limits.count()).toBe(1);
  limits.latest().elapse();
  await expect(selected).rejects.toThrow('code: range.mjs takes too long to load.');
  expect(ended).toHaveBeenCalledOnce();
  await writeFile(file, codeReplying('repaired'));
  await botCode.assertLoadable('range.mjs', 'ws_b');
  await botCode.close();
  expect(ended).toHaveBeenCalledTimes(2);
});

test('bot code: a module that takes too long to be selected is not ended while events wait for it', async () => {
  const { limits, ended, botCode, bot } = await hanging();
  const waiting = botCode.handlerOf(bot);
  const selected = botCode.assertLoadable('range.mjs', 'ws_b');
  limits.latest().elapse();
  await expect(selected).rejects.toThrow('code: range.mjs takes too long to load.');
  expect(ended).not.toHaveBeenCalled();
  await Promise.all([botCode.close(), expect(waiting).rejects.toThrow('The server stops.')]);
  expect(ended).toHaveBeenCalledOnce();
});

test('bot code: a module that hangs while it is selected ends with the server', async () => {
  const { ended, botCode } = await hanging();
  const selected = botCode.assertLoadable('range.mjs', 'ws_b');
  await botCode.close();
  await expect(selected).rejects.toThrow('The server stops.');
  expect(ended).toHaveBeenCalledOnce();
});

/** A module that hangs while it is loaded in a thread, and how often threads were ended. */
async function hanging() {
  const limits = holdLimits();
  const ended = vi.spyOn(Worker.prototype, 'terminate');
  onTestFinished(() => ended.mockRestore());
  return { limits, ended, ...(await coded(() => {}, { isThread: true, text: 'for (;;) {}' })) };
}

/** A BotCode without a server, and a module of the workspace `ws_b` that throws by default. Its time to load is held. */
async function coded(
  write: (line: string) => unknown,
  { isThread = false, text = `throw new RangeError('${secret}');` } = {},
) {
  const folder = join(context.server.home, 'more');
  const file = join(folder, 'ws_b', 'range.mjs');
  await mkdir(join(folder, 'ws_b'), { recursive: true });
  await writeFile(file, text);
  const logger = createLogger('info', { write });
  const botCode = createBotCode({
    settings: { ...unlimitedSettings(), BOTS: folder },
    workspaceId: 'ws_a',
    bot: inProcess(() => {}),
    botThreads: isThread ? { logger, execArgv: ['--import', stripTypes] } : undefined,
    logger,
    loadTime: heldLimit,
  });
  const found = await context.server.db.read((tx) => botOfWebhook(tx, 'demo'));
  if (!found) throw new Error('There is no bot.');
  return { botCode, file, bot: { ...found, code: 'range.mjs', workspaceId: 'ws_b' } };
}
