// Tests what is asked of the Admin API, and what people are told when it refuses or is not there.
import { expect, test } from 'vitest';
import { createAdmin } from './admin.ts';

const credentials = { workspaceId: 'ws_1', token: 'pat_secret' };

/** An Admin API that gives these answers, one after the other; keeps what it was asked. */
function server(...answers: (Response | Error)[]) {
  const asked: { url: string; method: string; headers: Headers; body: unknown }[] = [];
  const fetcher = async (url: string | URL | Request, { method = '', headers, body }: RequestInit = {}) => {
    asked.push({
      url: String(url),
      method,
      headers: new Headers(headers),
      body: body && JSON.parse(String(body)),
    });
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer;
  };
  return { asked, admin: createAdmin('https://h.test/x/', credentials, fetcher as typeof fetch) };
}

test('bots of all pages', async () => {
  const [first, second] = [
    { id: 'b2', name: 'Two' },
    { id: 'b1', name: 'One' },
  ];
  const { admin, asked } = server(
    Response.json({ bots: [first], meta: { nextToken: 'a&b' } }),
    Response.json({ bots: [second], meta: {} }),
  );
  expect(await admin.listBots()).toEqual([first, second]);
  expect(asked.map(({ url }) => url)).toEqual([
    'https://h.test/x/v1/admin/bots',
    'https://h.test/x/v1/admin/bots?nextToken=a%26b',
  ]);
  expect(asked[0]?.headers.get('authorization')).toBe('Bearer pat_secret');
  expect(asked[0]?.headers.get('x-workspace-id')).toBe('ws_1');
});

test('the place of a bot', async () => {
  const { admin, asked } = server(
    Response.json({ deployment: { webhookId: 'shop', chatUrl: 'https://h/chat/shop' } }),
  );
  expect(await admin.place('b/1')).toBe('shop');
  expect(asked[0]?.url).toBe('https://h.test/x/v1/admin/bots/b%2F1/deployment');
});

test('loads, and saves the whole', async () => {
  const configuration = { botName: 'Ada', footer: '' };
  const { admin, asked } = server(Response.json({ configuration }), Response.json({ configuration }));
  expect(await admin.load('b/1')).toEqual(configuration);
  expect(await admin.save('b/1', configuration)).toEqual(configuration);
  expect(asked.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', 'https://h.test/x/v1/admin/bots/b%2F1/webchat', undefined],
    ['PUT', 'https://h.test/x/v1/admin/bots/b%2F1/webchat', { configuration }],
  ]);
  expect(asked[1]?.headers.get('content-type')).toBe('application/json');
});

test('the audit trail: its filters, and its next page', async () => {
  const { admin, asked } = server(
    Response.json({ entries: [], meta: { nextToken: 'x' } }),
    Response.json({ entries: [], meta: {} }),
  );
  expect(await admin.listAuditLog({ actor: 'a+b@example.com' })).toEqual({ entries: [], nextToken: 'x' });
  expect(await admin.listAuditLog({ nextToken: 'x' })).toEqual({ entries: [], nextToken: undefined });
  expect(asked.map(({ url }) => url)).toEqual([
    'https://h.test/x/v1/admin/audit?actor=a%2Bb%40example.com',
    'https://h.test/x/v1/admin/audit?nextToken=x',
  ]);
});

const error = (code: number, message: string) =>
  Response.json({ id: 'err_1', code, type: 'InvalidPayload', message }, { status: code });

test.each([
  [error(400, "'color' must be a HEX colour."), "The server refused (400): 'color' must be a HEX colour."],
  [error(401, 'no'), 'The server refused the workspace id or the token (401).'],
  [error(403, 'no'), 'This token may not do that (403).'],
  [error(404, 'no'), 'The server has no such bot, or no Admin API (404).'],
  [new Response('<html>', { status: 502 }), 'The server refused (502): no reason given.'],
  [new TypeError('Failed to fetch'), 'The server cannot be reached. Nothing was changed here; try again.'],
])('a refusal in words for people: %#', async (answer, message) => {
  await expect(server(answer).admin.load('b1')).rejects.toThrow(message);
});

test.each([
  { workspaceId: '', token: 'x' },
  { workspaceId: 'ws_1', token: '' },
  { workspaceId: 'ws_1', token: 'tökén' },
  { workspaceId: 'ws 1', token: 'x\ny' },
])('what cannot be a header is not sent: %j', async (wrong) => {
  const fetcher = () => Promise.reject(new Error('It was sent.'));
  await expect(createAdmin('https://h.test/', wrong, fetcher as typeof fetch).listBots()).rejects.toThrow(
    'as the server printed them',
  );
});
