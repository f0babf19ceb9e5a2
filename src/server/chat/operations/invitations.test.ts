// Tests of invitations: which users can accept one, when it expires, and how many can be open.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../protocol/limits.ts';
import type { Invitation } from '../../../protocol/types/chat.ts';
import { createBot } from '../../admin/first-start.ts';
import { startTestServer, type TestServer } from '../../testing.ts';

const day = 24 * 60 * 60 * 1000;
let server: TestServer;
let owner: { id: string; key: string };
let guest: { id: string; key: string };
let mainConversation: string;
let now: number;

beforeEach(async () => {
  now = Date.parse('2026-01-01T00:00:00Z');
  server = await startTestServer({ now: () => now });
  [owner, guest] = [await server.user({ name: 'canary' }), await server.user({ id: 'guest' })];
  mainConversation = await server.conversation(owner.key);
});
afterEach(() => server.close());

const people = (conversationId: string) => `/conversations/${conversationId}/participants`;
const invite = (userId = guest.id, conversationId = mainConversation) =>
  server.call('POST', people(conversationId), { key: owner.key, body: { userId } });
const withdraw = (userId = guest.id) =>
  server.call('DELETE', `${people(mainConversation)}/${userId}`, { key: owner.key });
const accept = (key = guest.key, conversationId = mainConversation) =>
  server.call('POST', `/invitations/${conversationId}`, { key, body: {} });
const decline = (key = guest.key) => server.call('DELETE', `/invitations/${mainConversation}`, { key });
const list = async (key = guest.key) => {
  const { body } = await server.call('GET', '/invitations', { key });
  return body.invitations as Invitation[];
};
const isIn = async (key = guest.key) =>
  (await server.call('GET', people(mainConversation), { key })).status === 200;
const rows = () => server.db.read((tx) => tx.all('SELECT * FROM invitations'));
/** The response for every user without an invitation, whatever the reason. */
const noInvitation = {
  status: 404,
  body: { type: 'ResourceNotFound', message: 'You have no open invitation to this conversation.' },
};

describe('an invitation', () => {
  test('is listed for the invited user with the id of the inviter and without their profile', async () => {
    now += 5_000;
    await invite();
    const { body } = await server.call('GET', '/invitations', { key: guest.key });
    expect(body).toEqual({
      invitations: [
        { conversationId: mainConversation, invitedBy: owner.id, invitedAt: new Date(now).toISOString() },
      ],
      meta: {},
    });
    expect(await list(owner.key)).toEqual([]);
  });

  test('adds a participant when it is accepted, and notifies the others once', async () => {
    await invite();
    expect(await isIn()).toBe(false);
    const stream = await server.listen(owner.key, mainConversation);
    const answer = await accept();
    const { body } = await server.call('GET', `/conversations/${mainConversation}`, { key: guest.key });
    expect([answer.status, answer.body]).toEqual([200, body]);
    await server.sendMessage(guest.key, mainConversation, 'hello');
    await stream.untilType('message_created');
    expect(stream.frames.map(({ signal }) => signal)).toMatchObject([
      { type: 'participant_added', data: { conversationId: mainConversation, participantId: 'guest' } },
      { type: 'message_created' },
    ]);
    expect([await list(), await rows()]).toEqual([[], []]);
    await stream.cancel();
  });

  test('matches both ids of a user, and counts once for a user who was invited by both', async () => {
    const row = await server.db.read((tx) =>
      tx.get<{ id: string }>("SELECT id FROM users WHERE foreign_id = 'guest'"),
    );
    await invite(row?.id);
    expect(await list()).toHaveLength(1);
    await invite('guest');
    expect(await list()).toHaveLength(1);
    expect((await accept()).status).toBe(200);
    expect(await rows()).toEqual([]);
  });

  test('contains the foreign id of its conversation if there is one', async () => {
    await server.conversation(owner.key, 'our/room');
    await server.join(owner.key, 'our/room', guest);
    const other = await server.user();
    await server.call('POST', people('our%2Froom'), { key: owner.key, body: { userId: other.id } });
    expect((await list(other.key))[0]?.conversationId).toBe('our/room');
    const { body } = await accept(other.key, 'our%2Froom');
    expect(body.conversation).toMatchObject({ id: 'our/room' });
  });

  test('is stored once when it is created twice, and the response is the same', async () => {
    const first = await invite();
    now += day;
    expect((await invite()).body).toEqual(first.body);
    expect(await rows()).toHaveLength(1);
  });

  test('can be created before a user with this id exists, who accepts it later', async () => {
    await invite('later');
    now += day;
    const later = await server.user({ id: 'later' });
    expect((await accept(later.key)).status).toBe(200);
  });

  test('ends when a bot adds the user', async () => {
    await invite();
    const ids = await server.db.read((tx) =>
      tx.get<{ user: string; bot: string }>(
        `SELECT id AS "user", bot_id AS bot FROM users WHERE foreign_id = 'guest'`,
      ),
    );
    const response = await server.fetch(`/v1/chat${people(mainConversation)}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${server.admin.token}`,
        'x-bot-id': ids?.bot ?? '',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ userId: ids?.user }),
    });
    expect([response.status, await isIn(), await rows()]).toEqual([200, true, []]);
  });
});

