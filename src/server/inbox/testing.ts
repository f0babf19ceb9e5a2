// A server for tests of handoffs and of the inbox: with a visitor in a conversation, a token of the bot, and members.
import { afterEach, expect } from 'vitest';
import type { Bot, BotEvent, BotHandler } from '../../protocol/bot.ts';
import type { Message } from '../../protocol/message.ts';
import type { Role } from '../../protocol/permissions.ts';
import { issueToken } from '../auth/tokens.ts';
import { insertMember } from '../storage/admin/workspaces.ts';
import { listBots } from '../storage/bots/bots.ts';
import { createId } from '../storage/ids.ts';
import { byColumn, pollOptions, readStream, startTestCluster, startTestServer } from '../testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read response bodies without declared types.
export type TestResponse = { status: number; body: any };

type Options = NonNullable<Parameters<typeof startTestServer>[0]>;

/**
 * Starts the server; the bot has handled the start of the conversation. `received`: the events of the bot since. With a
 * `serverCount`, several servers have the same data, and requests go to each in turn.
 */
export async function startInbox(handler: BotHandler = () => {}, options: Options = {}, serverCount = 1) {
  const received: { type: string; preview: string; payload: Record<string, unknown> }[] = [];
  const started: Options = {
    ...options,
    handler: async (event: BotEvent, bot: Bot) => {
      received.push({ type: event.type, preview: event.preview, payload: event.payload });
      await handler(event, bot);
    },
  };
  const cluster = serverCount === 1 ? undefined : await startTestCluster(serverCount, started);
  let server = cluster?.servers[0] ?? (await startTestServer(started));
  let servers = cluster?.servers ?? [server];
  let requests = 0;
  const { workspaceId } = server.composition;
  const [bot] = await server.db.read((tx) => listBots(tx, workspaceId, undefined, 1));
  const botId = bot?.id ?? '';
  const token = { workspaceId, integration: null, name: 'Test', createdAt: 1, expiresAt: null };
  const botToken = await server.db.write(
    async (tx) => (await issueToken(tx, { ...token, kind: 'bot', memberId: null, botId })).token,
  );

  async function request(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<TestResponse> {
    requests += 1;
    const response = await (servers[requests % servers.length] ?? server).fetch(path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : {} };
  }

  const ofBot = { authorization: `Bearer ${botToken}`, 'x-bot-id': botId };
  const visitor = await server.user({ name: 'Visitor' });
  const { key } = visitor;
  const conversationId = await server.conversation(key);
  const chat = (method: string, path: string, body?: unknown) =>
    request(method, `/chat/demo/conversations/${conversationId}${path}`, { 'x-user-key': key }, body);
  const messages = async (): Promise<Message[]> => (await chat('GET', '/messages')).body.messages.reverse();
  const rows = (table: string) =>
    server.db.read(async (tx) =>
      (await tx.all<Record<string, unknown>>(`SELECT * FROM ${table}`)).map(byColumn),
    );
  const idle = () => expect.poll(() => rows('deliveries'), pollOptions).toEqual([]);
  await idle();
  received.length = 0;

  return {
    get server() {
      return server;
    },
    servers,
    close: () => (cluster ?? server).close(),
    /** Restarts the only server on the same data, with changed options. */
    async restart(changed: Options = {}): Promise<void> {
      if (cluster) throw new Error('Only one server can be restarted.');
      server = await server.restart(changed);
      servers = [server];
    },
    botId,
    workspaceId,
    visitor,
    key,
    conversationId,
    received,
    chat,
    messages,
    rows,
    idle,
    ofBot,
    /** The author and the text of each message. */
    texts: async () =>
      (await messages()).map(({ payload, userId, author }) => [
        author?.kind ?? (userId === visitor.id ? 'visitor' : 'bot'),
        'text' in payload ? payload.text : 'markdown' in payload ? payload.markdown : payload.type,
      ]),
    send: (text: string) => server.sendMessage(key, conversationId, text),
    hears: (type: string) => expect.poll(() => received.map((one) => one.type), pollOptions).toContain(type),
    /** A request of the bot about the conversation, and any request of the bot. */
    runtime: (method: string, path: string, body?: unknown) =>
      request(method, `/v1/chat/conversations/${conversationId}${path}`, ofBot, body),
    bot: (method: string, path: string, body?: unknown) => request(method, `/v1/chat${path}`, ofBot, body),
    request,
    /** A member, who calls the Inbox API. */
    async member(displayName: string | null, role: Role = 'support') {
      const id = createId('member');
      const email = `${id.toLowerCase()}@example.com`;
      const value = await server.db.write(async (tx) => {
        await insertMember(tx, { id, workspaceId, email, displayName, role, createdAt: 1 });
        return (await issueToken(tx, { ...token, kind: 'personal', memberId: id, botId: null })).token;
      });
      const headers = { authorization: `Bearer ${value}`, 'x-workspace-id': workspaceId };
      const act = (method: string, path: string, body?: unknown) =>
        request(method, `/v1/inbox/conversations/${conversationId}${path}`, headers, body);
      return {
        id,
        email,
        headers,
        call: (method: string, path: string, body?: unknown) =>
          request(method, `/v1/inbox${path}`, headers, body),
        /** A request about the conversation of the visitor. */
        act,
        /** Opens the stream of the inbox. */
        listen: async () => readStream(await server.fetch('/v1/inbox/stream', { headers })),
        /** Moves the conversation to a new team, whose conversations only these members see. Returns the id of the team. */
        async restrict(...memberIds: string[]): Promise<string> {
          const team = { name: 'VIP', mode: 'manual', isRestricted: true, memberIds };
          const made = await request('POST', '/v1/inbox/teams', headers, team);
          const teamId = made.body.team.id as string;
          expect((await act('POST', '/assign', { teamId })).status).toBe(200);
          return teamId;
        },
        /** Replies with a text, after reading the conversation. */
        async reply(text: string): Promise<void> {
          const seenSeq = (await act('GET', '/timeline')).body.seq;
          expect((await act('POST', '/replies', { payload: { type: 'text', text }, seenSeq })).status).toBe(
            201,
          );
        },
      };
    },
  };
}

export type Inbox = Awaited<ReturnType<typeof startInbox>>;

/** Returns `startInbox`. Everything that a test starts with it is closed after the test. */
export function useInbox(): typeof startInbox {
  const started: Inbox[] = [];
  afterEach(async () => {
    await Promise.all(started.splice(0).map((inbox) => inbox.close()));
  });
  return async (...given) => {
    const inbox = await startInbox(...given);
    started.push(inbox);
    return inbox;
  };
}
