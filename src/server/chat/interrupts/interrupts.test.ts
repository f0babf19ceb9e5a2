// Tests of interrupts: asked in an answer of the bot, answered once by the visitor, and reported to the bot.
import { describe, expect, test } from 'vitest';
import type { AnswerInterrupt, Bot } from '../../../protocol/bot.ts';
import type { Message } from '../../../protocol/message.ts';
import type { ToolPart } from '../../../protocol/parts.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { allRows, pollOptions } from '../../testing.ts';
import {
  approval,
  approve,
  askedVisitor,
  askingBot,
  canary,
  type InterruptPart,
  idle,
  refuse,
  rowsOf,
} from './testing.ts';

async function start(options: Parameters<typeof askingBot>[0] = {}) {
  const bot = askingBot(options);
  const server = await startServer({ handler: bot.handler });
  return { server, ...bot, ...(await askedVisitor(server)) };
}

const toolOf = ({ parts = [] }: Message) => parts.find((part): part is ToolPart => part.type === 'tool');

describe('an approval', () => {
  test('is stored with the message, and the tool waits for it', async () => {
    const { messages, id } = await start();
    const asked = (await messages())[1];
    expect(asked).toMatchObject({ payload: { type: 'markdown', markdown: 'I can do that.' } });
    expect(asked?.parts).toEqual([
      expect.objectContaining({ id: 'p1', type: 'tool', state: 'approval-requested' }),
      {
        id,
        at: 14,
        type: 'interrupt',
        reason: 'tool_call',
        message: 'Send 20 EUR back?',
        toolId: 'p1',
        toolName: 'refund',
        input: { amount: 20, order: 'A-1' },
        expiresAt: expect.any(String),
        state: 'open',
      },
    ]);
  });

  test('is answered: the response, the message, the listeners and the bot have the answer', async () => {
    const { server, key, conversationId, id, respond, messages, resumed } = await start();
    const stream = await server.listen(key, conversationId);
    const { status, body } = await respond(approve);
    const settled = { id, state: 'resolved', by: 'visitor', response: { approved: true } };
    expect([status, body]).toEqual([
      200,
      { interrupt: expect.objectContaining(settled), messageId: (await messages())[1]?.id },
    ]);
    const updated = await stream.untilType('message_updated');
    expect(updated.data.parts).toEqual([
      expect.objectContaining({ state: 'approval-responded' }),
      expect.objectContaining(settled),
    ]);
    await idle(server);
    const asked = (await messages())[1];
    expect(resumed).toMatchObject([
      {
        type: 'resume',
        messageId: asked?.id,
        preview: '',
        direction: 'incoming',
        payload: {
          interrupts: [
            { id, status: 'resolved', by: 'visitor', payload: { approved: true }, state: { secret: canary } },
          ],
        },
      },
    ]);
    expect(asked && toolOf(asked)).toMatchObject({ state: 'output-available', output: 'done' });
    expect((await messages()).at(-1)?.payload).toMatchObject({ text: 'Done.' });
    await stream.cancel();
  });

  test.each([
    [
      'is refused: the tool is denied',
      refuse,
      { status: 'resolved', payload: refuse.payload },
      'output-denied',
    ],
    [
      'is cancelled by the visitor: the bot gets no payload',
      { status: 'cancelled' },
      { status: 'cancelled' },
      'cancelled',
    ],
  ])('%s', async (_, answer, reported, state) => {
    const { server, id, respond, messages, resumed } = await start();
    expect((await respond(answer)).body.interrupt).toMatchObject({ state: answer.status, by: 'visitor' });
    await idle(server);
    const shown = { id, by: 'visitor', state: { secret: canary } };
    expect(resumed[0]?.payload.interrupts).toEqual([{ ...shown, ...reported }]);
    expect((await messages())[1]?.parts?.[0]).toMatchObject({ state });
  });
});

