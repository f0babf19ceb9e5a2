// Tests that no line of the process output contains secrets or texts of visitors, except what bot code itself puts into
// the errors that it throws. The test calls every operation with
// canaries in all values, causes every kind of failure, and enables all logging.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callerHeaders } from '../../../e2e/support/test-data/caller-headers.ts';
import { createTestData } from '../../../e2e/support/test-data/create.ts';
import { encodeRequest } from '../../client/platform/encode.ts';
import { apis, operationsOf } from '../../protocol/operations/apis.ts';
import { examplesOf, fillExample } from '../../protocol/operations/example-requests.testing.ts';
import { hasBody, type Operation } from '../../protocol/operations/operation.ts';
import { createUserKeys } from '../auth/user-keys.ts';
import { useServerProcess } from '../testing/process.testing.ts';
import { openTestDatabase, pollOptions, readStream } from '../testing.ts';
import { canary, withCanaries } from './canaries.testing.ts';

const { run, bot, folder } = useServerProcess();

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
  if (event.type === 'conversation_started') await bot.reply({ type: 'text', text: 'Hello' });
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

const placeholdersOf = (operation: Operation): string[] =>
  JSON.stringify(examplesOf(operation)).match(/<<\w+>>/g) ?? [];

/** Texts of these examples cannot be replaced: the operation accepts some names only. */
const examplesWithoutCanaries = [
  'writeStream 2',
  'callAction 4',
  'callAction 5',
  'setBotDeployment 3',
  'findTableRows 4',
];

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
  const plain = { 'content-type': 'application/json' };
  const post = async (url: string, headers: Record<string, string>, body: object) =>
    (await send('POST', url, { ...plain, ...headers }, JSON.stringify(body))).body;
  const asAdmin = { authorization: `Bearer ${adminToken}`, 'x-workspace-id': workspaceId };
  const admin = (path: string, body: object) => post(`${server.url}/v1/admin${path}`, asAdmin, body);

  /** The ids of visitors, which are not in the log either. */
  const userIds: string[] = [];
  /** Names of tables and files, and public addresses, which the audit trail contains. */
  const publicNames = new Set<string>();
  const renewTestData = async () => {
    const created = await createTestData({
      chatUrl: chat,
      admin: { workspaceId, token: adminToken },
      mark: (text) => `${canary}-${text}`,
    });
    const { key, otherKey, token, session, upload, download, platformUpload, platformDownload } = created;
    for (const one of [key, otherKey]) secrets.push(one ?? '', ...(one ?? '').split('.').slice(1));
    for (const path of [upload, platformUpload]) secrets.push(path?.split('/').at(-1) ?? '');
    for (const path of [download, platformDownload]) secrets.push(path?.split('/').at(-2) ?? '');
    secrets.push(token ?? '', session ?? '');
    userIds.push(created.user ?? '', created.other ?? '');
    // A column whose name is the canary.
    const columns = JSON.stringify({
      schema: { type: 'object', properties: { [canary]: { type: 'string' } } },
    });
    const headers = { ...plain, authorization: `Bearer ${adminToken}`, 'x-bot-id': created.bot ?? '' };
    const changed = await send('PUT', `${server.url}/v1/tables/${created.table}`, headers, columns);
    expect(changed.status).toBe(200);
    // A file is found by its key, too.
    return { ...created, file: created.fileKey ?? '' };
  };
  let data: Record<string, string> = await renewTestData();

  // A conversation that is listened to during the whole test, with all failures of the bot.
  const { key, user } = await post(`${chat}/users`, {}, { name: canary, profile: canary });
  secrets.push(key, ...key.split('.').slice(1));
  const byUser = { 'x-user-key': key };
  const { conversation } = await post(`${chat}/conversations`, byUser, { id: `${canary}-room` });
  const sendMessage = async (text: string, conversationId: string = conversation.id) => {
    const body = {
      conversationId,
      payload: { type: 'text', text },
      metadata: { note: canary },
      client: {
        tools: [{ name: 'tool', description: canary }],
        context: [{ description: canary, value: canary }],
      },
    };
    const headers = { ...byUser, 'idempotency-key': `${canary} ${randomUUID()}` };
    return (await post(`${chat}/messages`, headers, body)).message.id as string;
  };
  const at = `${chat}/conversations/${encodeURIComponent(conversation.id)}`;
  const stream = readStream(await fetch(`${at}/listen`, { headers: byUser }));
  // A question of the bot, in another conversation: a further message would supersede it.
  const asking = (await post(`${chat}/conversations`, byUser, {})).conversation.id as string;
  await sendMessage(`${canary} ask ${canary}`, asking);
  const reasons = async () => {
    const { body } = await send('GET', `${chat}/conversations/${asking}/messages`, byUser);
    return body.messages[0].parts?.map(({ reason }: { reason?: string }) => reason);
  };
  await expect.poll(reasons, pollOptions).toEqual(['confirmation', 'client_tool']);
  // The worker thread of a built server reads a file.
  const ofBot = () => ({ authorization: `Bearer ${adminToken}`, 'x-bot-id': data.bot ?? '' });
  const fileUrl = `${server.url}/v1/files/${encodeURIComponent(data.file ?? '')}`;
  const status = async () => (await send('GET', fileUrl, ofBot())).body.file.status;
  await expect.poll(status, pollOptions).toBe('indexing_completed');
  await sendFailures();

  /** Everything that fails while a conversation exists. */
  async function sendFailures() {
    // The log shows that the bot received each message.
    for (const way of [...botFailures, ...rejections]) await sendMessage(`${canary} ${way} `);
    for (const [message, list] of [
      ['bot failed', botFailures],
      ['unhandled rejection', rejections],
    ] as const) {
      const logged = () => server.stderr().match(new RegExp(`"msg":"${message}"`, 'g'))?.length;
      await expect.poll(logged, pollOptions).toBe(list.length);
    }
    // Files: every address, with names and tokens that are invalid.
    const announced = await post(`${chat}/files`, byUser, { key: `${canary}.txt`, size: 6 });
    const { file } = announced;
    secrets.push(file.uploadUrl.split('/').pop(), file.url.split('/').at(-2));
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
      ['POST', `${chat}/messages`, { ...plain, ...byUser }, `"${canary.repeat(200_000)}"`],
      ['GET', `${chat}/messages/%FF${canary}`, byUser, undefined],
    ] as const) {
      await send(method, url, headers, body).then(({ response }) => response.body?.cancel().catch(() => {}));
    }
    // An unexpected error that quotes stored content, caused by a corrupted row.
    const invalidMessageId = await sendMessage(canary);
    const db = await openTestDatabase(join(folder(), 'data'));
    await db.write((tx) =>
      tx.run('UPDATE messages SET payload = ? WHERE id = ?', `${canary} {`, invalidMessageId),
    );
    await db.close();
    expect((await send('GET', `${chat}/messages/${invalidMessageId}`, byUser)).status).toBe(500);
  }

  // A member who signs in: each operation of the Session API has a session of its own.
  const password = `${canary} ${canary}`;
  const email = `${canary}@example.com`;
  const member = await admin('/workspace-members', { email, role: 'viewer' });
  const inviteMember = async (): Promise<string> => {
    const { url } = await admin(`/workspace-members/${member.id}/links`, { purpose: 'invitation' });
    const token = (url as string).split('=')[1] ?? '';
    secrets.push(token);
    return token;
  };
  const signIn = async () => {
    const { response, body } = await send(
      'POST',
      `${server.url}/v1/session/link/use`,
      { ...plain, 'sec-fetch-site': 'same-origin' },
      JSON.stringify({ token: await inviteMember(), password }),
    );
    const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    secrets.push(cookie.split('=')[1] ?? '');
    return { cookie, id: body.session.id as string };
  };
  /** As webhooks that fail cause them. */
  const createDeadLetter = async () => {
    const eventId = `evt_${randomUUID()}`;
    const db = await openTestDatabase(join(folder(), 'data'));
    await db.write((tx) =>
      tx.run(
        `INSERT INTO deliveries (event_id, conversation_id, bot_id, seq, user_id, kind, created_at, state, failed_at)
         VALUES (?, ?, ?, 1000, ?, 'conversation_started', 1, 'dead', 1)`,
        eventId,
        data.conversation ?? '',
        data.demoBot ?? '',
        data.user ?? '',
      ),
    );
    await db.close();
    return { id: data.demoBot, eventId };
  };
  const createWorkspace = async () => {
    const { workspace, value } = await admin('/workspaces', { name: canary, email });
    secrets.push(value);
    return { id: workspace.id };
  };
  const asDemoBot = () => ({ authorization: `Bearer ${adminToken}`, 'x-bot-id': data.demoBot ?? '' });
  /** Values that the examples do not contain and the test data cannot know, such as valid passwords. */
  const inputs: Record<string, () => Promise<object> | object> = {
    // A service for pushes, and the keys of a browser.
    setPush: () => ({
      endpoint: `https://fcm.googleapis.com/${canary}`,
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    }),
    signInWithPassword: () => ({ email, password }),
    changePassword: () => ({ currentPassword: password, password: `${canary} of ${canary}` }),
    requestSignInLink: () => ({ email }),
    useSignInLink: async () => ({ token: await inviteMember() }),
    finishOidcSignIn: () => ({ query: `code=${canary}&state=${canary}` }),
    redeliverDeadLetter: createDeadLetter,
    deleteDeadLetter: createDeadLetter,
    deleteWorkspace: createWorkspace,
    // Of the bot of the visitors.
    revokeUserKeys: () => ({ id: data.demoBot }),
    deleteVisitor: () => ({ id: data.demoBot }),
    // Each example ends a stream with text, in a conversation with the bot.
    endStream: async () => {
      const streams = `${server.url}/v1/chat/streams`;
      const { conversation } = await post(`${chat}/conversations`, { 'x-user-key': data.key ?? '' }, {});
      const { id } = (await post(streams, asDemoBot(), { conversationId: conversation.id })).stream;
      await post(`${streams}/${id}/deltas`, asDemoBot(), { delta: canary });
      return { id };
    },
    // An anonymous user without conversations, whom an identified one takes over.
    mergeUser: async () => {
      const { key: userKey } = await post(`${chat}/users`, {}, {});
      secrets.push(...userKey.split('.').slice(1));
      return { userKey };
    },
    mailTranscript: async () => {
      const headers = { ...plain, 'x-user-key': data.key ?? '' };
      await send('PUT', `${chat}/contact`, headers, JSON.stringify({ email }));
      return {};
    },
  };
  /** Callers that are not those of the test data. */
  const callers: Record<string, () => Record<string, string>> = {
    // A user whom an application has identified.
    mergeUser: () => ({ 'x-user-key': namedKey }),
    // An operator.
    deleteWorkspace: () => asAdmin,
  };
  const namedKey = createUserKeys(keySecret).sign(`${canary}-customer`);
  await post(`${chat}/users/get-or-create`, { 'x-user-key': namedKey }, {});
  // Not the payload of the key of the application, which contains the canary.
  secrets.push(namedKey.split('.').at(-1) ?? '');

  /** Operation and number of the example -> status. */
  const done = new Map<string, number>();
  const withoutCanaries: string[] = [];
  const all = apis.flatMap(({ base, operations }) => operations.map((operation) => ({ base, operation })));
  for (const [n, { base, operation }] of all.entries()) {
    const { id, method } = operation;
    for (const [at, example] of examplesOf(operation).entries()) {
      let status = 0;
      // An operation may accept certain fields only, or certain texts.
      for (const [tries, input] of [
        withCanaries(operation, example, true),
        withCanaries(operation, example, false),
        example,
      ].entries()) {
        status = await call(base, operation, input, at + tries === 0);
        if (status >= 400) continue;
        if (tries === 2) withoutCanaries.push(`${id} ${at + 1}`);
        break;
      }
      done.set(`${id} ${at + 1}`, status);
    }
    if (method !== 'DELETE') continue;
    // Others may need what it has deleted: an operation without a placeholder deletes the user or a session.
    const deleted = placeholdersOf(operation);
    const needed = all.slice(n + 1).flatMap((later) => placeholdersOf(later.operation));
    if (deleted.length === 0 || deleted.some((name) => needed.includes(name))) data = await renewTestData();
  }

  /** Sends an example with a valid and an invalid key; `isFirst`: also with invalid bodies and queries. Returns the status. */
  async function call(
    base: string,
    operation: Operation,
    example: Readonly<Record<string, unknown>>,
    isFirst: boolean,
  ): Promise<number> {
    const { id, method, path, route, auth } = operation;
    const isChat = base.startsWith('/chat');
    const isSession = base === '/v1/session';
    const session = isSession ? await signIn() : undefined;
    // In the Chat API a conversation has the id that the visitor has chosen.
    const values = isChat ? { ...data, conversation: data.chosenConversation ?? '' } : data;
    const input = {
      ...fillExample(example, values),
      ...(path === '/{id}' && session ? { id: session.id } : {}),
      ...(await inputs[id]?.()),
    };
    const { target, body } = encodeRequest(id, route, input);
    const named = ['/v1/files', '/v1/tables'].includes(base)
      ? Object.values(input)
      : [(input as { webhookId?: unknown }).webhookId];
    for (const one of named) if (typeof one === 'string') publicNames.add(one);
    const url = isChat ? chat + target : server.url + base + target.replace(/^\/(?=\?|$)/, '');
    const caller = session
      ? { cookie: session.cookie, 'sec-fetch-site': 'same-origin' }
      : (callers[id]?.() ?? fillExample(callerHeaders(base, auth), data));
    const sends = hasBody(operation);
    const headers = { ...plain, ...caller };
    if (isFirst) await sendInvalid(operation, url, headers, body);
    const right = { ...headers, 'idempotency-key': `${canary} ${id} ${randomUUID()}` };
    const answer = await send(method, url, right, sends ? body : undefined);
    if (!operation.output) await answer.response.body?.cancel();
    noteSecrets(answer.body);
    // Another response contains the rotated secrets.
    if (id === 'rotateBotSecrets') noteSecrets((await send('GET', url.replace(/\/rotate$/, ''), right)).body);
    return answer.status;
  }

  /** The same request with a wrong key, with a page that does not exist, and with invalid bodies. */
  async function sendInvalid(
    { method, input, auth, output }: Operation,
    url: string,
    right: Record<string, string>,
    body: string | undefined,
  ): Promise<void> {
    const wrong: Record<string, string> = { ...right, 'idempotency-key': idempotencyKey };
    if (wrong.authorization) wrong.authorization = `Bearer ${canary}-wrong`;
    if (wrong.cookie) wrong.cookie = `inbox=${canary}`;
    if (wrong['x-user-key']) wrong['x-user-key'] = `${canary}.${key.split('.')[1]}.${canary}`;
    if (wrong.cookie && auth === 'none') wrong['sec-fetch-site'] = canary;
    const sends = ['POST', 'PUT', 'PATCH'].includes(method);
    const paged = `${url}${url.includes('?') ? '&' : '?'}nextToken=${canary}`;
    const { response } = await send(method, url, wrong, sends ? body : undefined);
    await response.body?.cancel().catch(() => {});
    await send(method, paged, wrong, sends ? `{"${canary}` : undefined);
    if (method === 'GET' && output) await send(method, paged, right);
    // If the operation has no body, it ignores an invalid one.
    if (!sends || !input) return;
    const wrongFields = JSON.stringify({ [canary]: canary, payload: canary, id: 7 });
    for (const broken of [`${canary} {`, `{"${canary}`, wrongFields])
      await send(method, url, { ...right, 'idempotency-key': canary }, broken);
  }

  /** The generated secrets in a response. */
  function noteSecrets({ value, key, pat, url, deployment }: Record<string, unknown>): void {
    const { signingSecret, userKeySecret } = (deployment ?? {}) as Record<string, unknown>;
    const link = typeof url === 'string' ? url.split('=')[1] : undefined;
    for (const one of [value, key, (pat as { value?: string })?.value, link, signingSecret, userKeySecret])
      if (typeof one === 'string') secrets.push(one);
  }

  expect(
    // This server has no other service with which members sign in, and its mails with links do not arrive.
    [...done].filter(([id, status]) => status >= 400 && !/OidcSignIn|useReturnLink/.test(id)),
    'Examples that failed, with their status. A new operation needs an example whose placeholders are in e2e/support/test-data, or a row in `inputs`.',
  ).toEqual([]);
  expect(withoutCanaries).toEqual(examplesWithoutCanaries);
  await stream.cancel();

  // The audit trail contains each action of an administrator with ids and without contents.
  const trail = await openTestDatabase(join(folder(), 'data'));
  const entries = await trail.read((tx) =>
    tx.all<{ operation: string; status: number; target: string; actorEmail: string | null }>(
      'SELECT * FROM audit_log',
    ),
  );
  await trail.close();
  const succeeded = new Set(entries.filter(({ status }) => status < 400).map(({ operation }) => operation));
  for (const { id, kind } of operationsOf('admin')) {
    if (kind === 'mutation') expect([id, succeeded.has(id)]).toEqual([id, true]);
  }
  for (const id of ['getBotDeployment', 'deleteFile', 'deleteTable', 'deleteTableRows', 'exportTable']) {
    expect([id, succeeded.has(id)]).toEqual([id, true]);
  }
  // The address of a member says who did it.
  const leaks = entries.flatMap(({ target, actorEmail: _, ...entry }) => {
    const text = JSON.stringify(entry);
    // Values in a path that are names of a table or a file, or a public address.
    const ids = Object.values(JSON.parse(target) as Record<string, string>);
    return [
      ...[canary, ...secrets].filter((secret) => text.includes(secret)),
      ...[adminToken, ...secrets].filter((secret) => target.includes(secret)),
      ...ids.filter((one) => one.includes(canary) && !publicNames.has(one)),
    ];
  });
  expect(leaks).toEqual([]);

  expect(faults.length).toBeGreaterThan(0);
  for (const id of faults) expect(server.stderr()).toContain(`"errorId":"${id}"`);
  await expect.poll(() => server.stderr().includes('SyntaxError'), pollOptions).toBe(true);

  for (const way of rejections) {
    const own = new RegExp(`"eventType":"text"[^\\n]*canary ${way} [^\\n]*"msg":"unhandled rejection"`);
    expect(server.stderr()).toMatch(own);
  }

  // The last failure ends the thread of the bot.
  const last = (await post(`${chat}/users`, {}, {})).key as string;
  const lastConversation = (await post(`${chat}/conversations`, { 'x-user-key': last }, {})).conversation;
  const late = { conversationId: lastConversation.id, payload: { type: 'text', text: `${canary} late ` } };
  await post(`${chat}/messages`, { 'x-user-key': last }, late).catch(() => {});
  await expect
    .poll(server.stderr, pollOptions)
    .toMatch(/"eventType":"text"[^\n]*canary late [^\n]*"msg":"uncaught exception"/);
  await expect.poll(server.stderr, pollOptions).toContain('"msg":"the thread of a bot ended"');
  server.child.kill('SIGTERM');
  expect(await server.exit).toBe(0);

  const written = server.stdout() + server.stderr();
  expect(server.stdout()).toMatch(
    /^Demo page [^\n]*\nPlayground [^\n]*\nAPI [^\n]*\nConsole [^\n]*\nDocs [^\n]*\nWorkspace [^\n]*\nready [^\n]*\n$/,
  );
  expect(secrets.every((secret) => secret.length > 20)).toBe(true);
  const logged = written.split('\n');
  for (const secret of [user.id, ...userIds, ...secrets])
    if (written.includes(secret)) expect(logged.filter((line) => line.includes(secret))).toEqual([]);
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
}, 480_000);
