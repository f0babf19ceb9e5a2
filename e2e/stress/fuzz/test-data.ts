// Test data that valid requests refer to (users, a conversation, files, a table), and a normal conversation that proves that
// the server still works.
import { ChatClient } from '../../../src/client/index.ts';
import type { Message } from '../../../src/protocol/message.ts';
import { pollUntil } from '../../support/poll.ts';

/** Milliseconds after which a missing answer of the bot counts as lost. */
const timeoutMs = 30_000;

/** Values for the placeholders in << >> of the samples. */
export type TestData = Record<string, string>;

/** Creates test data with its own users. */
export async function createTestData(
  chatUrl: string,
  admin: { workspaceId: string; token: string },
): Promise<TestData> {
  const client = new ChatClient({ chatUrl });
  const { user: other, key: otherKey } = await client.createUser({ name: 'Other' });
  const { user, key } = await client.createUser({ name: 'One' });
  client.userKey = key;
  const { conversation } = await client.createConversation({});
  const conversationId = conversation.id;
  await client.addParticipant({ conversationId, userId: other.id });
  const others = new ChatClient({ chatUrl, userKey: otherKey });
  await others.acceptInvitation({ conversationId });
  const { conversation: invitation } = await others.createConversation({});
  await others.addParticipant({ conversationId: invitation.id, userId: user.id });
  const { message } = await client.createMessage({ conversationId, payload: { type: 'text', text: 'One' } });
  const { event } = await client.createEvent({ conversationId, payload: {} });
  const file = { key: 'a.txt', size: 10, contentType: 'text/plain' };
  const [empty, whole] = await Promise.all([client.createFile(file), client.createFile(file)]);
  await fetch(whole.file.uploadUrl, { method: 'PUT', body: '0123456789' });
  const ofBot = await waitForMessage(
    client,
    conversationId,
    ({ payload }) => 'text' in payload && payload.text === 'Hello',
  );
  const manage = async <Made>(path: string, body: object) => {
    const response = await fetch(new URL(`/v1/admin${path}`, chatUrl), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'x-workspace-id': admin.workspaceId,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return (await response.json()) as Made;
  };
  // A second bot, so that changes do not affect the demo bot.
  const { bot } = await manage<{ bot: { id: string } }>('/bots', { name: `Bot of ${user.id}` });
  const join = async (role: string) => {
    const email = `${role}-${user.id}@example.com`;
    const member = await manage<{ id: string }>('/workspace-members', { email, role });
    const made = await manage<{ token: { id: string }; value: string }>('/tokens', {
      name: 'One',
      kind: 'personal',
      memberId: member.id,
    });
    return { member: member.id, tokenId: made.token.id, token: made.value };
  };
  // Two members: one whose token is used, and one who is the target of requests.
  const [caller, subject] = [await join('owner'), await join('support')];
  const link = await manage<{ url: string }>(`/workspace-members/${subject.member}/links`, {
    purpose: 'sign-in',
  });
  const session = await signInWith(chatUrl, link.url.slice(link.url.indexOf('=') + 1));
  const tokenOf = async (owner: object) => {
    const made = await manage<{ token: { id: string } }>('/tokens', { name: 'Two', ...owner });
    return made.token.id;
  };
  const ownTokenId = await tokenOf({ kind: 'personal', memberId: caller.member });
  const botTokenId = await tokenOf({ kind: 'bot', botId: bot.id });
  const ofBotHeaders = (bot: string) => ({
    authorization: `Bearer ${admin.token}`,
    'x-bot-id': bot,
    'content-type': 'application/json',
  });
  const request = async (path: string, method: string, body: object) => {
    const init = { method, headers: ofBotHeaders(bot.id), body: JSON.stringify(body) };
    return (await fetch(new URL(`/v1/files${path}`, chatUrl), init)).json();
  };
  const announce = async (name: string) => {
    const answer = await request('', 'PUT', {
      key: `${name}-${user.id}.txt`,
      size: 10,
      index: true,
      tags: { a: 'b' },
    });
    return (answer as { file: { id: string; url: string; uploadUrl: string } }).file;
  };
  const [waiting, stored] = [await announce('waiting'), await announce('stored')];
  await fetch(stored.uploadUrl, { method: 'PUT', body: 'hello word' });
  const { knowledgeBase } = (await request('/knowledge-bases', 'POST', { name: 'A' })) as {
    knowledgeBase: { id: string };
  };
  const table = await createTable(chatUrl, ofBotHeaders(bot.id), `of-${user.id}Table`.replace('_', '-'));
  // The bot whose webhook id is in the address of the chat.
  const demoBot = await defaultBot(chatUrl, admin);
  const opened = await fetch(new URL('/v1/chat/streams', chatUrl), {
    method: 'POST',
    headers: ofBotHeaders(demoBot),
    body: JSON.stringify({ conversationId }),
  });
  const sent = await fetch(new URL('/v1/chat/messages', chatUrl), {
    method: 'POST',
    headers: ofBotHeaders(demoBot),
    body: JSON.stringify({
      conversationId,
      payload: { type: 'text', text: 'An answer with a part' },
      parts: [{ id: 'lookup', type: 'tool', toolName: 'get_order', state: 'output-available' }],
    }),
  });
  const { message: answer } = (await sent.json()) as { message?: { id: string } };
  const handling = await askForPerson(
    client,
    chatUrl,
    {
      ...ofBotHeaders(demoBot),
      'x-workspace-id': admin.workspaceId,
    },
    caller.token,
  );
  const [interrupt, otherInterrupt, clientTool] = await askVisitor(client, chatUrl, ofBotHeaders(demoBot));
  // Missing while the bot has reached its limit of open streams.
  const { stream } = (await opened.json()) as { stream?: { id: string } };
  return {
    file: stored.id,
    table,
    platformUpload: new URL(waiting.uploadUrl).pathname,
    platformDownload: new URL(stored.url).pathname,
    knowledgeBase: knowledgeBase.id,
    key,
    otherKey,
    user: user.id,
    other: other.id,
    conversation: conversationId,
    invitation: invitation.id,
    message: message.id,
    botMessage: ofBot.id,
    // Missing while the bot has reached a limit.
    answer: answer?.id ?? 'msg_none',
    interrupt: interrupt ?? 'int_none',
    otherInterrupt: otherInterrupt ?? 'int_none',
    clientTool: clientTool ?? 'int_none',
    ...handling,
    event: event.id,
    upload: new URL(empty.file.uploadUrl).pathname,
    download: new URL(whole.file.url).pathname,
    ...subject,
    session,
    ownTokenId,
    botTokenId,
    token: caller.token,
    workspace: admin.workspaceId,
    bot: bot.id,
    demoBot,
    stream: stream?.id ?? 'stream_none',
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
 * A conversation that waits for a person, with two notes of the member whose token is used, and two that this member has
 * closed, whose visitor is asked for a rating. All visitors may ask for a person.
 */
async function askForPerson(
  client: ChatClient,
  chatUrl: string,
  ofBot: Record<string, string>,
  token: string,
): Promise<
  Record<
    | 'handled'
    | 'note'
    | 'otherNote'
    | 'noteFile'
    | 'cannedAnswer'
    | 'otherCannedAnswer'
    | 'team'
    | 'otherTeam'
    | 'rated'
    | 'handoff'
    | 'otherRated'
    | 'otherHandoff',
    string
  >
> {
  const { conversation } = await client.createConversation({});
  const handled = conversation.id;
  const send = async (path: string, method: string, body: unknown, headers = ofBot) => {
    const response = await fetch(new URL(path, chatUrl), { method, headers, body: JSON.stringify(body) });
    return (await response.json()) as {
      note?: { id: string };
      file?: { id: string; uploadUrl: string };
      cannedAnswer?: { id: string };
      team?: { id: string };
    };
  };
  await send(`/v1/admin/bots/${ofBot['x-bot-id']}/deployment`, 'PUT', { visitorHandoff: true });
  await send(`/v1/chat/conversations/${handled}/handoff`, 'POST', {});
  const ofMember = { ...ofBot, authorization: `Bearer ${token}` };
  const addNote = async (body: string) => {
    const { note } = await send(`/v1/inbox/conversations/${handled}/notes`, 'POST', { body }, ofMember);
    return note?.id ?? 'note_none';
  };
  const addNoteFile = async () => {
    const path = `/v1/inbox/conversations/${handled}/note-files`;
    const { file } = await send(path, 'POST', { key: 'a.txt', size: 1 }, ofMember);
    // The server may refuse it at a limit.
    if (!file) return 'file_none';
    await fetch(file.uploadUrl, { method: 'PUT', body: 'a' });
    return file.id;
  };
  const addAnswer = async (name: string) => {
    const body = { scope: 'own', name, text: name };
    const { cannedAnswer } = await send('/v1/inbox/canned-answers', 'POST', body, ofMember);
    return cannedAnswer?.id ?? 'answer_none';
  };
  const addTeam = async (name: string) => {
    const { team } = await send('/v1/inbox/teams', 'POST', { name, mode: 'round_robin' }, ofMember);
    return team?.id ?? 'team_none';
  };
  const closeOne = async () => {
    const { id } = (await client.createConversation({})).conversation;
    await send(`/v1/chat/conversations/${id}/handoff`, 'POST', {});
    await send(`/v1/inbox/conversations/${id}/take`, 'POST', {}, ofMember);
    const payload = { type: 'text', text: 'It is on its way.' };
    await send(`/v1/inbox/conversations/${id}/replies`, 'POST', { payload, seenSeq: 1_000 }, ofMember);
    await send(`/v1/inbox/conversations/${id}/close`, 'POST', {}, ofMember);
    const { rating } = await client.listActivities({ id });
    return { id, handoff: rating?.handoffId ?? 'handoff_none' };
  };
  const [rated, other] = [await closeOne(), await closeOne()];
  return {
    handled,
    rated: rated.id,
    handoff: rated.handoff,
    otherRated: other.id,
    otherHandoff: other.handoff,
    note: await addNote('One'),
    otherNote: await addNote('Two'),
    noteFile: await addNoteFile(),
    cannedAnswer: await addAnswer('One'),
    otherCannedAnswer: await addAnswer('Two'),
    team: await addTeam(`One ${handled}`),
    otherTeam: await addTeam(`Two ${handled}`),
  };
}

/**
 * Asks two questions in a conversation in which nothing else is written, which would cancel them. Returns their ids; none
 * while the bot has reached a limit.
 */
async function askVisitor(
  client: ChatClient,
  chatUrl: string,
  headers: Record<string, string>,
): Promise<string[]> {
  const { conversation } = await client.createConversation({});
  const send = async (path: string, body: unknown) => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(new URL(`/v1/chat/streams${path}`, chatUrl), init)).json();
  };
  const { stream } = (await send('', { conversationId: conversation.id })) as { stream?: { id: string } };
  if (!stream) return [];
  const question = { reason: 'confirmation', message: 'Cancel the order?' };
  const call = { reason: 'client_tool', toolName: 'get_cart', message: 'Look into the cart' };
  const { message } = (await send(`/${stream.id}/end`, { interrupts: [question, question, call] })) as {
    message?: { parts?: { id: string }[] };
  };
  return message?.parts?.map(({ id }) => id) ?? [];
}

/** Returns the first bot of the workspace, which is the default bot. */
async function defaultBot(chatUrl: string, admin: { workspaceId: string; token: string }): Promise<string> {
  let id = '';
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query = token === '' ? '' : `&nextToken=${token}`;
    const response = await fetch(new URL(`/v1/admin/bots?pageSize=1000${query}`, chatUrl), {
      headers: { authorization: `Bearer ${admin.token}`, 'x-workspace-id': admin.workspaceId },
    });
    const page = (await response.json()) as { bots: { id: string }[]; meta: { nextToken?: string } };
    // The list begins with the newest bot.
    id = page.bots.at(-1)?.id ?? id;
    token = page.meta.nextToken;
  }
  return id;
}