describe('a second answer', () => {
  test('has the same result if it is the same, in any order of its names, and causes nothing', async () => {
    const form = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } } } as const;
    const { server, respond, resumed } = await start({
      ask: (bot) => bot.stream().interrupt({ ...approval, responseSchema: form }),
    });
    const first = await respond({ status: 'resolved', payload: { a: 'x', b: true } });
    await idle(server);
    const before = await allRows(server.db);
    const second = await respond({ payload: { b: true, a: 'x' }, status: 'resolved' });
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(await allRows(server.db)).toEqual(before);
    expect(resumed).toHaveLength(1);
  });

  test.each([refuse, { status: 'cancelled' }])('is a conflict if it is another one: %j', async (other) => {
    const { server, id, respond, resumed, interrupts } = await start();
    await respond(approve);
    const { status, body } = await respond(other);
    const settled = { id, state: 'resolved', response: { approved: true } };
    expect([status, body.type, body.metadata]).toEqual([
      409,
      'RelationConflict',
      { interrupt: expect.objectContaining(settled) },
    ]);
    await idle(server);
    expect(await interrupts()).toMatchObject([settled]);
    expect(resumed).toHaveLength(1);
  });
});

describe('an answer is refused', () => {
  test('an answer for an unknown id, of another participant or of an outsider is refused with the same error', async () => {
    const { server, key, conversationId, respond, interrupts } = await start();
    const guest = await server.user();
    await server.join(key, conversationId, guest);
    const outsider = await server.user();
    const [forged, foreign, unrelated, prefix] = await Promise.all([
      respond(approve, { of: 'int_00000000000000000000000000' }),
      respond(approve, { key: guest.key }),
      respond(approve, { key: outsider.key }),
      respond(approve, { of: 'p1' }),
    ]);
    for (const { status, body } of [forged, foreign, unrelated, prefix])
      expect([status, body.type, body.message]).toEqual([
        404,
        'ResourceNotFound',
        'There is no such interrupt.',
      ]);
    expect((await interrupts())[0]?.state).toBe('open');
  });

  test('an answer from a participant who was removed is refused', async () => {
    const { handler } = askingBot();
    const server = await startServer({ handler });
    const owner = await server.user();
    const guest = await server.user();
    const conversationId = await server.conversation(owner.key);
    await server.join(owner.key, conversationId, guest);
    await server.sendMessage(guest.key, conversationId, 'ask');
    await expect.poll(async () => (await rowsOf(server)).length, pollOptions).toBe(1);
    const [row] = await rowsOf(server);
    const path = `/interrupts/${row?.id}/response`;
    expect((await server.call('POST', path, { key: owner.key, body: approve })).status).toBe(404);
    await server.call('DELETE', `/conversations/${conversationId}/participants/${guest.id}`, {
      key: owner.key,
    });
    expect((await server.call('POST', path, { key: guest.key, body: approve })).status).toBe(404);
  });

  const issue = (property: string, rule: string) => [expect.objectContaining({ property, rule })];
  test.each([
    [{ status: 'resolved', payload: {} }, issue('approved', 'required')],
    [{ status: 'resolved', payload: { approved: 'yes' } }, issue('approved', 'type')],
    [
      { status: 'resolved', payload: { approved: true, input: { amount: 9_999 } } },
      issue('input', 'unknown'),
    ],
    [{ status: 'resolved', payload: { approved: true, constructor: 1 } }, issue('constructor', 'unknown')],
    [
      JSON.parse('{"status":"resolved","payload":{"approved":true,"__proto__":{"x":1}}}'),
      issue('__proto__', 'unknown'),
    ],
    [{ status: 'resolved' }, expect.anything()],
    [{ status: 'resolved', payload: [true] }, expect.anything()],
    [{ status: 'resolved', payload: true }, expect.anything()],
  ])('an answer that breaks the form is refused: %j', async (input, issues) => {
    const { respond, interrupts } = await start();
    const { status, body } = await respond(input);
    expect([status, body.type, (body.metadata as { issues: unknown }).issues]).toEqual([
      400,
      'InvalidPayload',
      issues,
    ]);
    expect((await interrupts())[0]?.state).toBe('open');
  });

  test('an answer that is too large or has thousands of wrong names is refused', async () => {
    const form = { type: 'object', properties: { a: { type: 'string' } } } as const;
    const { server, respond, interrupts } = await start({
      ask: (bot) => bot.stream().interrupt({ ...approval, responseSchema: form }),
    });
    const large = await respond({ status: 'resolved', payload: { a: 'x'.repeat(16_000) } });
    expect([large.status, large.body.type]).toEqual([413, 'PayloadTooLarge']);
    const names = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`n${n}`, 1]));
    const many = await respond({ status: 'resolved', payload: names });
    expect(many.status).toBe(400);
    expect(JSON.stringify(many.body).length).toBeLessThan(4_000);
    expect((await interrupts())[0]?.state).toBe('open');
    const long = 'y'.repeat(10_000);
    expect((await respond({ status: 'resolved', payload: { a: long } })).status).toBe(200);
    await idle(server);
    const [shown] = await interrupts();
    expect(shown).toMatchObject({ state: 'resolved', omitted: true });
  });

  test('an answer to an expired interrupt is refused, also before the server has cancelled it', async () => {
    const { server, respond, id } = await start();
    await server.db.write((tx) => tx.run('UPDATE interrupts SET expires_at = 1'));
    const { status, body } = await respond(approve);
    expect([status, body.metadata]).toEqual([
      409,
      { interrupt: expect.objectContaining({ id, state: 'cancelled', by: 'expired' }) },
    ]);
  });
});

