// Tests that no operation accepts a malformed input. The changes of each field are those that the declared schema refuses: missing,
// null, of another type, too long or too short, too many, out of range, unknown. They are derived from the declarations and their
// examples: a new operation needs an example that its schema accepts, and no line here.
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeRequest } from '../../client/platform/encode.ts';
import { limits } from '../../protocol/limits.ts';
import { apis } from '../../protocol/operations/apis.ts';
import { examplesOf, fillExample } from '../../protocol/operations/example-requests.testing.ts';
import { hasBody, type Operation } from '../../protocol/operations/operation.ts';
import { type ChangedInput, changedInputs } from '../../protocol/operations/refused-inputs.testing.ts';
import { addMember, openBrowser, origin } from '../session/testing.ts';
import { allRows, startTestServer, type TestServer } from '../testing.ts';
import { hasOnlyDeclared } from './query.ts';

type Fields = Record<string, unknown>;

/** Changes that a server accepts although the schema refuses them: it completes the payloads of existing clients. */
const completed: Record<string, string[]> = {
  createMessage: ['payload.items.0.type missing'],
  createBotMessage: ['payload.items.0.type missing'],
  getOrCreateBotMessage: ['payload.type missing'],
};

/** Rules of whole objects and lists, of which the tests of their features have the cases. */
const rulesOfFeatures: Record<string, string[]> = {
  createUser: ['preChatForm.fields (check)'],
  createConversation: ['preChatForm.fields (check)'],
  createMessage: ['client.tools (check)', 'client.blocks (check)'],
  respondToInterrupt: ['client.tools (check)', 'client.blocks (check)'],
  endStream: ['interrupts.0.responseSchema (check)', 'interrupts.0.responseSchema.properties.aaaa (check)'],
  setBotDeployment: ['agent.headers (check)'],
  testBotAgent: ['agent.headers (check)'],
  setOpeningHours: ['exceptions.0 (check)'],
};

/** The answers to an id that nothing has, if it is not 404. */
const answersToUnknownIds: Record<string, number> = {
  // Nobody learns whether there is such a conversation.
  listenConversation: 403,
  listParticipants: 403,
  listMessages: 403,
  setTyping: 403,
  stopStream: 403,
  // A list without items.
  listFileTagValues: 200,
  // The name of the new table.
  getOrCreateTable: 400,
};

/** Fields that may be at their limit, but not in the example: the kind of token has no such field, and the password is wrong. */
const refusedByRules = ['createToken integration', 'changePassword currentPassword'];

let server: TestServer;
let ofToken: Record<string, string>;
let ofSession: Record<string, string>;

beforeAll(async () => {
  // A clock that stands, because a session is stored as used once a minute.
  const time = Date.now();
  server = await startTestServer({ RATE_LIMIT: 1_000_000, now: () => time });
  const { token = '', workspaceId } = server.admin;
  const bot = await server.db.read((tx) => tx.get<{ id: string }>('SELECT id FROM bots'));
  const { key } = await server.user({ name: 'Ann' });
  const browser = openBrowser(server);
  await browser.signIn(await addMember(server, { role: 'owner' }));
  ofToken = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-bot-id': bot?.id ?? '',
    'x-user-key': key,
  };
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  ofSession = { cookie, 'sec-fetch-site': 'same-origin', origin };
});
afterAll(() => server.close());

/** Nothing has these ids: an input is checked before anything is looked up. */
const ids = new Proxy<Record<string, string>>({}, { get: (_, name) => `none-${String(name)}` });

/** In a query all values are texts. */
const asQuery = (fields: Fields): Fields =>
  JSON.parse(JSON.stringify(fields), (_, value) =>
    ['number', 'boolean'].includes(typeof value) ? String(value) : value,
  );

const parametersOf = ({ path }: Operation): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** The examples of an operation: the path parameters, and the body or the query. */
function examplesIn(operation: Operation) {
  const names = parametersOf(operation);
  const headers = operation.headers?.map(({ name }) => name) ?? [];
  return examplesOf(operation).map((example) => {
    const filled = Object.entries(fillExample({ ...example }, ids) as Fields);
    const ofPath = filled.filter(([name]) => names.includes(name));
    const fields = Object.fromEntries(filled.filter(([name]) => ![...names, ...headers].includes(name)));
    return { ofPath: Object.fromEntries(ofPath), fields: hasBody(operation) ? fields : asQuery(fields) };
  });
}

/** The changes that a request can contain: a query has texts and lists of texts. */
function changesOf(operation: Operation) {
  const { input = v.object({}) } = operation;
  const examples = examplesIn(operation).map(({ fields }) => fields);
  for (const fields of examples)
    expect(v.safeParse(input, fields).issues, 'The example is valid.').toBe(undefined);
  const { refused, accepted, unknownRules } = changedInputs(input, examples);
  const isText = (value: unknown) => typeof value === 'string';
  const isSendable = ({ change, value }: ChangedInput) =>
    hasBody(operation) ||
    value === undefined ||
    (isText(value) && change !== 'of another type') ||
    (Array.isArray(value) && value.length > 1 && value.every(isText));
  return { refused: refused.filter(isSendable), accepted: accepted.filter(isSendable), unknownRules };
}

interface Sent {
  /** In place of the fields. */
  body?: string;
  /** Added to the query of the fields. */
  query?: string;
  headers?: Record<string, string>;
}

