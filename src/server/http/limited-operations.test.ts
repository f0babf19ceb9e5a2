// Tests of user keys that are limited to one conversation, with every operation of the declarations: such a key reads and changes
// nothing of another conversation of its user, and nothing of the user.
import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { encodeRequest } from '../../client/platform/encode.ts';
import { operationsOf } from '../../protocol/operations/apis.ts';
import {
  examplesOf,
  fillExample,
  type TestData,
} from '../../protocol/operations/example-requests.testing.ts';
import { issuedClaims } from '../auth/user-keys.ts';
import { type Inbox, startInbox } from '../inbox/testing.ts';
import { settledRows } from '../testing/settled-rows.testing.ts';
import { allRows, base } from '../testing.ts';

const operations = operationsOf('chat').filter(({ auth }) => auth === 'key' || auth === 'user');
/** The operations that such a key may call without naming a conversation. */
const ofConversationOnly = [
  'createFile',
  'getContact',
  'getOrCreateUser',
  'getPush',
  'getUser',
  'listConversations',
  'revokeKey',
];

let inbox: Inbox;
let opened: string;
let limited: string;
let hidden: TestData;
let canaries: string[];

let starting: Promise<void> | undefined;
/** Starts the server for all tests. Not in a hook, because it waits with `expect.poll`. */
const ready = (): Promise<void> => {
  starting ??= start();
  return starting;
};

async function start(): Promise<void> {
  inbox = await startInbox(undefined, { PARTICIPANTS: 'direct' });
  const { server, key, visitor, conversationId } = inbox;
  opened = await server.conversation(key);
  const guest = await server.user({ name: 'Guest' });
  const body = { userId: guest.id };
  await server.call('POST', `/conversations/${conversationId}/participants`, { key, body });
  await server.call('PUT', '/users/me', { key, body: { profile: 'canary-profile' } });
  const message = await inbox.send('canary-text');
  const { body: made } = await server.call('POST', '/events', {
    key,
    body: { conversationId, payload: { a: 'canary-event' } },
  });
  const event = (made.event as { id: string }).id;
  const answer = { type: 'text', text: 'canary-answer' };
  const { body: sent } = await inbox.bot('POST', '/messages', { conversationId, payload: answer });
  await inbox.runtime('POST', '/handoff', { summary: 'canary-summary' });
  await inbox.idle();
  const ids = { conversation: conversationId, message, event, botMessage: sent.message.id as string };
  hidden = { ...ids, handled: conversationId, user: visitor.id, other: guest.id, guest: guest.id };
  canaries = ['canary', ...Object.values(ids), guest.id];
  limited = server.sign(visitor.id, {
    ...issuedClaims(randomUUID(), Date.now(), 3_600),
    conversation: [opened],
  });
}
afterAll(() => inbox?.close());

/** The requests of an operation, about the other conversation where they name one. */
function requestsOf(operation: (typeof operations)[number]) {
  const data = new Proxy(hidden, { get: (target, name: string) => target[name] ?? 'none' });
  return examplesOf(operation).map((example) => {
    const input = fillExample({ ...example }, data) as Record<string, unknown>;
    for (const [field, id] of Object.entries({ conversationId: hidden.conversation, userId: hidden.other }))
      if (operation.path.includes(`{${field}}`)) Object.assign(input, { [field]: id });
    if (operation.id === 'searchMessages') Object.assign(input, { text: 'canary' });
    return { input, text: JSON.stringify(input) };
  });
}

async function call(operation: (typeof operations)[number], key: string, { input }: { input: object }) {
  const { method, target, body } = encodeRequest(operation.id, operation.route, input);
  const response = await inbox.server.fetch(base + target, {
    method,
    headers: { 'x-user-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body }),
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { status: response.status, answer: 'stream' };
  }
  return { status: response.status, answer: await response.text() };
}

test('a key without limits reads the conversation with the same requests', async () => {
  await ready();
  const shown: string[] = [];
  for (const operation of operations.filter(({ kind }) => kind === 'query')) {
    for (const request of requestsOf(operation)) {
      const { answer } = await call(operation, inbox.key, request);
      if (canaries.some((word) => answer.includes(word) && !request.text.includes(word)))
        shown.push(operation.id);
    }
  }
  // If one is missing, the tests below prove nothing of it.
  expect([...new Set(shown)].sort()).toEqual([
    ...['getEvent', 'getMessage', 'getUser', 'listConversations', 'listMessages', 'listParticipants'],
    'searchMessages',
  ]);
});

describe('a key that is limited to another conversation', () => {
  test.each(operations)('uses $id for nothing of it', async (operation) => {
    await ready();
    const before = await settledRows(inbox.server.db);
    for (const request of requestsOf(operation)) {
      const isAbout = canaries.some((word) => request.text.includes(word));
      if (operation.kind === 'mutation' && !isAbout && ofConversationOnly.includes(operation.id)) continue;
      const { status, answer } = await call(operation, limited, request);
      const leaks = canaries.filter((word) => answer.includes(word) && !request.text.includes(word));
      expect([operation.id, request.text, status, leaks]).toEqual([operation.id, request.text, status, []]);
      if (ofConversationOnly.includes(operation.id)) continue;
      expect([operation.id, request.text, status]).toEqual([
        operation.id,
        request.text,
        expect.toSatisfy((code: number) => [400, 403, 404].includes(code)),
      ]);
    }
    expect(await allRows(inbox.server.db)).toEqual(before);
  });
});