describe('several interrupts of an answer', () => {
  const ask = (bot: Bot) => {
    const answer = bot.stream();
    const one = answer.tool({ name: 'one', input: { n: 1 } });
    const two = answer.tool({ name: 'two', input: { n: 2 } });
    return answer.end(undefined, {
      interrupts: [
        { ...approval, message: 'One?', tool: one, state: 1 },
        { ...approval, message: 'Two?', tool: two, state: { two: true } },
      ],
    });
  };

  test('several interrupts are answered one by one, and the bot receives one event for all, in their order', async () => {
    const { server, respond, interrupts, messages, resumed, handled } = await start({ ask });
    const [one, two] = await interrupts();
    expect((await messages())[1]?.payload).toEqual({ type: 'text', text: 'One?\n\nTwo?' });
    await respond(refuse, { of: two?.id ?? '' });
    await idle(server);
    expect(handled).not.toContain('resume');
    expect((await messages())[1]?.parts?.map((part) => 'state' in part && part.state)).toEqual([
      'approval-requested',
      'output-denied',
      'open',
      'resolved',
    ]);
    await respond(approve, { of: one?.id ?? '' });
    await idle(server);
    expect(resumed).toHaveLength(1);
    expect(resumed[0]?.payload.interrupts).toEqual([
      { id: one?.id, status: 'resolved', by: 'visitor', payload: { approved: true }, state: 1 },
      { id: two?.id, status: 'resolved', by: 'visitor', payload: { approved: false }, state: { two: true } },
    ]);
  });

  test('several interrupts are answered at once, and the bot receives one event', async () => {
    const { server, respond, interrupts, resumed } = await start({ ask });
    const ids = (await interrupts()).map(({ id }) => id);
    await Promise.all(ids.flatMap((of) => [respond(approve, { of }), respond(approve, { of })]));
    await idle(server);
    expect(resumed).toHaveLength(1);
  });
});

describe('a visitor who writes something else', () => {
  test('supersedes what is open: the bot receives this event before the message', async () => {
    const { server, key, conversationId, id, respond, resumed, handled, interrupts, messages } =
      await start();
    const stream = await server.listen(key, conversationId);
    await server.sendMessage(key, conversationId, 'Never mind');
    await idle(server);
    expect(handled).toEqual(['conversation_started', 'ask', 'resume', 'Never mind']);
    expect(resumed[0]?.payload.interrupts).toEqual([
      { id, status: 'cancelled', by: 'superseded', state: { secret: canary } },
    ]);
    expect(await interrupts()).toMatchObject([{ state: 'cancelled', by: 'superseded' }]);
    expect((await messages())[1]?.parts?.[0]).toMatchObject({ state: 'cancelled' });
    expect((await respond(approve)).status).toBe(409);
    const types = () => stream.frames.flatMap(({ signal }) => signal?.type ?? []);
    await expect.poll(types, pollOptions).toEqual(['message_updated', 'message_created', 'message_created']);
    await stream.cancel();
  });
});

