// Tests how many SQL statements a message of a visitor needs until its bot has handled it. How often it waits for a database of
// another process is in ../chat/post-group.test.ts.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BotEvent, BotHandler } from '../../protocol/bot.ts';
import { createMemoryRelayHub } from '../cluster/relay/memory-relay.testing.ts';
import type { Relay } from '../cluster/relay/relay.ts';
import type { Database } from '../storage/database.ts';
import { insertKnowledgeBase } from '../storage/files/knowledge-bases.ts';
import { isPostgresTest } from '../storage/postgres/testing.ts';
import { putState } from '../storage/runtime/states.ts';
import { changeTags } from '../storage/runtime/tags.ts';
import { allRows, pollOptions, recordStatements, startTestServer, type TestServer } from '../testing.ts';

let server: TestServer;
let read: Database['read'];
let statements: string[];
let handled: string[];
let handler: BotHandler;
let visitor: { id: string; key: string };
let conversationId: string;

beforeEach(async () => {
  handled = [];
  handler = () => {};
  await start();
});

/** `relay`: set if other processes use the same database. */
async function start(relay?: Relay) {
  server = await startTestServer({
    relay,
    // No process renews its lease in between.
    leaseTime: 3_600_000,
    handler: async (event, bot) => {
      await handler(event, bot);
      handled.push(event.type === 'text' ? event.preview : event.type);
    },
  });
  ({ read } = server.db);
  visitor = await server.user();
  conversationId = await server.conversation(visitor.key);
  await finished(['conversation_started']);
  // Nothing runs in the background.
  await server.composition.cleanUp();
  statements = recordStatements(server.db);
}
afterEach(() => server.close());

/** Waits until the bot has handled these events and none is stored any more. */
async function finished(events: string[]) {
  const state = async () => ({ handled, left: await read((tx) => tx.all('SELECT * FROM deliveries')) });
  await expect.poll(state, pollOptions).toEqual({ handled: events, left: [] });
}

/** The beginning of each statement since the last call, which names its table. */
async function statementsOf(events: string[]): Promise<string[]> {
  await finished(events);
  // Ends when the runner has nothing to do.
  await server.composition.close();
  return statements
    .splice(0)
    .map((sql) => /(?:FROM|INTO|UPDATE|DELETE FROM) +([a-z_]+)/.exec(sql))
    .map((found) => found?.[0].replace(/\s+/g, ' ') ?? '');
}

const state = {
  id: 'state_1',
  name: 'mood',
  payload: '{"calm":true}',
  expiry: null,
  expiresAt: null,
  createdAt: 1,
  updatedAt: 1,
};

/** The statements of every message: to find its caller, to store it with its event, and to finish the event. */
const post = isPostgresTest()
  ? [
      'FROM revoked_user_keys',
      // Six statements, and the lock of the users, for all messages that are stored together: the locks of the conversations,
      // the conditions, the conversations, the messages, the events, the usage.
      'FROM conversations',
      'FROM participants',
      'UPDATE conversations',
      'INTO messages',
      'INTO deliveries',
      'INTO usage',
    ]
  : [
      // The bot, the user and the revocations of the key.
      'FROM revoked_user_keys',
      // The conversation, if the conditions hold.
      'FROM participants',
      'UPDATE conversations',
      'INTO messages',
      'INTO deliveries',
      'INTO usage',
    ];
const end = 'DELETE FROM deliveries';

describe('a message and its event need', () => {
  test('seven statements, on PostgreSQL also one that locks', async () => {
    await server.sendMessage(visitor.key, conversationId, 'Hello');
    expect(await statementsOf(['conversation_started', 'Hello'])).toEqual([...post, end]);
  });

  test('as many with a key of an application and an id of the page', async () => {
    const named = await server.user({ id: 'named' });
    const ownId = await server.conversation(named.key, 'of-the-page');
    await finished(['conversation_started', 'conversation_started']);
    statements.length = 0;
    await server.sendMessage(named.key, ownId, 'Hello');
    const used = await statementsOf(['conversation_started', 'conversation_started', 'Hello']);
    expect(used).toEqual([...post, end]);
  });

  test('one more with an Idempotency-Key', async () => {
    await server.sendMessage(visitor.key, conversationId, 'Hello', { 'idempotency-key': 'a' });
    const used = await statementsOf(['conversation_started', 'Hello']);
    expect(used.toSorted()).toEqual([...post, 'INTO requests', end].toSorted());
  });

  test('one or two more for each kind of further data that the bot has', async () => {
    const { id: botId } = (await read((tx) => tx.get<{ id: string }>('SELECT id FROM bots'))) ?? { id: '' };
    await server.db.write(async (tx) => {
      const owner = { id: conversationId, botId };
      await putState(tx, { ...state, ownerId: owner.id, botId });
      await changeTags(tx, owner, 'tag', { color: 'red' });
      const base = { id: 'kb_1', botId, name: 'Help', tags: '{}', createdAt: 1, updatedAt: 1 };
      await insertKnowledgeBase(tx, base);
    });
    statements.length = 0;
    let event: BotEvent | undefined;
    handler = (next) => {
      event = next;
    };
    await server.sendMessage(visitor.key, conversationId, 'Hello');
    const used = await statementsOf(['conversation_started', 'Hello']);
    const further = ['FROM knowledge_bases', 'FROM bots', 'FROM tags', 'FROM states', 'FROM states'];
    expect(used.toSorted()).toEqual([...post, ...further, end].toSorted());
    expect(event).toMatchObject({
      state: { conversation: { mood: { calm: true } }, user: {} },
      tags: { conversation: { color: 'red', owner: visitor.id } },
      kb: { included: [{ id: 'kb_1', name: 'Help' }] },
    });
  });

  test('five more for a reply of the bot, one of which checks that its message was not superseded', async () => {
    handler = async (event, bot) => void (await bot.reply({ type: 'text', text: event.preview }));
    await server.sendMessage(visitor.key, conversationId, 'Hello');
    const used = await statementsOf(['conversation_started', 'Hello']);
    const stored = ['FROM messages', 'FROM conversations', 'UPDATE conversations', 'INTO messages'];
    const reply = [...stored, 'FROM deliveries'];
    expect(used).toEqual([...post, ...reply, end]);
  });
});

