// Tests that no line of the process output contains secrets or texts of visitors, except what bot code itself puts into
// the errors that it throws. The test calls every operation with
// canaries in all values, causes every kind of failure, and enables all logging.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { apis } from '../../protocol/operations/apis.ts';
import { createUserKeys } from '../auth/user-keys.ts';
import { useServerProcess } from '../process.testing.ts';
import { openTestDatabase, pollOptions, readStream } from '../testing.ts';

const { run, bot, folder } = useServerProcess();

/** Part of every text that is sent. V8 and Node quote only the beginning of a long text. */
const canary = 'canary';
const adminToken = `${canary}-admin-token-${randomUUID()}`;
/** The address in links of mails; it leads nowhere. */
const publicUrl = 'http://127.0.0.1:1';
const keySecret = `${canary}-secret-of-the-keys-${randomUUID()}`;

/** A bot that fails in every way that bot code can, each time with the text of the visitor. */
const failingBot = `
const ways = {
  throw: (text) => { throw new Error(text); },
  'throw-text': (text) => { throw text; },
  'throw-object': (text) => { throw { text, message: text }; },
  carry: (text) => { throw Object.assign(new Error('x'), { payload: { text }, name: text, code: text }); },
  cause: (text) => { throw new Error('x', { cause: new Error(text) }); },
  several: (text) => { throw new AggregateError([new Error(text)], text); },
  parse: (text) => JSON.parse(text),
  url: (text) => new URL(text),
  reject: (text) => { void Promise.reject(new Error(text)); },
  'reject-text': (text) => { void Promise.reject(text); },
  invalid: (text, bot) => bot.reply({ type: 'text', text: 7, note: text }),
  unknown: (text, bot) => bot.reply({ type: text }),
  ask: (text, bot) => bot.stream().end(undefined, { interrupts: [{
    reason: 'confirmation',
    message: text,
    input: { text },
    state: { text },
    responseSchema: { type: 'object', properties: { text: { type: 'string' } } },
  }, { reason: 'client_tool', toolName: 'tool', message: text, input: { text }, state: { text } }] }),
  late: (text) => { setTimeout(() => { throw new Error(text); }); },
};
export default async (event, bot) => {
  const text = event.payload?.text;
  const way = /^canary (\\S+)/.exec(text ?? '')?.[1];
  if (way in ways) await ways[way](text, bot);
};`;

const botFailures = [
  'throw',
  'throw-text',
  'throw-object',
  'carry',
  'cause',
  'several',
  'parse',
  'url',
  'invalid',
  'unknown',
];
const rejections = ['reject', 'reject-text'];

