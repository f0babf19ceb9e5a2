// Calls the Admin, Files and Tables APIs with the hosted product's own client: the fields of its types, its iterators and its
// error classes.
import {
  AlreadyExistsError,
  Client,
  ForbiddenError,
  InvalidPayloadError,
  InvalidQueryError,
  isApiError,
  QuotaExceededError,
  ResourceNotFoundError,
  UnauthorizedError,
} from '@botpress/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RelayedServer, startRelayedServer } from '../client/testing.ts';
import { limits } from '../protocol/limits.ts';
import { insertBotLog } from '../server/storage/bots/bot-logs.ts';
import { createId } from '../server/storage/ids.ts';

let relayed: RelayedServer;
let workspaceId: string;
let ownerToken: string;
let client: Client;
let made = 0;
/** A name that no other test uses. */
const fresh = (word: string) => `${word} ${++made}`;
const as = (token: string, workspace = workspaceId, botId?: string) =>
  new Client({ apiUrl: relayed.directUrl, token, workspaceId: workspace, ...(botId && { botId }) });

beforeAll(async () => {
  relayed = await startRelayedServer({ RATE_LIMIT: 100_000, WORKSPACES: 'owners' });
  workspaceId = relayed.server.admin.workspaceId;
  ownerToken = relayed.server.admin.token ?? '';
  client = as(ownerToken);
});
afterAll(() => relayed.close());

/** A client with the personal token of a new member. */
async function member(role: 'viewer' | 'developer' | 'billing'): Promise<Client> {
  const { id } = await client.createWorkspaceMember({ email: `${role}${++made}@example.com`, role });
  return as(await tokenOf({ kind: 'personal', memberId: id }));
}