async function send(base: string, operation: Operation, fields: Fields, sent: Sent = {}) {
  const encoded = encodeRequest(operation.id, operation.route, fields);
  const { method, target } = encoded;
  const body = sent.body ?? encoded.body;
  const caller = operation.auth === 'session' || base === '/v1/session' ? ofSession : ofToken;
  const more = sent.query ? `${target.includes('?') ? '&' : '?'}${sent.query}` : '';
  const response = await server.fetch(base + (target + more).replace(/^\/(?=\?|$)/, ''), {
    method,
    headers: {
      ...caller,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...sent.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
  const isJson = response.headers.get('content-type')?.includes('json');
  const { type, message, metadata } = isJson ? ((await response.json()) as Fields) : {};
  if (!isJson) await response.body?.cancel();
  const { issues = [] } = (metadata ?? {}) as { issues?: { path: string }[] };
  return { status: response.status, type, message, paths: issues.map(({ path }) => path) };
}

/** Parameters of an address that no operation has: the name in the error, and the query. */
const unknownParameters = [
  ['unknown', 'unknown=1'],
  ['unknown', 'unknown.a[b]=1&unknown.a[b]=2'],
  ['Unknown', 'nextToken=&Unknown='],
  ['toString', 'toString=1'],
  ['__proto__', '__proto__[a]=1'],
  ['x'.repeat(100), `${'x'.repeat(400)}=1`],
] as const;

/** Whether a path names the field, or one in it. */
const isWithin = (path: string, field: string) => path === field || path.startsWith(`${field}.`);

const ofApis = apis.map(({ title, base, operations }) => ({
  title,
  base: base.replace('{webhookId}', 'demo'),
  rows: operations.map((operation) => [operation.id, operation] as const),
}));

describe.each(ofApis)('$title', ({ base, rows }) => {
  test.each(rows)(
    '%s refuses each malformed input by its name, and stores nothing',
    async (id, operation) => {
      const { refused, unknownRules } = changesOf(operation);
      expect(unknownRules).toEqual(rulesOfFeatures[id] ?? []);
      const [{ ofPath = {}, fields = {} } = {}] = examplesIn(operation);
      const before = await allRows(server.db, ['audit_log']);
      const type = hasBody(operation) ? 'InvalidPayload' : 'InvalidQuery';

      const wrong: unknown[] = [];
      for (const { path, change, input } of refused) {
        const answer = await send(base, operation, { ...ofPath, ...(input as Fields) });
        // The server refuses a text in a query as the list that it is not.
        const field = hasBody(operation) ? path : path.replace(/\.0$/, '');
        const isNamed = answer.paths.some((one) => isWithin(one, field));
        const namesOthers = answer.paths.some((one) => one && !isWithin(one, field) && !isWithin(field, one));
        const isRefused = answer.status === 400 && answer.type === type && isNamed && !namesOthers;
        if (!isRefused && !completed[id]?.includes(`${path} ${change}`)) wrong.push([path, change, answer]);
      }
      expect(wrong).toEqual([]);

      for (const body of hasBody(operation)
        ? ['[]', JSON.stringify([fields]), '"text"', '7', 'null', '{']
        : []) {
        const response = await send(base, operation, { ...ofPath, ...fields }, { body });
        expect([body, response.status, response.type]).toEqual([body, 400, 'InvalidPayload']);
      }

      for (const [name, query] of hasOnlyDeclared(operation) && !hasBody(operation)
        ? unknownParameters
        : []) {
        const response = await send(base, operation, { ...ofPath, ...fields }, { query });
        expect([name, response.status, response.type]).toEqual([name, 400, 'InvalidQuery']);
        expect(response.paths).toContain(name);
      }

      for (const name of parametersOf(operation)) {
        const answers = [];
        for (const value of ['a\0b', 'x'.repeat(3_000), '../a', '\u202e'])
          answers.push((await send(base, operation, { ...ofPath, ...fields, [name]: value })).status);
        const status = answersToUnknownIds[id] ?? 404;
        // No id contains a NUL, so that nothing asks who may see what has this id.
        expect([name, answers]).toEqual([name, [404, status, status, status]]);
      }

      const isRepeatable =
        operation.method === 'POST' && operation.kind === 'mutation' && !operation.hasSecrets;
      for (const key of isRepeatable ? ['', 'x'.repeat(limits.idempotencyKey + 1), 'é', 'a\tb'] : []) {
        const headers = { 'idempotency-key': key };
        const response = await send(base, operation, { ...ofPath, ...fields }, { headers });
        expect([key, response.status, response.type]).toEqual([key, 400, 'InvalidPayload']);
      }

      expect(await allRows(server.db, ['audit_log'])).toEqual(before);
    },
  );
});

// Afterwards, because accepted values are stored.
describe.each(ofApis)('$title', ({ base, rows }) => {
  test('no operation refuses a value at a limit', async () => {
    const wrong: unknown[] = [];
    for (const [id, operation] of rows) {
      const [{ ofPath = {} } = {}] = examplesIn(operation);
      for (const { path, change, input } of changesOf(operation).accepted) {
        const response = await send(base, operation, { ...ofPath, ...(input as Fields) });
        const isRefused = response.status >= 500 || response.paths.some((one) => isWithin(one, path));
        if (isRefused && !refusedByRules.includes(`${id} ${path}`)) wrong.push([id, path, change, response]);
      }
    }
    expect(wrong).toEqual([]);
  });
});