describe('where several processes share the database, a message and its event need', () => {
  beforeEach(async () => {
    await server.close();
    handled = [];
    await start(createMemoryRelayHub().connect());
  });

  /** Statements of the lease and of polls, which run from time to time. */
  const withoutPolls = (used: string[]) => used.filter((one) => !one.includes('delivery_leases'));
  const postStatements = async (events: string[]) => {
    await finished(events);
    const used = statements.splice(0).filter((sql) => !sql.includes('d.due_at <='));
    return withoutPolls(
      used.map((sql) => /(?:FROM|INTO|UPDATE|DELETE FROM) +([a-z_]+)/.exec(sql)?.[0] ?? ''),
    );
  };

  test('as many', async () => {
    await server.sendMessage(visitor.key, conversationId, 'Hello');
    expect(await postStatements(['conversation_started', 'Hello'])).toEqual([...post, end]);
  });

  test('four more for a reply of the bot, one of which checks that the event is still handled here', async () => {
    handler = async (event, bot) => void (await bot.reply({ type: 'text', text: event.preview }));
    await server.sendMessage(visitor.key, conversationId, 'Hello');
    const reply = isPostgresTest()
      ? // For all replies that are stored together: the locks of the conversations, the conditions, the conversations, the messages.
        ['FROM conversations', 'FROM json_to_recordset', 'UPDATE conversations', 'INTO messages']
      : ['FROM conversations', 'UPDATE conversations', 'INTO messages', 'FROM deliveries'];
    expect(await postStatements(['conversation_started', 'Hello'])).toEqual([...post, ...reply, end]);
  });
});

describe('a message that is stored in few statements', () => {
  const send = (key: string, headers: Record<string, string> = {}, id = conversationId) =>
    server.call('POST', '/messages', {
      key,
      headers,
      body: { conversationId: id, payload: { type: 'text', text: 'Hello' } },
    });

  test('is refused as before for other users, unknown conversations and deleted users, and changes nothing', async () => {
    const other = await server.user();
    const gone = await server.user();
    expect((await server.call('DELETE', '/users/me', { key: gone.key })).status).toBe(200);
    await server.composition.cleanUp();
    const before = await allRows(server.db);
    for (const [key, id, status, type] of [
      [other.key, conversationId, 403, 'Forbidden'],
      [visitor.key, 'conv_unknown', 403, 'Forbidden'],
      [gone.key, conversationId, 401, 'Unauthorized'],
      [`${visitor.key}x`, conversationId, 401, 'Unauthorized'],
      ['x.y.z', conversationId, 401, 'Unauthorized'],
      ['', conversationId, 401, 'Unauthorized'],
    ] as const) {
      const { status: found, body } = await send(key, {}, id);
      expect([key, found, body.type]).toEqual([key, status, type]);
    }
    expect(await allRows(server.db)).toEqual(before);
  });

  test('is refused after the participant was removed, the key revoked or the secrets of the bot replaced', async () => {
    const guest = await server.user();
    await server.join(visitor.key, conversationId, guest);
    expect((await send(guest.key)).status).toBe(201);
    await server.call('DELETE', `/conversations/${conversationId}/participants/${guest.id}`, {
      key: visitor.key,
    });
    expect((await send(guest.key)).status).toBe(403);
    expect((await send(visitor.key)).status).toBe(201);
    await server.db.write((tx) => tx.run('UPDATE bots SET own_keys = own_keys + 1'));
    expect((await send(visitor.key)).status).toBe(401);
    await server.db.write((tx) => tx.run('UPDATE bots SET own_keys = own_keys - 1'));
    await server.call('DELETE', '/users/me/key', { key: visitor.key });
    expect((await send(visitor.key)).status).toBe(401);
    const all = await read((tx) => tx.all('SELECT id FROM messages'));
    expect(all).toHaveLength(2);
  });

  test('is handled in order with all others, each once, while the bot is busy', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    handler = () => held;
    const texts = Array.from({ length: 30 }, (_, n) => `${n}`);
    for (const text of texts.slice(0, 10)) await server.sendMessage(visitor.key, conversationId, text);
    release();
    for (const text of texts.slice(10)) await server.sendMessage(visitor.key, conversationId, text);
    await finished(['conversation_started', ...texts]);
  });
});