/** Sends a request as the owner, without the client. */
async function send(method: string, path: string, body: string) {
  const response = await relayed.server.fetch(path, {
    method,
    headers: {
      authorization: `Bearer ${ownerToken}`,
      'x-workspace-id': workspaceId,
      'content-type': 'application/json',
    },
    body,
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
  return { status: response.status, body: (await response.json()) as any };
}

async function tokenOf(fields: object): Promise<string> {
  const input = JSON.stringify({ name: fresh('Token'), ...fields });
  const { status, body } = await send('POST', '/v1/admin/tokens', input);
  expect(status).toBe(200);
  return body.value;
}

/** The error that a call fails with. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => {
      expect(isApiError(error)).toBe(true);
      return error;
    },
  );

/** Expects that a call fails with an error of this class. */
async function refuses(call: Promise<unknown>, errorClass: new (...args: never[]) => Error): Promise<void> {
  expect(await refusal(call)).toBeInstanceOf(errorClass);
}

describe('bots', () => {
  test('have every field of the types, so that code that reads them does not throw', async () => {
    const { bot } = await client.createBot({ name: fresh('Bot') });
    const { bot: read } = await client.getBot({ id: bot.id });
    expect(read).toEqual({ ...bot, signingSecret: '' });
    expect(Object.keys(read.integrations).concat(Object.keys(read.plugins), read.secrets)).toEqual([]);
    expect([read.user.tags, read.conversation.tags, read.message.tags]).toEqual([{}, {}, {}]);
    expect([read.configuration, read.subscriptions]).toEqual([{ data: {}, schema: {} }, { events: null }]);
    expect([read.status, read.alwaysAlive, read.dev, read.medias]).toEqual(['active', true, false, []]);
    const { bots } = await client.listBots({});
    // The console of this server shows who answers.
    expect(bots.find(({ id }) => id === bot.id)).toEqual({
      answeredBy: 'people',
      id: bot.id,
      createdAt: bot.createdAt,
      updatedAt: bot.updatedAt,
      name: bot.name,
      tags: {},
      type: 'adk',
    });
  });

  test('keep what a program declares; an update merges by name, and null removes', async () => {
    const schema = { type: 'object', properties: { total: { type: 'number' } } };
    const { bot } = await client.createBot({
      name: fresh('Shop'),
      description: 'Sells shoes',
      tags: { team: 'sales', region: 'eu' },
      type: 'studio',
      user: { tags: { vip: { title: 'VIP' } } },
      states: { cart: { type: 'user', schema, expiry: 1000 } },
      events: { ordered: { schema } },
      actions: { pay: { input: { schema }, output: { schema } } },
      configuration: { data: { key: 'k' }, schema },
      medias: [{ url: 'https://example.com/a.png', name: 'a' }],
      subscriptions: { events: { ordered: {} } },
    });
    expect(bot).toMatchObject({
      type: 'studio',
      states: { cart: { expiry: 1000 } },
      configuration: { schema },
    });
    const { bot: changed } = await client.updateBot({
      id: bot.id,
      tags: { region: null, lang: 'de' },
      states: { cart: null, order: { type: 'conversation', schema } },
      user: { tags: { vip: null } },
      configuration: { data: { other: 1 } },
      subscriptions: { events: { ordered: null, paid: {} } },
    });
    expect(changed).toMatchObject({
      name: bot.name,
      description: 'Sells shoes',
      tags: { team: 'sales', lang: 'de' },
      user: { tags: {} },
      states: { order: { type: 'conversation' } },
      events: { ordered: { schema } },
      configuration: { data: { other: 1 }, schema },
      subscriptions: { events: { paid: {} } },
    });
    expect(changed.tags).not.toHaveProperty('region');
    expect(changed.states).not.toHaveProperty('cart');
    expect((await client.getBot({ id: bot.id })).bot).toMatchObject(changed);
    await client.deleteBot({ id: bot.id });
    await refuses(client.getBot({ id: bot.id }), ResourceNotFoundError);
    const rows = await relayed.server.db.read((tx) =>
      tx.all('SELECT 1 FROM bot_definitions WHERE bot_id = ?', bot.id),
    );
    expect(rows).toEqual([]);
  });

  test('secrets and configuration data are for those who may change the bot', async () => {
    const { bot } = await client.createBot({
      name: fresh('Hooked'),
      configuration: { data: { key: 'canary' } },
    });
    const hook = '{"webhookUrl":"https://bot.example.com/"}';
    const deployed = await send('PUT', `/v1/admin/bots/${bot.id}/deployment`, hook);
    const { signingSecret } = deployed.body.deployment as { signingSecret: string };
    for (const caller of [client, await member('developer')]) {
      const { bot: seen } = await caller.getBot({ id: bot.id });
      expect([seen.signingSecret, seen.configuration.data]).toEqual([signingSecret, { key: 'canary' }]);
    }
    const viewer = await member('viewer');
    const text = JSON.stringify([await viewer.getBot({ id: bot.id }), await viewer.listBots({})]);
    expect(text).not.toContain(signingSecret);
    expect(text).not.toContain('canary');
    expect(text).not.toContain('signingSecret');
    await refuses((await member('billing')).getBot({ id: bot.id }), ForbiddenError);
    const reads = await relayed.server.db.read((tx) =>
      tx.all("SELECT actor_kind FROM audit_log WHERE operation = 'getBot' AND target LIKE ?", `%${bot.id}%`),
    );
    // The reads of the secret, by the owner and the developer, and the refusal of a caller without permission is none.
    expect(reads.map((row) => Object.values(row as object)[0])).toEqual(['operator', 'developer']);
  });

  test('names are unique in a workspace, and a bot of another workspace is not found', async () => {
    const name = fresh('Unique');
    const { bot } = await client.createBot({ name });
    await refuses(client.createBot({ name }), AlreadyExistsError);
    await refuses(client.createBot({ name: ` ${name} ` }), AlreadyExistsError);
    const other = (await client.createBot({})).bot;
    expect(other.name).toMatch(/^Bot [\da-f]{8}$/);
    await refuses(client.updateBot({ id: other.id, name }), AlreadyExistsError);
    expect((await client.updateBot({ id: bot.id, name })).bot.name).toBe(name);
    const race = await Promise.all([1, 2, 3].map(() => refusal(client.createBot({ name: `${name}!` }))));
    expect(race.filter((error) => error === undefined)).toHaveLength(1);
    await client.deleteBot({ id: bot.id });
    expect((await client.createBot({ name })).bot.name).toBe(name);
    const theirs = await client.createWorkspace({ name: fresh('Elsewhere') });
    const elsewhere = as(ownerToken, theirs.id);
    expect((await elsewhere.createBot({ name })).bot.name).toBe(name);
    for (const call of [
      () => elsewhere.getBot({ id: other.id }),
      () => elsewhere.updateBot({ id: other.id, tags: { a: 'b' } }),
    ])
      await refuses(call(), ResourceNotFoundError);
  });

  test.each<[string, object, string]>([
    ['an address of another protocol', { url: 'https://bot.example.com' }, 'webhookUrl'],
    ['secrets', { secrets: { KEY: 'canary' } }, 'process'],
    [
      'recurring events',
      { recurringEvents: { daily: { schedule: { cron: '* * * * *' }, type: 'a', payload: {} } } },
      'schedule',
    ],
    ['source code', { code: 'module.exports = () => {}' }, 'module'],
    [
      'too many tags',
      { tags: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`t${n}`, 'x'])) },
      '50',
    ],
    ['a long tag', { tags: { a: 'x'.repeat(1_001) } }, 'tags'],
    ['a state of an unknown type', { states: { a: { type: 'planet', schema: {} } } }, 'states'],
    ['tags in a list', { tags: ['a'] }, 'tags'],
  ])('%s is refused by its name, and nothing is created', async (_, fields, word) => {
    const before = await client.list.bots({}).collect();
    const error = await refusal(client.createBot({ name: fresh('No'), ...fields }));
    expect(error).toBeInstanceOf(InvalidPayloadError);
    expect(JSON.stringify(error)).toContain(word);
    expect(JSON.stringify(error)).not.toContain('canary');
    expect(await client.list.bots({}).collect()).toEqual(before);
  });

  // Not with the client, which drops these names itself.
  test.each(['__proto__', 'constructor', 'prototype'])(
    'a tag or a state with the name %s is refused',
    async (name) => {
      const { bot } = await client.createBot({ name: fresh('Raw') });
      for (const text of [`{"tags":{"${name}":"x"}}`, `{"states":{"${name}":{"type":"user","schema":{}}}}`]) {
        for (const [method, path] of [
          ['POST', '/v1/admin/bots'],
          ['PUT', `/v1/admin/bots/${bot.id}`],
        ] as const) {
          const { status, body } = await send(method, path, text);
          expect([status, body.type]).toEqual([400, 'InvalidPayload']);
          expect(body.message).toMatch(/^(tags|states): /);
        }
      }
    },
  );

  test('empty values of what this server does not have are accepted', async () => {
    const { bot } = await client.createBot({ name: fresh('Empty'), secrets: {}, recurringEvents: {} });
    await client.updateBot({ id: bot.id, url: null, integrations: {}, plugins: {}, blocked: false });
    await refuses(client.updateBot({ id: bot.id, blocked: true }), InvalidPayloadError);
  });

  test('tags that add up over several updates, and a huge declaration, are refused', async () => {
    const { bot } = await client.createBot({ name: fresh('Growing') });
    const tags = (from: number) =>
      Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`t${from + n}`, 'x']));
    await client.updateBot({ id: bot.id, tags: tags(0) });
    await refuses(client.updateBot({ id: bot.id, tags: tags(40) }), InvalidPayloadError);
    expect(Object.keys((await client.getBot({ id: bot.id })).bot.tags)).toHaveLength(40);
    expect(
      (await client.updateBot({ id: bot.id, tags: { toString: 'a', valueOf: 'b' } })).bot.tags,
    ).toMatchObject({
      toString: 'a',
    });
    const matching = await client.list.bots({ tags: { toString: 'a' } }).collect();
    expect(matching.map(({ id }) => id)).toEqual([bot.id]);
  });

  test('the list is filtered by tags and dev, and sorted', async () => {
    const kind = fresh('kind');
    const ids: string[] = [];
    for (let n = 0; n < 6; n += 1) {
      const tags = { kind, parity: n % 2 === 0 ? 'even' : 'odd' };
      ids.push((await client.createBot({ name: fresh('Listed'), tags, dev: n < 2 })).bot.id);
    }
    const list = async (props: Parameters<typeof client.list.bots>[0]) =>
      (await client.list.bots(props).collect()).map(({ id }) => id);
    expect(await list({ tags: { kind }, sortDirection: 'asc', pageSize: 2 })).toEqual(ids);
    expect(await list({ tags: { kind, parity: 'odd' } })).toEqual([ids[5], ids[3], ids[1]]);
    expect(await list({ tags: { kind }, dev: true, sortDirection: 'asc' })).toEqual(ids.slice(0, 2));
    expect(await list({ tags: { kind }, dev: false })).toHaveLength(4);
    expect(await list({ tags: { kind: 'x' } })).toEqual([]);
    expect(await list({ integrationNames: ['slack'] })).toEqual([]);
    await client.updateBot({ id: ids[0] ?? '', tags: { parity: 'none' } });
    expect((await list({ tags: { kind }, sortField: 'updatedAt' }))[0]).toBe(ids[0]);
    await refuses(client.listBots({ pageSize: 0 }), InvalidQueryError);
  });
});