/** Creates a table with a row and returns its name. */
async function createTable(chatUrl: string, headers: Record<string, string>, name: string): Promise<string> {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', 'x-zui': { searchable: true } },
      age: { type: 'number' },
      more: { type: 'object' },
    },
  };
  const send = (path: string, body: unknown) =>
    fetch(new URL(`/v1/tables${path}`, chatUrl), { method: 'POST', headers, body: JSON.stringify(body) });
  await send('', { name, schema });
  await send(`/${name}/rows`, { rows: [{ name: 'Ann', age: 3, more: { x: 1 } }] });
  return name;
}

/** Has a conversation with the server. Returns the problems, one line each. */
export async function checkConversation(chatUrl: string, prototype: string): Promise<string[]> {
  const faults: string[] = [];
  const hello = await fetch(`${chatUrl}/hello`);
  if (!hello.ok) faults.push(`hello responds with ${hello.status}`);
  await hello.text();
  const client = new ChatClient({ chatUrl });
  client.userKey = (await client.createUser({})).key;
  const conversationId = (await client.createConversation({})).conversation.id;
  const received: string[] = [];
  const stream = client.listen(conversationId, {
    lastEventId: '0',
    onSignal: (signal) => signal.type === 'message_created' && received.push(signal.data.id),
  });
  try {
    await client.createMessage({ conversationId, payload: { type: 'text', text: 'prototype?' } });
    const answer = await waitForMessage(
      client,
      conversationId,
      ({ payload }) => 'text' in payload && / /.test(payload.text),
    );
    if (!('text' in answer.payload) || answer.payload.text !== prototype) {
      faults.push(`the prototype of objects was changed: ${JSON.stringify(answer.payload)}`);
    }
    const stored = (await client.list.messages({ conversationId }).collect()).map(({ id }) => id).reverse();
    await pollUntil('the stream delivers every message', () => received.length >= stored.length, {
      timeoutMs,
    });
    if (received.join() !== stored.join()) faults.push(`received ${received}, stored ${stored}`);
  } finally {
    stream.close();
  }
  return faults;
}

/** Waits for the first message that matches. */
const waitForMessage = (client: ChatClient, conversationId: string, matches: (message: Message) => boolean) =>
  pollUntil(
    'the bot answers',
    async () => (await client.list.messages({ conversationId }).collect()).find(matches),
    { timeoutMs },
  );