test('no failure writes secret or private values to the log', async () => {
  const server = await run({
    LOG_LEVEL: 'trace',
    ADMIN_TOKEN: adminToken,
    USER_KEY_SECRET: keySecret,
    USER_KEY_SECRET_PREVIOUS: `${canary}-secret-of-before`,
    RATE_LIMIT: '1000000',
    SMTP_URL: `smtp://${canary}:${canary}@127.0.0.1:1`,
    MAIL_FROM: `${canary}@example.com`,
    PUSH_CONTACT: `mailto:${canary}@example.com`,
    PUBLIC_URL: publicUrl,
    BOT: await bot(failingBot),
  });
  const chat = `${server.url}/chat/demo`;
  // A user whom an application has identified, and an anonymous one who is merged into it.
  const namedKey = createUserKeys(keySecret).sign(`${canary}-customer`);
  const workspaceId = /^Workspace +(\S+)$/m.exec(server.stdout())?.[1] ?? '';
  /** Secrets that must not be found in addition to the canary. The server generates them, so they contain no canary. */
  const secrets: string[] = [];
  /** The error ids of responses with status 500, each of which must be in the log. */
  const faults: string[] = [];

  async function send(method: string, url: string, headers: Record<string, string> = {}, body?: BodyInit) {
    const response = await fetch(url.replace(publicUrl, server.url), {
      method,
      headers: {
        'user-agent': `${canary}-agent`,
        referer: `https://${canary}.example/`,
        'x-odd': canary,
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = response.headers.get('content-type')?.includes('json') ? await response.text() : '';
    if (response.status === 500) faults.push((JSON.parse(text) as { id: string }).id);
    return { response, status: response.status, body: text ? JSON.parse(text) : {} };
  }
  const idempotencyKey = `${canary}-${randomUUID()}`;
  const json = (key?: string) => ({
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
    ...(key ? { 'x-user-key': key } : {}),
  });

  const entered = await send(
    'POST',
    `${chat}/users`,
    json(),
    JSON.stringify({ name: canary, profile: canary }),
  );
  const { key, user } = entered.body as { key: string; user: { id: string } };
  const guest = (await send('POST', `${chat}/users`, { 'content-type': 'application/json' }, '{}')).body;
  secrets.push(...key.split('.').slice(1), key, ...guest.key.split('.').slice(1));
  const chatConversationId = (
    await send('POST', `${chat}/conversations`, json(key), JSON.stringify({ id: `${canary}-room` }))
  ).body.conversation.id as string;
  const at = encodeURIComponent(chatConversationId);
  const sendMessage = async (text: string) =>
    (
      await send(
        'POST',
        `${chat}/messages`,
        { ...json(key), 'idempotency-key': `${canary} ${Math.random()}` },
        JSON.stringify({
          conversationId: chatConversationId,
          payload: { type: 'text', text },
          metadata: { note: canary },
        }),
      )
    ).body.message.id as string;
  const messageId = await sendMessage(`${canary} hello`);
  const { file } = (
    await send('POST', `${chat}/files`, json(key), JSON.stringify({ key: `${canary}.txt`, size: 6 }))
  ).body;
  secrets.push(file.uploadUrl.split('/').pop(), file.url.split('/').at(-2));
  const event = (
    await send(
      'POST',
      `${chat}/events`,
      json(key),
      JSON.stringify({ conversationId: chatConversationId, payload: { note: canary } }),
    )
  ).body.event.id;
  // A participant, and invitations of this participant that the visitor accepts and declines.
  const post = (path: string, by: string, body: object) =>
    send('POST', chat + path, { 'content-type': 'application/json', 'x-user-key': by }, JSON.stringify(body));
  await post(`/conversations/${at}/participants`, key, { userId: guest.user.id });
  await post(`/invitations/${at}`, guest.key, {});
  const invitedTo: Record<string, string> = {};
  for (const id of ['acceptInvitation', 'declineInvitation']) {
    invitedTo[id] = (await post('/conversations', guest.key, {})).body.conversation.id;
    await post(`/conversations/${invitedTo[id]}/participants`, guest.key, { userId: user.id });
  }
  // A question of the bot, in another conversation: a further message would supersede it.
  const asking = (await post('/conversations', key, {})).body.conversation.id as string;
  await post('/messages', key, {
    conversationId: asking,
    payload: { type: 'text', text: `${canary} ask ${canary}` },
    client: {
      tools: [{ name: 'tool', description: canary }],
      context: [{ description: canary, value: canary }],
    },
  });
  const interruptId = async (wanted = 'confirmation'): Promise<string | undefined> => {
    const { messages } = (await send('GET', `${chat}/conversations/${asking}/messages`, json(key))).body;
    return messages[0].parts?.find(({ reason }: { reason?: string }) => reason === wanted)?.id;
  };
  await expect.poll(() => interruptId(), pollOptions).toMatch(/^int_/);
  const stream = readStream(
    await fetch(`${chat}/conversations/${at}/listen`, { headers: { 'x-user-key': key } }),
  );

  await send(
    'POST',
    `${chat}/users/get-or-create`,
    { 'content-type': 'application/json', 'x-user-key': namedKey },
    '{}',
  );
  const merged = (await send('POST', `${chat}/users`, { 'content-type': 'application/json' }, '{}')).body;
  // Not the payload of the key of the application, which contains the canary.
  secrets.push(namedKey.split('.').at(-1) ?? '', ...merged.key.split('.').slice(1));

  // Every operation: with a valid body, invalid JSON, a wrong field, wrong keys, and canaries in the query.
  const bodies: Record<string, unknown> = {
    useReturnLink: { token: canary.padEnd(43, 'x') },
    setPush: {
      endpoint: `https://fcm.googleapis.com/${canary}`,
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
      locale: canary,
      pageUrl: `https://example.com/${canary}`,
    },
    setContact: { email: `${canary}@example.com`, locale: canary },
    createUser: { name: canary, profile: canary },
    updateUser: { name: canary },
    getOrCreateUser: { profile: canary },
    mergeUser: { userKey: merged.key },
    createConversation: { id: `${canary}-other` },
    getOrCreateConversation: { id: chatConversationId },
    addParticipant: { userId: guest.user.id },
    createMessage: { conversationId: chatConversationId, payload: { type: 'text', text: canary } },
    createEvent: { conversationId: chatConversationId, payload: { text: canary } },
    createFile: { key: `${canary}.png`, size: 10 },
    setFeedback: { value: 'positive', comment: canary },
    claimInterrupt: { claim: 'page-1' },
    respondToInterrupt: { status: 'resolved', payload: { text: canary } },
    setTyping: { typing: true },
    stopStream: { streamId: canary },
    setBotWebchat: { configuration: { botName: canary } },
    setBotRetention: { messagesDays: 365 },
    upsertFile: {
      key: `${canary}-new.txt`,
      size: 10,
      tags: { [canary]: canary },
      metadata: { [canary]: canary },
    },
    updateFileMetadata: { tags: { [canary]: canary } },
    copyFile: { overwrite: true },
    setFilePassages: { passages: [{ content: canary }] },
    createKnowledgeBase: { name: canary },
    updateKnowledgeBase: { name: canary },
    createTable: { name: `${canary}Table`, schema: { [canary]: canary } },
    getOrCreateTable: { schema: { [canary]: canary } },
    updateTable: { tags: { [canary]: canary } },
    renameTableColumn: { name: canary, newName: canary },
    duplicateTable: { tableName: `${canary}TwinTable` },
    importTable: { fileId: canary },
    findTableRows: { filter: { [canary]: { $regex: canary } }, search: canary },
    createTableRows: { rows: [{ [canary]: canary }] },
    updateTableRows: { rows: [{ id: 1, [canary]: canary }] },
    upsertTableRows: { rows: [{ [canary]: canary }], keyColumn: canary },
    deleteTableRows: { filter: { [canary]: canary } },
    createBot: { name: `${canary} new`, webhookId: `${canary}-bot`, tags: { [canary]: canary } },
    updateBot: { name: `${canary} renamed`, configuration: { data: { [canary]: canary } } },
    createPersonalAccessToken: { note: canary },
    updateAccount: { displayName: canary },
    setBotDeployment: { webhookUrl: `https://${canary}.example/${canary}` },
    createWorkspace: { name: canary, email: `${canary}@example.com` },
    updateWorkspace: { name: canary, about: canary },
    createWorkspaceMember: { email: `${canary}@example.com`, role: 'viewer', displayName: canary },
    updateWorkspaceMember: { email: `${canary}2@example.com`, displayName: canary },
    createToken: { name: canary, kind: 'personal' },
    createMemberLink: { purpose: 'invitation' },
    finishOidcSignIn: { query: `code=${canary}&state=${canary}` },
    signInWithPassword: { email: `${canary}2@example.com`, password: `${canary} ${canary}` },
    changePassword: { currentPassword: `${canary} ${canary}`, password: `${canary} of ${canary}` },
    requestSignInLink: { email: `${canary}2@example.com` },
    setBotTyping: { typing: true },
    setVisibility: { visibility: 'show' },
    configureWebchat: { configuration: { botName: canary } },
    writeStream: { delta: canary },
    endStream: { metadata: { [canary]: canary } },
  };
  const ids: Record<string, string> = {
    conversationId: at,
    userId: guest.user.id,
    destinationKey: `${canary}-copy.txt`,
    table: `${canary}Table`,
  };
  const queries: Record<string, string> = { searchFiles: `query=${canary}`, getTableRow: 'id=1' };
  // Deleting operations run last, and the one that deletes the user after all others.
  const last = [
    'getTableRow',
    'deleteTableRows',
    'deleteTable',
    'deleteFile',
    'deleteKnowledgeBase',
    'deleteFeedback',
    'deleteBotMessage',
    'deleteBotConversation',
    'deleteBotUser',
    'deleteMessage',
    'deleteConversation',
    'deleteUser',
    'deleteToken',
    'deletePersonalAccessToken',
    'deleteBotApiKey',
    'deleteWorkspaceMember',
    'deleteVisitor',
    'deleteBot',
  ];
  const order = apis
    .flatMap(({ name, base, operations }) => operations.map((operation) => ({ ...operation, name, base })))
    .sort((a, b) => last.indexOf(a.id) - last.indexOf(b.id));
  const admin = async (path: string, body: unknown) =>
    (
      await send(
        'POST',
        `${server.url}/v1/admin${path}`,
        {
          'content-type': 'application/json',
          authorization: `Bearer ${adminToken}`,
          'x-workspace-id': workspaceId,
        },
        JSON.stringify(body),
      )
    ).body;
  const botId = (await admin('/bots', { name: canary, webhookId: 'elsewhere' })).bot.id as string;
  const member = await admin('/workspace-members', { email: `${canary}1@example.com`, role: 'viewer' });
  const extra = await admin('/tokens', { name: canary, kind: 'bot', botId });
  const doomed = await admin('/workspaces', { name: canary, email: `${canary}3@example.com` });
  const { pat } = await admin('/account/pats', { note: canary });
  const bak = await admin('/bots/baks', { botId, note: canary });
  /** Operation -> the resource that it deletes. */
  const doomedIds: Record<string, string> = {
    deleteWorkspace: doomed.workspace.id,
    deletePersonalAccessToken: pat.id,
    deleteBotApiKey: bak.id,
    claimInterrupt: (await interruptId('client_tool')) ?? '',
  };
  Object.assign(bodies, { createBotApiKey: { botId, note: canary } });
  queries.listBotApiKeys = `botId=${botId}`;
  secrets.push(doomed.value, pat.value, bak.value);
  secrets.push(extra.value);
  const ofBot = { ...json(), authorization: `Bearer ${adminToken}`, 'x-bot-id': botId };
  const own = async (method: string, path: string, fields: object) =>
    (await send(method, `${server.url}/v1/files${path}`, ofBot, JSON.stringify(fields))).body;
  // The key of the file is the canary.
  const { file: stored } = await own('PUT', '', {
    key: canary,
    size: canary.length,
    index: true,
    contentType: 'text/plain',
  });
  expect((await send('PUT', stored.uploadUrl, {}, canary)).status).toBe(204);
  secrets.push(stored.uploadUrl.split('/').pop(), stored.url.split('/').at(-2));
  // The worker thread of a built server reads it.
  const status = async () => (await send('GET', `${server.url}/v1/files/${canary}`, ofBot)).body.file.status;
  await expect.poll(status, pollOptions).toBe('indexing_completed');
  const { knowledgeBase } = await own('POST', '/knowledge-bases', { name: canary });
  const inPaths: Record<string, string> = {
    messages: messageId,
    events: event,
    conversations: at,
    bots: botId,
    workspaces: workspaceId,
    'workspace-members': member.id,
    tokens: extra.token.id,
    'knowledge-bases': knowledgeBase.id,
    interrupts: (await interruptId()) ?? '',
  };
  // This bot has a separate visitor for the operations of the Runtime API.
  const elsewhere = `${server.url}/chat/elsewhere`;
  const plain = { 'content-type': 'application/json' };
  const theirKey = (await send('POST', `${elsewhere}/users`, plain, JSON.stringify({ name: canary }))).body
    .key;
  await send(
    'POST',
    `${elsewhere}/conversations`,
    { ...plain, 'x-user-key': theirKey },
    JSON.stringify({ id: `${canary}-runtime` }),
  );
  const runtime = async (method: string, path: string, fields?: object) =>
    (await send(method, `${server.url}/v1/chat${path}`, ofBot, fields && JSON.stringify(fields))).body;
  const conversationId = (await runtime('GET', '/conversations')).conversations[0].id as string;
  const payload = { type: 'text', text: canary };
  const botEventId = (await runtime('POST', '/events', { conversationId, payload })).event.id as string;
  const botMessageId = (
    await runtime('POST', '/messages', {
      conversationId,
      payload,
      parts: [{ id: 'lookup', type: 'tool', toolName: canary, state: 'output-available', input: canary }],
    })
  ).message.id;
  // Another conversation of this bot is one that people handle; and the visitors of the first bot can ask for a person.
  const asAdmin = { ...plain, authorization: `Bearer ${adminToken}`, 'x-workspace-id': workspaceId };
  const { bots } = (await send('GET', `${server.url}/v1/admin/bots`, asAdmin)).body;
  for (const { id } of bots)
    await send(
      'PUT',
      `${server.url}/v1/admin/bots/${id}/deployment`,
      asAdmin,
      JSON.stringify({ visitorHandoff: true }),
    );
  const handledId = (await runtime('POST', '/conversations', { tags: { [canary]: 'handled' } })).conversation
    .id as string;
  await runtime('POST', `/conversations/${handledId}/handoff`, { reason: canary, note: canary });
  const ofInbox = (path: string, fields: object) =>
    send('POST', `${server.url}/v1/inbox${path}`, asAdmin, JSON.stringify(fields));
  const { note } = (await ofInbox(`/conversations/${handledId}/notes`, { body: canary })).body;
  const noteFile = (await ofInbox(`/conversations/${handledId}/note-files`, { key: canary, size: 1 })).body
    .file;
  await fetch(server.url + new URL(noteFile.uploadUrl).pathname, { method: 'PUT', body: 'a' });
  const { cannedAnswer } = (await ofInbox('/canned-answers', { scope: 'own', name: canary, text: canary }))
    .body;
  const { team } = (await ofInbox('/teams', { name: canary, mode: 'manual' })).body;
  const ownMember = (await send('GET', `${server.url}/v1/admin/workspace-members/me`, asAdmin)).body;
  const { user: second } = (await send('POST', `${elsewhere}/users`, plain, '{}')).body;
  Object.assign(bodies, {
    addBotParticipant: { userId: second.id },
    requestHandoff: { reason: canary },
    requestBotHandoff: { reason: canary, note: canary },
    acceptHandoff: { person: { name: canary } },
    assignConversation: { memberId: ownMember.id },
    setInboxTags: { tags: [canary] },
    createReply: { payload, seenSeq: 1_000, take: true },
    createReplyFile: { key: `${canary}.png`, size: 10 },
    createNoteFile: { key: `${canary}.png`, size: 10 },
    createNote: { body: canary },
    updateNote: { body: canary },
    createCannedAnswer: { scope: 'own', name: canary, text: canary },
    updateCannedAnswer: { text: canary },
    setOpeningHours: { timeZone: 'UTC', always: true, week: {}, exceptions: [] },
    createTeam: { name: `${canary} 2`, mode: 'manual' },
    updateTeam: { name: `${canary} 3` },
    setAvailability: { availability: 'available' },
    setMemberCapacity: { capacity: 3 },
    setInboxPresence: { state: 'replying' },
    setInboxRead: { seq: 1 },
    setRead: { messageId },
    rateConversation: { handoffId: 'handoff_rated', rating: 5, comment: canary },
    createBotMessage: { conversationId, payload },
    createBotConversation: { tags: { canary }, properties: { canary } },
    getOrCreateBotConversation: { tags: { canary } },
    updateBotConversation: { tags: { canary } },
    createBotUser: { name: canary, tags: { canary }, attributes: { canary } },
    getOrCreateBotUser: { tags: { canary } },
    updateBotUser: { name: canary },
    getOrCreateBotMessage: { conversationId, payload, tags: { canary } },
    updateBotMessage: { payload },
    updateBotMessagePart: { part: { output: canary } },
    setBotState: { payload: { canary } },
    getOrSetBotState: { payload: { canary } },
    patchBotState: { payload: { canary } },
    setBotStateExpiry: { expiry: 60_000 },
    createBotEvent: { conversationId, payload: { text: canary } },
    createStream: { conversationId },
    callAction: {
      type: 'webchat:getOrCreateUser',
      input: { name: canary, email: `${canary}@example.com`, user: { id: canary, conversationId } },
    },
  });
  const serverUserId = (await runtime('GET', `/users?conversationId=${conversationId}`)).users[0]
    .id as string;
  bodies.revokeUserKeys = { userId: serverUserId };
  const streamId = (await runtime('POST', '/streams', { conversationId })).stream.id as string;
  queries.searchMessages = `text=${canary}`;
  queries.listInboxConversations = `list=all&q=${canary}`;
  queries.getReport = 'from=2026-10-01&to=2026-10-31';
  queries.exportReport = `${queries.getReport}&table=members`;
  queries.listBotMessages = `conversationId=${conversationId}`;
  queries.listBotEvents = `conversationId=${conversationId}`;
  // Dead letters as a webhook would cause them.
  const inFile = await openTestDatabase(join(folder(), 'data'));
  await inFile.write(async (tx) => {
    for (const id of ['redeliverDeadLetter', 'deleteDeadLetter'])
      await tx.run(
        `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, created_at, state, failed_at)
         VALUES (?, ?, ?, ?, ?, 'conversation_started', 1, 'dead', 1)`,
        `evt_${id}`,
        conversationId,
        botId,
        1_000 + id.length,
        user.id,
      );
  });
  // The visitor is asked for a rating, as after the end of a conversation with a person.
  await inFile.write((tx) =>
    tx.run(
      `INSERT INTO ratings (handoff_id, conversation_id, bot_id, offered_at)
       SELECT 'handoff_rated', conversation_id, '', 1 FROM messages WHERE id = ?`,
      messageId,
    ),
  );
  await inFile.close();
  const ofRuntime: Record<string, string> = {
    messages: botMessageId,
    events: botEventId,
    conversations: conversationId,
    users: serverUserId,
    streams: streamId,
    states: conversationId,
  };
  const done = new Map<string, number>();
  // A member who signs in: each operation of the Session API has a session of its own.
  const asPage = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const inviteMember = async (): Promise<string> => {
    const { url } = await admin(`/workspace-members/${member.id}/links`, { purpose: 'invitation' });
    const token = (url as string).split('=')[1] ?? '';
    secrets.push(token);
    return token;
  };
  const signIn = async () => {
    const body = JSON.stringify({ token: await inviteMember(), password: `${canary} ${canary}` });
    const { response, body: signedIn } = await send(
      'POST',
      `${server.url}/v1/session/link/use`,
      asPage,
      body,
    );
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    secrets.push(cookie.split('=')[1] ?? '');
    return { headers: { ...asPage, cookie }, id: signedIn.session.id as string };
  };
  for (const operation of order) {
    const isChat = operation.name === 'chat';
    const { id, method } = operation;
    const isRuntime = operation.name === 'runtime';
    const noun = operation.path.split('/')[1] ?? '';
    const known = doomedIds[id] ?? (isRuntime ? ofRuntime[noun] : undefined) ?? inPaths[noun];
    const isSession = operation.base === '/v1/session';
    const session = isSession ? await signIn() : undefined;
    if (id === 'useSignInLink') bodies[id] = { token: await inviteMember() };
    const own: Record<string, string | undefined> = {
      ...(session ? { id: session.id } : {}),
      eventId: `evt_${id}`,
      partId: 'lookup',
      ...(isRuntime ? { userId: second.id, type: 'conversation' } : {}),
      ...(operation.name === 'inbox' ? { id: handledId, noteId: note.id, fileId: noteFile.id } : {}),
      ...(/CannedAnswer$/.test(id) ? { id: cannedAnswer.id } : {}),
      ...(/Team$/.test(id) ? { id: team.id } : {}),
      ...(id === 'setMemberCapacity' ? { id: ownMember.id } : {}),
      // Not the conversation with the open stream, which a handoff ends, nor the one with a damaged message.
      ...(/Handoff$/.test(id) ? { id: isRuntime ? handledId : asking } : {}),
      ...(id === 'deleteBotUser' ? { id: second.id } : {}),
      ...(operation.name === 'admin' ? { userId: serverUserId } : {}),
      ...(invitedTo[id] ? { conversationId: invitedTo[id] } : {}),
    };
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => own[name] ?? ids[name] ?? known ?? canary);
    const query = queries[id] ? `?${queries[id]}` : '';
    const url = (isChat ? chat + path : server.url + operation.base + path) + query;
    // Operations that revoke keys revoke those of another user.
    const endsKeys = ['revokeKey', 'revokeKeys'].includes(id);
    const ownKey =
      id === 'mergeUser'
        ? namedKey
        : endsKeys
          ? (await send('POST', `${chat}/users`, plain, '{}')).body.key
          : key;
    const right: Record<string, string> = isChat
      ? json(ownKey)
      : session
        ? session.headers
        : {
            ...json(),
            authorization: `Bearer ${adminToken}`,
            'x-workspace-id': workspaceId,
            'x-bot-id': botId,
          };
    const wrong = isChat
      ? { ...right, 'x-user-key': `${canary}.${key.split('.')[1]}.${canary}` }
      : session
        ? {
            ...asPage,
            cookie: `inbox=${canary}`,
            ...(operation.auth === 'none' ? { 'sec-fetch-site': canary } : {}),
          }
        : { ...right, authorization: `Bearer ${canary}-wrong` };
    const body = JSON.stringify(bodies[id] ?? {});
    const sends = ['POST', 'PUT', 'PATCH'].includes(method);
    await send(method, url, wrong, sends ? body : undefined).then(({ response }) =>
      response.body?.cancel().catch(() => {}),
    );
    const paged = `${url}${query ? '&' : '?'}nextToken=${canary}`;
    await send(method, paged, wrong, sends ? `{"${canary}` : undefined);
    // If the operation has no body, it ignores an invalid one.
    for (const broken of sends && operation.input
      ? [`${canary} {`, `{"${canary}`, JSON.stringify({ [canary]: canary, payload: canary, id: 7 })]
      : []) {
      await send(method, url, { ...right, 'idempotency-key': canary }, broken);
    }
    if (!operation.output) {
      const { response, status } = await send(method, url, right);
      await response.body?.cancel();
      done.set(id, status);
      continue;
    }
    if (method === 'GET') await send(method, paged, right);
    const once = { ...right, 'idempotency-key': `${canary} ${id} ${randomUUID()}` };
    const answer = await send(method, url, once, sends ? body : undefined);
    done.set(id, answer.status);
    const {
      value,
      key: issued,
      pat: made,
      url: link,
    } = answer.body as {
      value?: string;
      key?: string;
      pat?: { value: string };
      url?: string;
    };
    // Another response contains the rotated secrets.
    const source =
      id === 'rotateBotSecrets' ? await send('GET', url.replace(/\/rotate$/, ''), right) : answer;
    const { deployment } = source.body as { deployment?: Record<string, string> };
    if (id === 'createMemberLink') secrets.push(link?.split('=')[1] ?? '');
    for (const one of [value, made?.value, issued, deployment?.signingSecret, deployment?.userKeySecret]) {
      if (one !== undefined) secrets.push(one);
    }
    if (id === 'getMessage') {
      // Every failure while a conversation exists; the log shows that the bot received each message.
      for (const way of [...botFailures, ...rejections]) await sendMessage(`${canary} ${way} `);
      await expect
        .poll(() => server.stderr().match(/"msg":"bot failed"/g)?.length, pollOptions)
        .toBe(botFailures.length);
      await expect
        .poll(() => server.stderr().match(/"msg":"unhandled rejection"/g)?.length, pollOptions)
        .toBe(rejections.length);
      // Files: every address, with names and tokens that are invalid.
      expect((await send('PUT', file.uploadUrl, {}, canary)).status).toBe(204);
      for (const [method, url, headers, body] of [
        ['PUT', file.uploadUrl, {}, canary],
        ['HEAD', file.uploadUrl, {}, undefined],
        ['PATCH', file.uploadUrl, { 'upload-offset': canary }, canary],
        ['PUT', `${file.uploadUrl}${canary}`, {}, canary],
        ['GET', file.url, { range: canary }, undefined],
        ['GET', file.url.replace(`${canary}.txt`, ''), {}, undefined],
        ['POST', `${chat}/${canary}`, {}, canary],
        ['GET', `${server.url}/${canary}?${canary}`, {}, undefined],
        ['POST', `${chat}/messages`, json(key), `"${canary.repeat(200_000)}"`],
        ['GET', `${chat}/messages/%FF${canary}`, json(key), undefined],
      ] as const) {
        await send(method, url, headers, body).then(({ response }) =>
          response.body?.cancel().catch(() => {}),
        );
      }
      // An unexpected error that quotes stored content, caused by a corrupted row.
      const invalidMessageId = await sendMessage(canary);
      const db = await openTestDatabase(join(folder(), 'data'));
      await db.write((tx) =>
        tx.run('UPDATE messages SET payload = ? WHERE id = ?', `${canary} {`, invalidMessageId),
      );
      // A message that can have feedback.
      await db.write((tx) => tx.run('UPDATE messages SET is_bot = 1 WHERE id = ?', messageId));
      await db.close();
      expect((await send('GET', `${chat}/messages/${invalidMessageId}`, json(key))).status).toBe(500);
    }
  }
  const all = order.map(({ id }) => id);
  expect([...done.keys()].sort()).toEqual(all.sort());
  expect(
    // This server has no other service with which members sign in, and its mails with links do not arrive.
    [...done].filter(([id, status]) => status >= 400 && !id.endsWith('OidcSignIn') && id !== 'useReturnLink'),
    'Operations that failed, with their status. A 404 for a new operation: it has no handler, or this test needs an id in `ids` or `inPaths`. A 400: it needs a body in `bodies`.',
  ).toEqual([]);
  await stream.cancel();

  // The audit trail contains each action of an administrator with ids and without contents.
  const trail = await openTestDatabase(join(folder(), 'data'));
  const entries = await trail.read((tx) =>
    tx.all<{ operation: string; status: number; target: string; actor_email: string | null }>(
      'SELECT * FROM audit_log',
    ),
  );
  await trail.close();
  const succeeded = new Set(entries.filter(({ status }) => status < 400).map(({ operation }) => operation));
  for (const { id, name, kind } of order) {
    if (name === 'admin' && kind === 'mutation') expect([id, succeeded.has(id)]).toEqual([id, true]);
  }
  for (const id of ['getBotDeployment', 'deleteFile', 'deleteTable', 'deleteTableRows', 'exportTable']) {
    expect([id, succeeded.has(id)]).toEqual([id, true]);
  }
  const publicNames = new Set([
    'canary',
    'canaryTable',
    'canaryTable-copy',
    `${canary}-copy.txt`,
    `${canary}-bot`,
  ]);
  // The address of a member says who did it.
  for (const { target, actor_email: _, ...entry } of entries) {
    for (const secret of [canary, ...secrets]) expect(JSON.stringify(entry)).not.toContain(secret);
    for (const secret of [adminToken, ...secrets]) expect(target).not.toContain(secret);
    // Values in a path that are names of a table or a file, or a public address.
    const ids = Object.values(JSON.parse(target) as Record<string, string>);
    expect(ids.filter((text) => text.includes(canary) && !publicNames.has(text))).toEqual([]);
  }

  expect(faults.length).toBeGreaterThan(0);
  for (const id of faults) expect(server.stderr()).toContain(`"errorId":"${id}"`);
  await expect.poll(() => server.stderr().includes('SyntaxError'), pollOptions).toBe(true);

  for (const way of rejections) {
    const own = new RegExp(`"eventType":"text"[^\\n]*canary ${way} [^\\n]*"msg":"unhandled rejection"`);
    expect(server.stderr()).toMatch(own);
  }

  // The last failure ends the thread of the bot.
  const again = (await send('POST', `${chat}/users`, { 'content-type': 'application/json' }, '{}')).body as {
    key: string;
  };
  const { body } = await send(
    'POST',
    `${chat}/conversations`,
    { ...json(again.key), 'idempotency-key': 'x' },
    '{}',
  );
  const late = { conversationId: body.conversation.id, payload: { type: 'text', text: `${canary} late ` } };
  await send('POST', `${chat}/messages`, json(again.key), JSON.stringify(late)).catch(() => {});
  await expect
    .poll(server.stderr, pollOptions)
    .toMatch(/"eventType":"text"[^\n]*canary late [^\n]*"msg":"uncaught exception"/);
  await expect.poll(server.stderr, pollOptions).toContain('"msg":"the thread of a bot ended"');
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);

  const written = server.stdout() + server.stderr();
  expect(server.stdout()).toMatch(
    /^Demo page [^\n]*\nPlayground [^\n]*\nAPI [^\n]*\nInbox [^\n]*\nWorkspace [^\n]*\nready [^\n]*\n$/,
  );
  expect(secrets.every((secret) => secret.length > 20)).toBe(true);
  for (const secret of [user.id, ...secrets])
    expect(written.split('\n').filter((line) => line.includes(secret))).toEqual([]);
  // An error of bot code is logged with its message (decision 33), which this bot takes from the visitor. Nothing else is.
  const lines = server.stderr().trimEnd().split('\n');
  const withoutBotErrors = lines.map((line) => {
    const { err, ...fields } = JSON.parse(line) as { err?: object; eventType?: string; msg: string };
    return JSON.stringify(fields.eventType === undefined ? { ...fields, err } : fields);
  });
  for (const text of [server.stdout(), ...withoutBotErrors]) expect(text).not.toContain(canary);
  const refused = lines.filter((line) => line.includes('The payload is not valid'));
  expect(refused).toHaveLength(2);
  expect(refused.join()).not.toContain(canary);
});