describe('workspaces', () => {
  const required = ['id', 'name', 'ownerId', 'createdAt', 'updatedAt', 'botCount', 'billingVersion', 'plan'];
  const constant = ['blocked', 'spendingLimit', 'activeTrialId'];

  test('are created with a name only, and have the fields of the types', async () => {
    const created = await client.createWorkspace({ name: fresh('Two') });
    const workspace = await client.getWorkspace({ id: created.id });
    expect(Object.keys(workspace)).toEqual(expect.arrayContaining([...required, ...constant]));
    expect(workspace).toMatchObject({ id: created.id, name: created.name, botCount: 0, activeTrialId: null });
    const theirs = as(ownerToken, created.id);
    const { members } = await theirs.listWorkspaceMembers({});
    expect(members).toMatchObject([{ id: workspace.ownerId, role: 'owner', email: 'owner@localhost' }]);
    await theirs.createBot({ name: 'One' });
    expect((await client.getWorkspace({ id: created.id })).botCount).toBe(1);
    await theirs.deleteWorkspace({ id: created.id });
    await refuses(client.getWorkspace({ id: created.id }), ResourceNotFoundError);
  });

  test('a token that opens several lists all of them, a page at a time, with the same fields', async () => {
    const created = await client.createWorkspace({ name: fresh('Three') });
    const all = await client.list.workspaces({ pageSize: 1 }).collect();
    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining([workspaceId, created.id]));
    for (const workspace of all)
      expect(Object.keys(workspace)).toEqual(expect.arrayContaining([...required, ...constant]));
    expect(await (await member('viewer')).list.workspaces({}).collect()).toMatchObject([{ id: workspaceId }]);
    expect((await client.listWorkspaces({ handle: 'none' })).workspaces).toEqual([]);
    const viewer = await member('viewer');
    await refuses(viewer.createWorkspace({ name: 'No' }), ForbiddenError);
    await refuses(viewer.getWorkspace({ id: created.id }), ResourceNotFoundError);
  });

  test('their profile is changed field by field; what this server cannot have is refused', async () => {
    const { id } = await client.createWorkspace({ name: fresh('Four') });
    const about = { about: 'Shoes', website: 'https://example.com', socialAccounts: ['https://a.example'] };
    expect(await client.updateWorkspace({ id, ...about })).toMatchObject(about);
    const renamed = await client.updateWorkspace({ id, name: fresh('Five'), about: '', isPublic: false });
    expect(renamed).toMatchObject({ website: 'https://example.com', isPublic: false });
    expect(renamed).not.toHaveProperty('about');
    expect(await client.getWorkspace({ id })).toMatchObject(renamed);
    for (const wrong of [
      { spendingLimit: 10 },
      { isPublic: true },
      { handle: 'shoes' },
      { website: 'javascript:alert(1)' },
      { profilePicture: 'data:text/html,x' },
      { about: 'x'.repeat(2_001) },
      { socialAccounts: Array.from({ length: 21 }, () => 'x') },
    ]) {
      const error = await refusal(client.updateWorkspace({ id, ...wrong }));
      expect(error).toBeInstanceOf(InvalidPayloadError);
      expect(String((error as Error).message)).toContain(Object.keys(wrong)[0]);
    }
    const developer = await member('developer');
    await refuses(developer.updateWorkspace({ id: workspaceId, name: 'x' }), ForbiddenError);
  });

  test('members and the account have the fields of the types', async () => {
    const added = await client.createWorkspaceMember({ email: 'ann@example.com', role: 'developer' });
    expect(added).toMatchObject({ email: 'ann@example.com', role: 'developer' });
    const ann = as(await tokenOf({ kind: 'personal', memberId: added.id }));
    expect(await ann.getWorkspaceMember({})).toEqual(added);
    const { account } = await ann.updateAccount({
      displayName: 'Ann',
      profilePicture: 'https://example.com/a.png',
    });
    expect(account).toMatchObject({ id: added.id, displayName: 'Ann', emailVerified: false });
    expect((await ann.getAccount({})).account).toEqual(account);
    expect(await ann.getWorkspaceMember({})).toMatchObject({ profilePicture: 'https://example.com/a.png' });
    expect((await ann.updateAccount({ displayName: '', refresh: true })).account).not.toHaveProperty(
      'displayName',
    );
    await refuses(ann.updateAccount({ profilePicture: 'javascript:x' }), InvalidPayloadError);
    const members = await client.list.workspaceMembers({ pageSize: 1 }).collect();
    expect(members.map(({ id }) => id)).toContain(added.id);
    expect(await client.updateWorkspaceMember({ id: added.id, role: 'viewer' })).toMatchObject({
      role: 'viewer',
    });
    await client.deleteWorkspaceMember({ id: added.id });
    await refuses(ann.getAccount({}), UnauthorizedError);
  });
});

