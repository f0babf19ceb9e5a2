// What valid requests refer to: users, a conversation with messages of both sides, files. And a normal conversation, as
// proof that the server still does its work.
import { ChatClient } from '../../../src/client/index.ts';
import type { Message } from '../../../src/protocol/message.ts';

/** Milliseconds until what the bot has to say counts as lost. */
const patience = 30_000;

/** Values for the words in << >> of samples. */
export type World = Record<string, string>;

/** Makes a world: everything in it belongs to users of its own. */
export async function createWorld(
  chatUrl: string,
  admin: { workspaceId: string; token: string },
): Promise<World> {
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
  const ofBot = await said(
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
  // A bot of its own: what is done to it takes nothing from the one that is talked to.
  const { bot } = await manage<{ bot: { id: string } }>('/bots', { name: 'One' });
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
  // One who asks, with a token that may be ended, and one who is handled.
  const [asking, handled] = [await join('owner'), await join('viewer')];
  const ofBotHeaders = (bot: string) => ({
    authorization: `Bearer ${admin.token}`,
    'x-bot-id': bot,
    'content-type': 'application/json',
  });
  const ask = async (path: string, method: string, body: object) => {
    const init = { method, headers: ofBotHeaders(bot.id), body: JSON.stringify(body) };
    return (await fetch(new URL(`/v1/files${path}`, chatUrl), init)).json();
  };
  const announce = async (name: string) => {
    const answer = await ask('', 'PUT', {
      key: `${name}-${user.id}.txt`,
      size: 10,
      index: true,
      tags: { a: 'b' },
    });
    return (answer as { file: { id: string; url: string; uploadUrl: string } }).file;
  };
  const [waiting, stored] = [await announce('waiting'), await announce('stored')];
  await fetch(stored.uploadUrl, { method: 'PUT', body: 'hello word' });
  const { knowledgeBase } = (await ask('/knowledge-bases', 'POST', { name: 'A' })) as {
    knowledgeBase: { id: string };
  };
  const table = await createTable(chatUrl, ofBotHeaders(bot.id), `of-${user.id}Table`.replace('_', '-'));
  // The one that is talked to, of the webhook id in the chat's address.
  const demoBot = await botTalkedTo(chatUrl, admin);
  const opened = await fetch(new URL('/v1/chat/streams', chatUrl), {
    method: 'POST',
    headers: ofBotHeaders(demoBot),
    body: JSON.stringify({ conversationId }),
  });
  // None while a bot writes as many as it may.
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
    event: event.id,
    upload: new URL(empty.file.uploadUrl).pathname,
    download: new URL(whole.file.url).pathname,
    ...handled,
    token: asking.token,
    workspace: admin.workspaceId,
    bot: bot.id,
    demoBot,
    stream: stream?.id ?? 'stream_none',
  };
}

/** The first bot of the workspace, which is the one of the settings. */
async function botTalkedTo(chatUrl: string, admin: { workspaceId: string; token: string }): Promise<string> {
  let id = '';
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query = token === '' ? '' : `&nextToken=${token}`;
    const response = await fetch(new URL(`/v1/admin/bots?pageSize=1000${query}`, chatUrl), {
      headers: { authorization: `Bearer ${admin.token}`, 'x-workspace-id': admin.workspaceId },
    });
    const page = (await response.json()) as { bots: { id: string }[]; meta: { nextToken?: string } };
    // Newest first.
    id = page.bots.at(-1)?.id ?? id;
    token = page.meta.nextToken;
  }
  return id;
}

/** Makes a table with a row; gives its name. */
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

/** What is wrong with a server that a visitor wants to talk to now, in a line each. */
export async function converse(chatUrl: string, prototype: string): Promise<string[]> {
  const faults: string[] = [];
  const hello = await fetch(`${chatUrl}/hello`);
  if (!hello.ok) faults.push(`hello answers ${hello.status}`);
  await hello.text();
  const client = new ChatClient({ chatUrl });
  client.userKey = (await client.createUser({})).key;
  const conversationId = (await client.createConversation({})).conversation.id;
  const heard: string[] = [];
  const stream = client.listen(conversationId, {
    lastEventId: '0',
    onSignal: (signal) => signal.type === 'message_created' && heard.push(signal.data.id),
  });
  try {
    await client.createMessage({ conversationId, payload: { type: 'text', text: 'prototype?' } });
    const answer = await said(
      client,
      conversationId,
      ({ payload }) => 'text' in payload && / /.test(payload.text),
    );
    if (!('text' in answer.payload) || answer.payload.text !== prototype) {
      faults.push(`the prototype of objects was changed: ${JSON.stringify(answer.payload)}`);
    }
    const stored = (await client.list.messages({ conversationId }).collect()).map(({ id }) => id).reverse();
    await until(() => heard.length >= stored.length, 'the stream is silent');
    if (heard.join() !== stored.join()) faults.push(`heard ${heard}, stored ${stored}`);
  } finally {
    stream.close();
  }
  return faults;
}

/** The first message that fits, when it is there. */
async function said(client: ChatClient, conversationId: string, fits: (message: Message) => boolean) {
  let found: Message | undefined;
  await until(async () => {
    found = (await client.list.messages({ conversationId }).collect()).find(fits);
    return found !== undefined;
  }, 'the bot does not answer');
  return found as Message;
}

async function until(isSo: () => boolean | Promise<boolean>, otherwise: string): Promise<void> {
  const deadline = Date.now() + patience;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(otherwise);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
