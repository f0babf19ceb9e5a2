// Tests the requests of the Admin API client and its error messages.
import { expect, test } from 'vitest';
import { createAdminClient } from './admin.ts';

const credentials = { workspaceId: 'ws_1', token: 'pat_secret' };

/** An Admin API that returns these responses in order and records the requests. */
function server(...answers: (Response | Error)[]) {
  const requests: { url: string; method: string; headers: Headers; body: unknown }[] = [];
  const fetcher = async (url: string | URL | Request, { method = '', headers, body }: RequestInit = {}) => {
    requests.push({
      url: String(url),
      method,
      headers: new Headers(headers),
      body: body && JSON.parse(String(body)),
    });
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer;
  };
  return { requests, admin: createAdminClient('https://h.test/x/', credentials, fetcher as typeof fetch) };
}

test('admin client: lists the bots of all pages', async () => {
  const [first, second] = [
    { id: 'b2', name: 'Two' },
    { id: 'b1', name: 'One' },
  ];
  const { admin, requests } = server(
    Response.json({ bots: [first], meta: { nextToken: 'a&b' } }),
    Response.json({ bots: [second], meta: {} }),
  );
  expect(await admin.listBots()).toEqual([first, second]);
  expect(requests.map(({ url }) => url)).toEqual([
    'https://h.test/x/v1/admin/bots',
    'https://h.test/x/v1/admin/bots?nextToken=a%26b',
  ]);
  expect(requests[0]?.headers.get('authorization')).toBe('Bearer pat_secret');
  expect(requests[0]?.headers.get('x-workspace-id')).toBe('ws_1');
});

test('admin client: returns the webhook id of a bot', async () => {
  const { admin, requests } = server(
    Response.json({ deployment: { webhookId: 'shop', chatUrl: 'https://h/chat/shop' } }),
  );
  expect(await admin.webhookIdOf('b/1')).toBe('shop');
  expect(requests[0]?.url).toBe('https://h.test/x/v1/admin/bots/b%2F1/deployment');
});

test('admin client: loads a configuration and saves all of its fields', async () => {
  const configuration = { botName: 'Ada', footer: '' };
  const { admin, requests } = server(Response.json({ configuration }), Response.json({ configuration }));
  expect(await admin.load('b/1')).toEqual(configuration);
  expect(await admin.save('b/1', configuration)).toEqual(configuration);
  expect(requests.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', 'https://h.test/x/v1/admin/bots/b%2F1/webchat', undefined],
    ['PUT', 'https://h.test/x/v1/admin/bots/b%2F1/webchat', { configuration }],
  ]);
  expect(requests[1]?.headers.get('content-type')).toBe('application/json');
});

test('admin client: filters the audit trail and loads its next page', async () => {
  const { admin, requests } = server(
    Response.json({ entries: [], meta: { nextToken: 'x' } }),
    Response.json({ entries: [], meta: {} }),
  );
  expect(await admin.listAuditLog({ actor: 'a+b@example.com' })).toEqual({ entries: [], nextToken: 'x' });
  expect(await admin.listAuditLog({ nextToken: 'x' })).toEqual({ entries: [], nextToken: undefined });
  expect(requests.map(({ url }) => url)).toEqual([
    'https://h.test/x/v1/admin/audit?actor=a%2Bb%40example.com',
    'https://h.test/x/v1/admin/audit?nextToken=x',
  ]);
});

const error = (code: number, message: string) =>
  Response.json({ id: 'err_1', code, type: 'InvalidPayload', message }, { status: code });

test.each([
  [
    error(400, "'color' must be a HEX color."),
    "The server rejected the request (400): 'color' must be a HEX color.",
  ],
  [error(401, 'no'), 'The server rejected the workspace id or the token (401).'],
  [error(403, 'no'), 'This token does not have the required permission (403).'],
  [error(404, 'no'), 'The bot or the Admin API does not exist (404).'],
  [new Response('<html>', { status: 502 }), 'The server rejected the request (502): no reason given.'],
  [new TypeError('Failed to fetch'), 'The server cannot be reached. Nothing was changed; try again.'],
])('admin client: describes an error response in plain words: %#', async (answer, message) => {
  await expect(server(answer).admin.load('b1')).rejects.toThrow(message);
});

test.each([
  { workspaceId: '', token: 'x' },
  { workspaceId: 'ws_1', token: '' },
  { workspaceId: 'ws_1', token: 'tökén' },
  { workspaceId: 'ws 1', token: 'x\ny' },
])('admin client: does not send a value that is invalid in a header: %j', async (wrong) => {
  const fetcher = () => Promise.reject(new Error('It was sent.'));
  await expect(
    createAdminClient('https://h.test/', wrong, fetcher as typeof fetch).listBots(),
  ).rejects.toThrow('as the server printed them');
});