describe('personal access tokens', () => {
  test('open what the caller opens until they are deleted, and only their own member lists and deletes them', async () => {
    const developer = await member('developer');
    const { pat } = await developer.createPersonalAccessToken({ note: 'Laptop' });
    expect(pat).toEqual({
      id: expect.stringMatching(/^token_/),
      createdAt: expect.stringMatching(/Z$/),
      note: 'Laptop',
      value: expect.stringMatching(/^pat_/),
    });
    const laptop = as(pat.value);
    const { value, ...listed } = pat;
    expect((await laptop.listPersonalAccessTokens({})).pats).toContainEqual(listed);
    expect(JSON.stringify(await laptop.listPersonalAccessTokens({}))).not.toContain(value);
    await laptop.createBot({ name: fresh('By laptop') });
    for (const other of [client, await member('developer')]) {
      expect((await other.listPersonalAccessTokens({})).pats.map(({ id }) => id)).not.toContain(pat.id);
      await refuses(other.deletePersonalAccessToken({ id: pat.id }), ResourceNotFoundError);
    }
    await laptop.deletePersonalAccessToken({ id: pat.id });
    await refuses(laptop.listBots({}), UnauthorizedError);
    await refuses(laptop.createPersonalAccessToken({ note: 'x' }), UnauthorizedError);
    await refuses(developer.deletePersonalAccessToken({ id: pat.id }), ResourceNotFoundError);
  });

  test('expire with the token that created them, are limited in number, and need a note', async () => {
    const { id } = await client.createWorkspaceMember({ email: `${++made}@example.com`, role: 'developer' });
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const short = as(await tokenOf({ kind: 'personal', memberId: id, expiresAt }));
    const { pat } = await short.createPersonalAccessToken({ note: 'x' });
    const row = await relayed.server.db.read((tx) =>
      tx.get<{ at: number }>('SELECT expires_at AS at FROM tokens WHERE id = ?', pat.id),
    );
    expect(row?.at).toBe(Date.parse(expiresAt));
    for (const note of ['', ' ', 'x'.repeat(201)]) {
      await refuses(short.createPersonalAccessToken({ note }), InvalidPayloadError);
    }
    for (let n = 2; n < limits.tokens; n += 1) await short.createPersonalAccessToken({ note: 'x' });
    await refuses(short.createPersonalAccessToken({ note: 'x' }), QuotaExceededError);
    expect((await short.listPersonalAccessTokens({})).pats).toHaveLength(limits.tokens);
  });

  test('the token of a bot has none', async () => {
    const { bot } = await client.createBot({ name: fresh('Bot') });
    const ofBot = as((await client.createBotApiKey({ botId: bot.id })).value);
    for (const call of [
      () => ofBot.listPersonalAccessTokens({}),
      () => ofBot.createPersonalAccessToken({ note: 'x' }),
      () => ofBot.getAccount({}),
      () => ofBot.updateAccount({ displayName: 'x' }),
    ])
      await refuses(call(), ResourceNotFoundError);
  });
});