describe('accepting an invitation', () => {
  test('twice changes nothing the second time; a participant and the owner get the conversation', async () => {
    await invite();
    const first = await accept();
    now += day;
    expect([(await accept()).body, (await accept(owner.key)).body]).toEqual([first.body, first.body]);
  });

  test('twice concurrently adds one participant and notifies once', async () => {
    await invite();
    const stream = await server.listen(owner.key, mainConversation);
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await server.sendMessage(owner.key, mainConversation, 'the end');
    await stream.untilType('message_created');
    expect(stream.frames.map(({ signal }) => signal?.type)).toEqual(['participant_added', 'message_created']);
    await stream.cancel();
  });

  test('while it is withdrawn leaves no invitation and returns a complete response', async () => {
    await invite();
    const [accepted, withdrawn] = await Promise.all([accept(), withdraw()]);
    expect(withdrawn.status).toBe(200);
    expect([200, 404]).toContain(accepted.status);
    expect([await isIn(), await rows()]).toEqual([false, []]);
  });

  test('is refused without an invitation, as for a conversation that does not exist', async () => {
    expect(await accept()).toMatchObject(noInvitation);
    expect(await accept(guest.key, 'conv_none')).toMatchObject(noInvitation);
    expect(await accept(guest.key, 'x'.repeat(1_000))).toMatchObject(noInvitation);
    expect(await decline()).toMatchObject(noInvitation);
    expect(await isIn()).toBe(false);
  });

  test('is refused after withdrawal', async () => {
    await invite();
    expect((await withdraw()).body).toEqual({});
    expect([await accept(), await list()]).toMatchObject([noInvitation, []]);
    expect((await withdraw()).status).toBe(404);
  });

  test('is refused after removal: a removed participant needs a new invitation', async () => {
    await server.join(owner.key, mainConversation, guest);
    await withdraw();
    expect(await accept()).toMatchObject(noInvitation);
    await invite();
    expect((await accept()).status).toBe(200);
  });

  test('is refused after the conversation was deleted, and for a new one with the same id', async () => {
    const named = await server.conversation(owner.key, 'named');
    await invite(guest.id, named);
    await server.call('DELETE', `/conversations/${named}`, { key: owner.key });
    expect([await accept(guest.key, named), await list()]).toMatchObject([noInvitation, []]);
    await server.composition.cleanUp();
    expect(await rows()).toEqual([]);
    await server.conversation(owner.key, 'named');
    expect(await accept(guest.key, named)).toMatchObject(noInvitation);
  });

  test('is refused after the owner was deleted', async () => {
    await invite();
    await server.call('DELETE', '/users/me', { key: owner.key });
    expect([await accept(), await list()]).toMatchObject([noInvitation, []]);
    await server.composition.cleanUp();
    expect(await rows()).toEqual([]);
  });

  test('is refused to another user and without a user key', async () => {
    await invite();
    const other = await server.user();
    expect([await accept(other.key), await decline(other.key)]).toMatchObject([noInvitation, noInvitation]);
    expect((await server.call('POST', `/invitations/${mainConversation}`, { body: {} })).status).toBe(401);
    expect(await list()).toHaveLength(1);
  });

  test('is refused to a user of another bot with the same foreign id, who does not see it either', async () => {
    await invite();
    await server.db.write((tx) =>
      createBot(tx, { workspaceId: server.admin.workspaceId, webhookId: 'other', name: 'Other', now }),
    );
    const call = async (method: string, path: string, key?: string, body?: object) => {
      const response = await server.fetch(`/chat/other${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      return { status: response.status, body: await response.json() };
    };
    const key = server.sign('guest');
    expect((await call('POST', '/users/get-or-create', key, {})).status).toBe(201);
    expect(await call('POST', `/invitations/${mainConversation}`, key, {})).toMatchObject(noInvitation);
    expect(await call('DELETE', `/invitations/${mainConversation}`, key)).toMatchObject(noInvitation);
    expect((await call('GET', '/invitations', key)).body).toMatchObject({ invitations: [] });
    expect((await accept()).status).toBe(200);
  });

  test('is refused to a new user with the same id after the invited user was deleted', async () => {
    await invite();
    await server.call('DELETE', '/users/me', { key: guest.key });
    now += 61_000;
    const key = server.sign('guest', { iat: now / 1_000 });
    expect((await server.call('POST', '/users/get-or-create', { key, body: {} })).status).toBe(201);
    expect([await accept(key), await list(key)]).toMatchObject([noInvitation, []]);
    // The owner sees no difference, and can withdraw and invite the new user.
    expect((await withdraw()).status).toBe(200);
    await invite();
    expect((await accept(key)).status).toBe(200);
  });
});

describe('declining an invitation', () => {
  test('closes it permanently; the owner has to withdraw it to invite the user again', async () => {
    await invite();
    expect((await decline()).body).toEqual({});
    expect(await decline()).toMatchObject(noInvitation);
    await invite();
    expect([await accept(), await list()]).toMatchObject([noInvitation, []]);
    expect((await withdraw()).status).toBe(200);
    await invite();
    expect((await accept()).status).toBe(200);
  });

  test('is refused to a participant', async () => {
    await server.join(owner.key, mainConversation, guest);
    expect(await decline()).toMatchObject(noInvitation);
    expect(await isIn()).toBe(true);
  });
});

describe('expired invitations', () => {
  test('are not listed, accepted or withdrawn after 30 days, and are deleted', async () => {
    await invite();
    now += limits.invitationDays * day - 1;
    expect(await list()).toHaveLength(1);
    now += 1;
    expect([await list(), await accept(), await decline()]).toMatchObject([[], noInvitation, noInvitation]);
    expect((await withdraw()).status).toBe(404);
    await server.composition.cleanUp();
    expect(await rows()).toEqual([]);
  });

  test('can be created again before the old one is deleted, and after it was declined', async () => {
    await invite();
    await decline();
    now += limits.invitationDays * day;
    const { body } = await invite();
    expect(body.participant).toMatchObject({ createdAt: new Date(now).toISOString() });
    expect((await accept()).status).toBe(200);
  });
});

describe('the limits of invitations', () => {
  const fill = async () => {
    for (let n = 0; n < limits.invitations; n += 1) expect((await invite(`x${n}`)).status).toBe(200);
  };

  test('a conversation can have 100 open invitations; repeating one is allowed, and withdrawing one allows another', async () => {
    await fill();
    expect((await invite()).body).toMatchObject({ code: 403, type: 'QuotaExceeded' });
    expect((await invite('x7')).status).toBe(200);
    expect(await rows()).toHaveLength(limits.invitations);
    await withdraw('x7');
    expect((await invite()).status).toBe(200);
    expect((await invite('x7')).body.type).toBe('QuotaExceeded');
  });

  test('declined invitations count, so that the owner cannot detect them; expired ones do not', async () => {
    await fill();
    const some = await server.user({ id: 'x1' });
    await decline(some.key);
    expect((await invite()).body.type).toBe('QuotaExceeded');
    now += limits.invitationDays * day;
    expect((await invite()).status).toBe(200);
  });

  test('participants do not count, and adding them succeeds when the limit is reached', async () => {
    await server.join(owner.key, mainConversation, guest);
    await fill();
    expect((await invite()).body.participant).toMatchObject({ id: 'guest' });
  });

  test('the list of the invited user is paginated and contains each conversation once', async () => {
    const conversationIds = [];
    for (let n = 0; n < limits.pageSize + 5; n += 1)
      conversationIds.push(await server.conversation(owner.key));
    for (const id of conversationIds) await invite(guest.id, id);
    const first = await server.call('GET', '/invitations', { key: guest.key });
    const { nextToken = '' } = first.body.meta as { nextToken?: string };
    const second = await server.call('GET', `/invitations?nextToken=${nextToken}`, { key: guest.key });
    const ids = [first, second].map(({ body }) =>
      (body.invitations as Invitation[]).map(({ conversationId }) => conversationId),
    );
    expect(ids.map(({ length }) => length)).toEqual([limits.pageSize, 5]);
    expect(ids.flat()).toEqual(conversationIds.toReversed());
    expect(second.body.meta).toEqual({});
    expect((await server.call('GET', '/invitations?nextToken=x', { key: guest.key })).body.type).toBe(
      'InvalidQuery',
    );
  });
});
