// Tests of platform.doctor() with faults of the server or of a proxy: its address, responses, user keys, deleted users and
// conversations, the event stream, and the files of the chat. src/widget/diagnostics/interpret.test.ts has all kinds of responses.
import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { ChatClient, signUserKey } from '../../src/client/index.ts';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { FindingCode } from '../../src/widget/diagnostics/findings.ts';
import { literal, noFindings, test } from '../support/doctor.ts';
import { type Intercept, readableByAnyPage, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { expect, userKeySecret } from '../support/fixtures.ts';
import { startHostSite } from '../support/host-page.ts';
import { startPlatform } from '../support/server.ts';

type Answer = Parameters<Intercept>[1];

/** Answers with a response that any page may read, in place of that of the server. */
const say =
  (status: number, type = '', body = '', more: Record<string, string> = {}) =>
  (answer: Answer) =>
    answer
      .writeHead(status, { ...readableByAnyPage, ...(type && { 'content-type': type }), ...more })
      .end(body);

const at = (chatUrl: string) => `data-chat-url="${chatUrl}"`;

test('server_unreachable: a server that does not respond is found', async ({ doctor }) => {
  const { url, chatUrl, close } = await startFaultProxy(undefined);
  await close();
  await doctor.find('server_unreachable', literal(url), doctor.script(at(chatUrl)));
});

test('address_wrong: an unknown webhook is found', { tag: '@story' }, async ({ platform, doctor }) => {
  const wrong = `${platform.url}/chat/dmeo`;
  const cause = literal(`${wrong}/webchat answers 404`);
  const { detail } = await doctor.find('address_wrong', cause, doctor.script(at(wrong)));
  expect(detail).toContain('ResourceNotFound');
});

test('a plain Chat API server without /webchat is not a finding', async ({ doctor }) => {
  const body = { id: 'err_1', code: 404, type: 'ResourceNotFound', message: 'Nothing here.' };
  const plain = await doctor.proxy(
    ({ url, method }, answer) =>
      url?.endsWith('/webchat') &&
      method !== 'OPTIONS' &&
      say(404, 'application/json', JSON.stringify(body))(answer),
  );
  expect(await doctor.diagnosePage(doctor.script(at(plain.chatUrl)))).toMatchObject(noFindings);
});

test('a server that does not answer the requests for the script does not keep the diagnosis from ending', async ({
  doctor,
}) => {
  let requests = 0;
  const silent = await doctor.proxy(({ url }) => url?.endsWith('/webchat.js') && requests++ > 0);
  const diagnosis = await doctor.diagnosePage(`<script src="${silent.chatUrl}/webchat.js"></script>`);
  expect(diagnosis).toMatchObject(noFindings);
  const skipped = { version: expect.stringContaining('TimeoutError') };
  expect(diagnosis.environment).toMatchObject({ skipped });
});

test('origin_refused: an origin that is not in ALLOWED_ORIGINS is found', async ({ site, doctor }) => {
  const strict = await startPlatform({ ALLOWED_ORIGINS: 'https://www.example.com' });
  try {
    const cause = literal(`${strict.url} does not let ${site.url} in`);
    const tag = `<script src="${strict.chatUrl}/webchat.js"></script>`;
    const { cure } = await doctor.find('origin_refused', cause, tag);
    expect(cure).toContain('ALLOWED_ORIGINS');
  } finally {
    await strict.dispose();
  }
});

test('answer_unreadable: a response of another server without CORS headers is found', async ({
  site,
  doctor,
}) => {
  const other = await startHostSite();
  try {
    const wrong = `${other.url}/chat/demo`;
    const cause = literal(`${site.url} may not read what ${wrong}/webchat answers`);
    await doctor.find('answer_unreadable', cause, doctor.script(at(wrong)));
  } finally {
    await other.close();
  }
});

const retryAfter = { 'access-control-expose-headers': 'retry-after', 'retry-after': '120' };
for (const [code, cause, intercept] of [
  ['preflight_refused', /http:/, ({ method }, answer) => method === 'OPTIONS' && answer.writeHead(405).end()],
  ['server_failed', /answers 502/, (_, answer) => say(502, 'text/html', '<h1>Bad</h1>')(answer)],
  ['rate_limited', /asks to wait: Retry-After 120/, (_, answer) => say(429, '', '', retryAfter)(answer)],
] satisfies [FindingCode, RegExp, Intercept][]) {
  test(`${code}: such a response of the server or of a proxy is found`, async ({ doctor }) => {
    const proxy = await doctor.proxy(intercept);
    await doctor.find(code, cause, doctor.script(at(proxy.chatUrl)));
  });
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signed = (claims: object) => {
  const text = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createHmac('sha256', userKeySecret).update(text).digest('base64url')}`;
};
for (const [code, make, reason] of [
  [
    'key_refused',
    () => signUserKey({ id: 'a', secret: 'another secret altogether' }),
    /another secret has signed/,
  ],
  [
    'key_wrong',
    () => signed({ id: 'ada', exp: Date.now() + 3_600_000 }),
    /`exp` must be in seconds since 1970/,
  ],
] satisfies [FindingCode, () => Promise<string> | string, RegExp][]) {
  test(`${code}: the finding explains the reason and does not contain the key`, async ({
    page,
    platform,
    doctor,
  }) => {
    await doctor.diagnosePage(doctor.script(`${at(platform.chatUrl)} data-manual`));
    const key = await make();
    await page.evaluate((userKey) => (window.platform as Platform).init({ user: { userKey } }), key);
    const { detail, diagnosis } = await doctor.findAgain(code, literal(platform.chatUrl));
    expect(detail).toMatch(reason);
    expect(JSON.stringify(diagnosis)).not.toContain(key);
  });
}

/** Stores a session for the next pages. The chat itself does not start, because it would repair the session. */
const remember = (page: Page, chatUrl: string, session: object) =>
  page.addInitScript(
    ([key = '', text = '']) => {
      // The chat resumes when the page is idle, which this prevents.
      window.requestIdleCallback = () => 0;
      localStorage.setItem(key, text);
    },
    [`platform-webchat:${chatUrl}`, JSON.stringify(session)],
  );

/** Creates a visitor with a conversation. */
async function createVisitor(chatUrl: string) {
  const client = new ChatClient({ chatUrl });
  const { key, user } = await client.createUser({});
  client.userKey = key;
  const { conversation } = await client.createConversation({});
  return { client, session: { userKey: key, userId: user.id, conversationId: conversation.id } };
}

test('visitor_gone: a deleted user is found', async ({ page, platform: { chatUrl }, doctor }) => {
  const { client, session } = await createVisitor(chatUrl);
  await client.deleteUser({});
  await remember(page, chatUrl, session);
  const { diagnosis } = await doctor.find('visitor_gone', literal(chatUrl), doctor.script(at(chatUrl)));
  expect(diagnosis.ok).toBe(true);
});

test('conversation_gone: a deleted conversation is found', async ({
  page,
  platform: { chatUrl },
  doctor,
}) => {
  const { session } = await createVisitor(chatUrl);
  await remember(page, chatUrl, { ...session, conversationId: 'conv_gone' });
  await doctor.find('conversation_gone', /conversations\/conv_gone answers 404/, doctor.script(at(chatUrl)));
});

test('stream_blocked, stream_wrong_type, stream_buffered: faults of a proxy in the event stream are found', async ({
  page,
  platform,
  doctor,
}) => {
  let respond: (answer: Answer) => unknown = () => {};
  const proxy = await doctor.proxy(({ url, method }, answer) => {
    if (!url?.endsWith('/listen') || method === 'OPTIONS') return;
    respond(answer);
    return true;
  });
  await remember(page, proxy.chatUrl, (await createVisitor(platform.chatUrl)).session);
  const open = { ...readableByAnyPage, 'content-type': 'text/event-stream' };
  for (const [code, cause, fault] of [
    ['stream_blocked', /listen does not open within/, () => {}],
    ['stream_blocked', /listen answers 504/, say(504)],
    ['stream_blocked', /listen ends at once/, say(200, 'text/event-stream')],
    ['stream_blocked', /listen cannot be read/, (answer) => answer.destroy()],
    ['stream_wrong_type', /answers text\/html in place of/, say(200, 'text/html', '<p>')],
    ['stream_buffered', /listen says nothing within/, (answer) => answer.writeHead(200, open).flushHeaders()],
  ] satisfies [FindingCode, RegExp, (answer: Answer) => unknown][]) {
    respond = fault;
    await doctor.find(code, cause, doctor.script(at(proxy.chatUrl)));
  }
});

test('chunk_failed: the finding names the file and the response', async ({ platform, doctor }) => {
  let respond: (answer: Answer) => unknown = () => {};
  const proxy = await doctor.proxy(({ url }, answer) => {
    if (!url?.startsWith('/webchat/extras-')) return;
    respond(answer);
    return true;
  });
  for (const [cause, fault] of [
    [/extras-.{6}\.js answers 404/, say(404)],
    [/extras-.{6}\.js answers 200 text\/html/, say(200, 'text/html', '<h1>')],
    [/extras-.{6}\.js is there, but is cut or broken/, say(200, 'text/javascript', 'export {')],
    [/extras-.{6}\.js cannot be loaded/, (answer) => answer.destroy()],
  ] satisfies [RegExp, (answer: Answer) => unknown][]) {
    respond = fault;
    await doctor.find('chunk_failed', cause, doctor.script(at(platform.chatUrl), proxy.url));
  }
});