describe('API keys of bots', () => {
  test('open the APIs of this bot only, until they are deleted', async () => {
    const [{ bot }, { bot: other }] = await Promise.all([
      client.createBot({ name: fresh('Bot') }),
      client.createBot({ name: fresh('Bot') }),
    ]);
    const key = await client.createBotApiKey({ botId: bot.id, note: 'Server' });
    const { value, ...listed } = key;
    expect(value).toMatch(/^bat_/);
    expect(await client.listBotApiKeys({ botId: bot.id })).toMatchObject({ baks: [listed] });
    expect((await client.listBotApiKeys({ botId: other.id })).baks).toEqual([]);
    expect((await as(value, workspaceId, bot.id).listFiles({})).files).toEqual([]);
    await refuses(as(value, workspaceId, other.id).listFiles({}), ForbiddenError);
    for (const caller of [
      await member('developer'),
      await member('viewer'),
      as(value, workspaceId, bot.id),
    ]) {
      await refuses(caller.createBotApiKey({ botId: bot.id }), ForbiddenError);
      await refuses(caller.listBotApiKeys({ botId: bot.id }), ForbiddenError);
      await refuses(caller.deleteBotApiKey({ id: key.id }), ForbiddenError);
    }
    const theirs = as(ownerToken, (await client.createWorkspace({ name: fresh('Away') })).id);
    await refuses(theirs.createBotApiKey({ botId: bot.id }), ResourceNotFoundError);
    await refuses(theirs.deleteBotApiKey({ id: key.id }), ResourceNotFoundError);
    // The personal token of a member is not a key of a bot.
    const { pat } = await client.createPersonalAccessToken({ note: 'Mine' });
    await refuses(client.deleteBotApiKey({ id: pat.id }), ResourceNotFoundError);
    await client.deleteBotApiKey({ id: key.id });
    await refuses(as(value, workspaceId, bot.id).listFiles({}), UnauthorizedError);
    await refuses(client.createBotApiKey({ botId: 'bot_none' }), ResourceNotFoundError);
    await client.deleteBot({ id: bot.id });
    await refuses(client.listBotApiKeys({ botId: bot.id }), ResourceNotFoundError);
  });
});