describe('what a bot asks is refused', () => {
  const circular: { self?: unknown } = {};
  circular.self = circular;
  test.each<[string, Partial<AnswerInterrupt>, RegExp]>([
    ['a question without text', { message: '' }, /message/],
    ['an unknown tool', { toolId: 'p9' }, /no tool p9/],
    ['a short time', { expiresIn: 29_999 }, /expiresIn/],
    [
      'a form with a pattern',
      { responseSchema: { type: 'object', properties: { a: { type: 'string', pattern: 'x' } } } as never },
      /responseSchema/,
    ],
    ['a state that is not JSON', { state: circular }, /circular/],
  ])('%s', async (_, input, message) => {
    const errors: unknown[] = [];
    const { interrupts } = await start({
      ask: async (bot) => {
        await bot
          .stream()
          .interrupt({ ...approval, ...input })
          .catch((error: unknown) => errors.push(error));
        await bot.stream().interrupt(approval);
      },
    });
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })]);
    expect(await interrupts()).toHaveLength(1);
  });

  test('a tool that has ended and one that is named twice are refused', async () => {
    const errors: unknown[] = [];
    await start({
      ask: async (bot) => {
        const answer = bot.stream();
        const tool = answer.tool({ name: 'x' });
        const twice = [approval, approval].map((one) => ({ ...one, tool }));
        await answer.end(undefined, { interrupts: twice }).catch((error: unknown) => errors.push(error));
        tool.done();
        await answer.interrupt({ ...approval, tool }).catch((error: unknown) => errors.push(error));
        await bot.stream().interrupt(approval);
      },
    });
    expect(errors.map((error) => (error as Error).message)).toEqual([
      expect.stringContaining('named twice'),
      expect.stringContaining('has ended'),
    ]);
  });

  test('a change of an interrupt is refused, in a stream and afterwards', async () => {
    const errors: unknown[] = [];
    const { id, interrupts } = await start({
      ask: async (bot) => {
        const { id: messageId, parts = [] } = await bot.stream().interrupt(approval);
        const asked = parts.find(({ type }) => type === 'interrupt');
        const change = { state: 'resolved', by: 'visitor', response: { approved: true } };
        await bot
          .updatePart(messageId, asked?.id ?? '', change)
          .catch((error: unknown) => errors.push(error));
        const forged = { ...asked, id: 'forged' } as never;
        await bot
          .reply({ type: 'text', text: 'x' }, { parts: [forged] })
          .catch((error: unknown) => errors.push(error));
      },
    });
    await expect.poll(() => errors.length, pollOptions).toBe(2);
    expect(await interrupts()).toMatchObject([{ id, state: 'open' }]);
  });
});

test('a tool with a long input shows the beginning, and its approval all of it', async () => {
  const text = 'x'.repeat(10_000);
  const { messages } = await start({
    ask: (bot) => {
      const answer = bot.stream();
      return answer.interrupt({ ...approval, tool: answer.tool({ name: 'mail', input: { text } }) });
    },
  });
  const [tool, asked] = (await messages())[1]?.parts ?? [];
  expect(tool).toMatchObject({ type: 'tool', omitted: true, truncated: true });
  expect((asked as InterruptPart).input).toEqual({ text });
});

test('the text in the state of an interrupt is in no response, signal, export or log', async () => {
  const { server, key, conversationId, respond, resumed, userId: id } = await start();
  const stream = await server.listen(key, conversationId, 0);
  const seen: string[] = [];
  const read = async (path: string, headers: Record<string, string> = {}) =>
    seen.push(await (await server.fetch(path, { headers: { 'x-user-key': key, ...headers } })).text());
  const { token, workspaceId } = server.admin;
  const bots = await server.db.read((tx) =>
    tx.all<{ id: string; userId: string }>('SELECT id, user_id FROM bots'),
  );
  const admin = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-bot-id': bots[0]?.id ?? '',
  };
  const all = async () => {
    await read(`/chat/demo/conversations/${conversationId}/messages`);
    await read(`/v1/chat/messages?conversationId=${conversationId}`, admin);
    await read(`/v1/admin/bots/${bots[0]?.id}/logs`, admin);
    await read(`/v1/admin/bots/${bots[0]?.id}/dead-letters`, admin);
    await read(`/v1/admin/bots/${bots[0]?.id}/users/${id}/export`, admin);
  };
  await all();
  seen.push(JSON.stringify((await respond(refuse)).body));
  seen.push(JSON.stringify((await respond(approve)).body));
  await idle(server);
  await all();
  seen.push(JSON.stringify(stream.frames), JSON.stringify(server.log));
  expect(JSON.stringify(resumed)).toContain(canary);
  expect(seen.join('\n').length).toBeGreaterThan(2_000);
  expect(seen.filter((text) => text.includes(canary))).toEqual([]);
  // An export has what was shown: the question, and at the end the answer.
  const exports = seen.filter((text) => text.includes('"serverId"'));
  expect(exports).toEqual([
    expect.stringContaining('Send 20 EUR back?'),
    expect.stringContaining('"approved":false'),
  ]);
  // The event had it, and the server has forgotten it.
  expect(JSON.stringify(await allRows(server.db))).not.toContain(canary);
  await stream.cancel();
});

