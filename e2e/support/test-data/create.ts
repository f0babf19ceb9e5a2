// Creates the resources that the examples in the declarations of operations refer to: users, a conversation, files, a table,
// members and what people handle.
import { ChatClient, Client } from '../../../src/client/index.ts';
import type { Message } from '../../../src/protocol/message.ts';
import type { TestData } from '../../../src/protocol/operations/example-requests.testing.ts';
import { pollUntil } from '../poll.ts';
import { createHandledConversations } from './handled-conversations.ts';
import { orRefused, putBytes } from './requests.ts';

/** Milliseconds after which a missing answer of the bot counts as lost. */
const timeoutMs = 30_000;

/** The server, and who may administrate it. Addresses in responses may have another origin. */
export interface Place {
  chatUrl: string;
  admin: { workspaceId: string; token: string };
  /** Changes each name and each text, so that a test can find them. */
  mark?: (text: string) => string;
}

/**
 * Creates test data with its own users. Returns a value for each placeholder of the examples; `…_none` for a resource that the
 * server refused because a limit is reached. The bot of the chat greets with "Hello".
 */
export async function createTestData({ chatUrl, admin, mark = (text) => text }: Place): Promise<TestData> {
  // A request that a limit refuses is not repeated.
  const options = { apiUrl: new URL(chatUrl).origin, workspaceId: admin.workspaceId, retry: 0 };
  const manager = new Client({ ...options, token: admin.token });
  const { client, user, values } = await createVisitors(chatUrl, mark);
  const addMember = async (role: 'owner' | 'support') => {
    const member = await manager.createWorkspaceMember({ email: mark(`${role}-${user}@example.com`), role });
    const made = await manager.createToken({ name: mark('One'), kind: 'personal', memberId: member.id });
    return { member: member.id, tokenId: made.token.id, token: made.value };
  };
  // Two members: one whose token is used, and one who is the target of requests.
  const [caller, subject] = await Promise.all([addMember('owner'), addMember('support')]);
  // The bot whose webhook id is in the address of the chat is the first one; the list begins with the newest.
  const demoBot = (await manager.list.bots({ pageSize: 1_000 }).collect()).at(-1)?.id ?? '';
  const ofDemoBot = new Client({ ...options, token: admin.token, botId: demoBot });

  /** Messages of the bot in one conversation of the visitors, and other conversations that people handle. */
  const createConversations = async () => {
    // The bot finds a conversation whose id the visitor has chosen by another id.
    const [ofVisitor] = (await ofDemoBot.listConversations({ userId: user })).conversations;
    const conversationId = ofVisitor?.id ?? '';
    const opened = await orRefused(ofDemoBot.createStream({ conversationId }));
    const input = mark('A-1');
    const answer = await orRefused(
      ofDemoBot.createMessage({
        conversationId,
        payload: { type: 'text', text: mark('An answer with a part') },
        parts: [{ id: 'lookup', type: 'tool', toolName: 'get_order', state: 'output-available', input }],
      }),
    );
    const member = new Client({ ...options, token: caller.token });
    const handled = await createHandledConversations({
      visitor: client,
      bot: ofDemoBot,
      manager,
      botId: demoBot,
      member,
      chatUrl,
      mark,
    });
    const [interrupt, otherInterrupt, clientTool] = await askVisitor(client, ofDemoBot, mark);
    return {
      ...handled,
      conversation: conversationId,
      answer: answer?.message.id ?? 'msg_none',
      stream: opened?.stream.id ?? 'stream_none',
      interrupt: interrupt ?? 'int_none',
      otherInterrupt: otherInterrupt ?? 'int_none',
      clientTool: clientTool ?? 'int_none',
    };
  };

  /** A second bot, so that changes do not affect the demo bot, with its files and its table. */
  const createManagedBot = async () => {
    const { bot } = await manager.createBot({ name: mark(`Bot of ${user}`) });
    const ofBot = new Client({ ...options, token: admin.token, botId: bot.id });
    const announce = async (name: string) => {
      const key = mark(`${name}-${user}.txt`);
      return (await ofBot.upsertFile({ key, size: 10, index: true, tags: { a: mark('b') } })).file;
    };
    const [waiting, stored] = [await announce('waiting'), await announce('stored')];
    await putBytes(chatUrl, stored.uploadUrl, mark('hello word').slice(0, 10));
    const { knowledgeBase } = await ofBot.createKnowledgeBase({ name: mark('A') });
    const table = mark(`of-${user}Table`.replace('_', '-'));
    await createTable(ofBot, table, mark);
    const { token } = await manager.createToken({ name: mark('Two'), kind: 'bot', botId: bot.id });
    return {
      bot: bot.id,
      botTokenId: token.id,
      file: stored.id,
      fileKey: stored.key,
      platformUpload: new URL(waiting.uploadUrl).pathname,
      platformDownload: new URL(stored.url).pathname,
      knowledgeBase: knowledgeBase.id,
      table,
    };
  };

  const createSession = async () => {
    const link = await manager.createMemberLink({ id: subject.member, purpose: 'sign-in' });
    const memberId = caller.member;
    const { token } = await manager.createToken({ name: mark('Two'), kind: 'personal', memberId });
    return {
      session: await signInWith(chatUrl, link.url?.split('=')[1] ?? ''),
      ownTokenId: token.id,
    };
  };

  const created = await Promise.all([createConversations(), createManagedBot(), createSession()]);
  return {
    ...values,
    ...subject,
    ...Object.assign({}, ...created),
    token: caller.token,
    workspace: admin.workspaceId,
    demoBot,
  };
}