test('logs of a bot are filtered by time, level, conversation, user and text, and paged', async () => {
  const { bot } = await client.createBot({ name: fresh('Logging') });
  const start = Date.now() - 100_000;
  await relayed.server.db.write(async (tx) => {
    for (let n = 0; n < 60; n += 1) {
      const createdAt = start + n * 1_000;
      await insertBotLog(tx, {
        id: createId('log', createdAt),
        botId: bot.id,
        kind: n % 2 === 0 ? 'bot_failed' : 'webhook_failed',
        eventId: `evt_${n}`,
        conversationId: `conv_${n % 3}`,
        attempt: 1,
        status: null,
        reason: n === 7 ? 'ECONNREFUSED' : 'timeout',
        error: null,
        createdAt,
      });
    }
  });
  const at = (n: number) => new Date(start + n * 1_000).toISOString();
  const read = async (props: Partial<Parameters<typeof client.getBotLogs>[0]>) => {
    const timestamps: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await client.getBotLogs({
        id: bot.id,
        timeStart: at(0),
        ...props,
        ...(nextToken && { nextToken }),
      });
      timestamps.push(...page.logs.map((entry) => entry.timestamp));
      nextToken = page.nextToken;
    } while (nextToken);
    return timestamps;
  };
  expect(await read({})).toHaveLength(60);
  expect(await read({ timeStart: at(58) })).toEqual([at(59), at(58)]);
  expect(await read({ timeStart: at(1), timeEnd: at(2) })).toEqual([at(2), at(1)]);
  expect(await read({ level: 'warn' })).toHaveLength(30);
  expect(await read({ conversationId: 'conv_1', level: 'error' })).toHaveLength(10);
  expect(await read({ messageContains: 'ECONNREFUSED' })).toEqual([at(7)]);
  expect(await read({ messageContains: 'timeout' })).toHaveLength(29);
  for (const none of [
    { workflowId: 'x' },
    { userId: 'x' },
    { conversationId: 'x' },
    { messageContains: 'x' },
  ])
    expect(await read(none)).toEqual([]);
  for (const wrong of [{ timeStart: 'yesterday' }, { timeEnd: 'x' }, { level: 'loud' }]) {
    const error = await refusal(client.getBotLogs({ id: bot.id, timeStart: at(0), ...wrong }));
    expect(error).toBeInstanceOf(InvalidQueryError);
    expect((error as Error).message).toMatch(new RegExp(`^${Object.keys(wrong)[0]}: `));
  }
});