describe('with its conversation, message or user', () => {
  test.each(['conversation', 'user'])('an interrupt is deleted with the %s', async (what) => {
    const { server, key, conversationId, respond } = await start();
    const path = what === 'user' ? '/users/me' : `/conversations/${conversationId}`;
    await server.call('DELETE', path, { key });
    expect((await respond(approve)).status).toBe(what === 'user' ? 401 : 404);
    await server.composition.cleanUp();
    expect(await rowsOf(server)).toEqual([]);
  });

  test('of a user who was deleted, nothing is kept in the conversation of another user, and the interrupt expires', async () => {
    const { handler, handled } = askingBot();
    const server = await startServer({ handler });
    const owner = await server.user();
    const guest = await server.user();
    const conversationId = await server.conversation(owner.key);
    await server.join(owner.key, conversationId, guest);
    await server.sendMessage(guest.key, conversationId, 'ask');
    await expect.poll(async () => (await rowsOf(server)).length, pollOptions).toBe(1);
    await server.call('DELETE', '/users/me', { key: guest.key });
    await server.composition.cleanUp();
    expect(await rowsOf(server)).toMatchObject([{ bot_state: null, payload: null }]);
    const again = await server.restart();
    await expect.poll(async () => (await rowsOf(again))[0]?.state, pollOptions).toBe('cancelled');
    await idle(again);
    expect(handled).not.toContain('resume');
  });

  test('an anonymous user who is merged can answer as the other user, and no longer as the first', async () => {
    const { server, key, id, resumed } = await start();
    const named = server.sign('ada');
    await server.call('POST', '/users/get-or-create', { key: named, body: {} });
    const merged = await server.call('POST', '/users/me/merge', { key: named, body: { userKey: key } });
    expect(merged.status).toBe(200);
    const path = `/interrupts/${id}/response`;
    expect((await server.call('POST', path, { key, body: approve })).status).toBe(401);
    expect((await server.call('POST', path, { key: named, body: approve })).status).toBe(200);
    await idle(server);
    expect(resumed).toHaveLength(1);
  });
});

test('every query of interrupts uses an index', async () => {
  const { server, key, conversationId, respond } = await start();
  const explained: string[] = [];
  if (server.db.isShared) return;
  await respond(approve);
  await server.sendMessage(key, conversationId, 'x');
  const { statements } = await interruptStatements();
  for (const sql of statements) {
    const plan = await server.db.read((tx) => tx.all<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`));
    explained.push(
      ...plan
        .map(({ detail }) => detail)
        .filter((detail) => detail.startsWith('SCAN') && !/CONSTANT/.test(detail)),
    );
  }
  expect(statements.length).toBeGreaterThan(8);
  expect(explained).toEqual([]);
});

/** Each statement of the module, with the text that its functions pass to the database. */
async function interruptStatements() {
  const module = await import('../../storage/chat/interrupts.ts');
  const statements: string[] = [];
  const record = async (sql: string) => {
    statements.push(sql);
    return [] as never;
  };
  const tx = { dialect: 'sqlite', get: record, all: record, run: record } as never;
  const functions = Object.values(module).filter((value) => value.constructor.name === 'AsyncFunction');
  for (const call of functions)
    await (call as (...given: unknown[]) => Promise<unknown>)(tx, { id: 'x' }, 1, 1);
  return { statements };
}