/** Two users in a conversation, an invitation, messages, an event and files. */
async function createVisitors(chatUrl: string, mark: (text: string) => string) {
  const client = new ChatClient({ chatUrl });
  const { user: other, key: otherKey } = await client.createUser({ name: mark('Other') });
  const { user, key } = await client.createUser({ name: mark('One'), profile: mark('of One') });
  client.userKey = key;
  const chosen = mark('');
  const made = await client.createConversation(chosen ? { id: `${chosen}room-${user.id}` } : {});
  const conversationId = made.conversation.id;
  await client.addParticipant({ conversationId, userId: other.id });
  const others = new ChatClient({ chatUrl, userKey: otherKey });
  await others.acceptInvitation({ conversationId });
  const { conversation: invitation } = await others.createConversation({});
  await others.addParticipant({ conversationId: invitation.id, userId: user.id });
  const { message } = await client.createMessage({
    conversationId,
    payload: { type: 'text', text: mark('One') },
    metadata: { note: mark('One') },
  });
  const { event } = await client.createEvent({ conversationId, payload: { note: mark('One') } });
  const file = { key: mark('a.txt'), size: 10, contentType: 'text/plain' };
  const [empty, whole] = await Promise.all([client.createFile(file), client.createFile(file)]);
  await putBytes(chatUrl, whole.file.uploadUrl, '0123456789');
  const greeting = await waitForMessage(
    client,
    conversationId,
    ({ payload }) => 'text' in payload && payload.text === 'Hello',
  );
  return {
    client,
    user: user.id,
    values: {
      key,
      otherKey,
      user: user.id,
      other: other.id,
      /** The id of `conversation` in the Chat API. */
      chosenConversation: conversationId,
      invitation: invitation.id,
      message: message.id,
      botMessage: greeting.id,
      event: event.id,
      upload: new URL(empty.file.uploadUrl).pathname,
      download: new URL(whole.file.url).pathname,
    },
  };
}

/** Signs in with the token of a link, and returns the value of the cookie. */
async function signInWith(chatUrl: string, token: string): Promise<string> {
  const response = await fetch(new URL('/v1/session/link/use', chatUrl), {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
  });
  return /^inbox=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? 'none';
}

/**
 * Asks questions in a conversation in which nothing else is written, which would cancel them. Returns their ids; none
 * while the bot has reached a limit.
 */
async function askVisitor(
  client: ChatClient,
  bot: Client,
  mark: (text: string) => string,
): Promise<string[]> {
  const { conversation } = await client.createConversation({});
  const opened = await orRefused(bot.createStream({ conversationId: conversation.id }));
  if (!opened) return [];
  const question = {
    reason: 'confirmation',
    message: mark('Cancel the order?'),
    responseSchema: {
      type: 'object',
      properties: { approved: { type: 'boolean' }, comment: { type: 'string' } },
    },
  } as const;
  const call = {
    reason: 'client_tool',
    toolName: 'get_cart',
    message: mark('Look into the cart'),
    state: { note: mark('cart') },
  } as const;
  const ended = await orRefused(
    bot.endStream({ id: opened.stream.id, interrupts: [question, question, call] }),
  );
  return (ended?.message?.parts ?? []).map(({ id }) => id);
}

/** Creates a table with a row. */
async function createTable(bot: Client, table: string, mark: (text: string) => string): Promise<void> {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', 'x-zui': { searchable: true } },
      age: { type: 'number' },
      more: { type: 'object' },
    },
  };
  await orRefused(bot.createTable({ name: table, schema }));
  await orRefused(bot.createTableRows({ table, rows: [{ name: mark('Ann'), age: 3, more: { x: 1 } }] }));
}

/** Waits for the first message that matches. */
export const waitForMessage = (
  client: ChatClient,
  conversationId: string,
  matches: (message: Message) => boolean,
): Promise<Message> =>
  pollUntil(
    'the bot answers',
    async () => (await client.list.messages({ conversationId }).collect()).find(matches),
    { timeoutMs },
  );