test('knowledge bases have dates, and are filtered by tags as files are', async () => {
  const { bot } = await client.createBot({ name: fresh('Bot') });
  const ofBot = as(ownerToken, workspaceId, bot.id);
  for (const tags of [{ lang: 'en' }, { lang: 'de' }, {}] as Record<string, string>[])
    await ofBot.createKnowledgeBase({ name: fresh('Base'), tags });
  const all = await ofBot.list.knowledgeBases({}).collect();
  expect(all.map(({ createdAt }) => new Date(createdAt).toISOString())).toEqual(
    all.map(({ createdAt }) => createdAt),
  );
  const langs = async (tags: unknown) =>
    (await ofBot.list.knowledgeBases({ tags }).collect()).map((base) => base.tags.lang ?? 'none').sort();
  expect(await langs({ lang: 'en' })).toEqual(['en']);
  expect(await langs({ lang: ['en', 'de'] })).toEqual(['de', 'en']);
  expect(await langs({ lang: { not: 'en' } })).toEqual(['de', 'none']);
  expect(await langs({ lang: { exists: false } })).toEqual(['none']);
  expect(await langs({ lang: { in: ['de'] } })).toEqual(['de']);
  await refuses(ofBot.listKnowledgeBases({ tags: 'x' }), InvalidQueryError);
});

test('a revoked, a wrong and a missing token are one error class, and so is a workspace of others', async () => {
  for (const caller of [as('wrong'), as(ownerToken, 'ws_none')])
    for (const call of [
      () => caller.listBots({}),
      () => caller.listBotApiKeys({ botId: 'x' }),
      () => caller.createBot({ name: 'x' }),
    ])
      await refuses(call(), UnauthorizedError);
  await refuses(as('wrong').listPersonalAccessTokens({}), UnauthorizedError);
});
