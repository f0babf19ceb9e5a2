// @vitest-environment jsdom
// Tests the creation of the user: lost and refused requests, and the user fields that the page sets.
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../polling.testing.ts';
import {
  clientOf,
  codes,
  network,
  openPage,
  refuse,
  requests,
  restartServer,
  serverTexts,
  setUpServer,
} from '../session.testing.ts';

setUpServer();

describe('identity', () => {
  test('a user creation whose response was lost, repeated too late to return the key, creates another user and loses no message', async () => {
    let now = Date.now();
    await restartServer({ now: () => now });
    const creationIds: (string | null)[] = [];
    const statuses: number[] = [];
    network.between = async (request, next) => {
      if (!request.url.endsWith('/users')) return next();
      creationIds.push(request.headers.get('idempotency-key'));
      const response = await next();
      statuses.push(response.status);
      if (creationIds.length > 1) return response;
      now += 120_000;
      throw new TypeError('the answer is lost');
    };
    const here = openPage();
    const started = here.session.start();
    const sent = here.session.send({ type: 'text', text: 'written before' });
    await started;
    await sent;
    await waitFor(() => expect(here.texts()).toContain('echo written before'));
    expect(statuses).toEqual([201, 409, 201]);
    expect(creationIds[1]).toBe(creationIds[0]);
    expect(creationIds[2]).not.toBe(creationIds[0]);
    expect((await serverTexts(here)).filter((text) => text === 'written before')).toHaveLength(1);
    // The lost response is reported, the 409 is not.
    expect(codes(here)).toEqual(['network']);
  });

  /** The values that the server writes into the script that it serves. */
  const served = { webchat: { features: ['firstConversation'] } as never };

  test('a new visitor gets user and conversation by one request if the server supports it', async () => {
    const here = openPage({}, served);
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(requests.filter((line) => line === 'POST /users')).toHaveLength(1);
    expect(requests).not.toContain('POST /conversations');
    expect(here.stored.conversationId).toMatch(/^conv_/);
    expect(here.events).toContainEqual(['conversation', here.stored.conversationId]);
    expect(here.notified()).toEqual(['Welcome']);
  });

  test('two tabs that start together share one conversation that was created with the user', async () => {
    const stored = {};
    const [here, there] = [openPage(stored, served), openPage(stored, served)];
    await Promise.all([here.session.start(), there.session.start()]);
    await waitFor(() => {
      expect(here.texts()).toEqual(['Welcome']);
      expect(there.texts()).toEqual(['Welcome']);
    });
    expect(requests).not.toContain('POST /conversations');
  });

  test('user and conversation are created once if the response is lost', async () => {
    let calls = 0;
    network.between = async (request, next) => {
      const response = await next();
      if (request.url.endsWith('/users') && ++calls === 1) throw new TypeError('the answer is lost');
      return response;
    };
    const here = openPage({}, served);
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(calls).toBe(2);
    expect((await clientOf(here).listConversations({})).conversations).toHaveLength(1);
  });

  test('a page that only changes the user creates no conversation', async () => {
    const here = openPage({}, { ...served, user: { name: 'Ada' } });
    await here.session.methods.getUser().catch(() => {});
    expect(requests).not.toContain('POST /conversations');
    expect(here.stored.conversationId).toBeUndefined();
  });

  test('a server that refuses every creation with 409 is tried twice', async () => {
    refuse('POST /users', 409, { message: 'no' });
    const here = openPage();
    await expect(here.session.start()).rejects.toMatchObject({ code: 'rejected' });
    expect(requests.filter((line) => line === 'POST /users')).toHaveLength(2);
  });

  test('fields that are set before the user exists are sent with its creation', async () => {
    const here = openPage({}, { user: { name: 'Ada', data: { plan: 'team' } } });
    const updating = here.session.methods.updateUser({ pictureUrl: 'https://example.org/a.png' });
    expect(await here.session.methods.getUser()).toMatchObject({
      name: 'Ada',
      pictureUrl: 'https://example.org/a.png',
      data: { plan: 'team' },
    });
    await updating;
    expect(requests.filter((line) => line.includes('/conversations'))).toEqual([]);
    expect(requests.filter((line) => line === 'POST /users')).toHaveLength(1);
    expect(requests.filter((line) => line === 'PUT /users/me')).toEqual([]);
  });

  test.each([
    { name: 7 },
    { userKey: 'schlüssel' },
    { userKey: 'a b' },
    { data: 'text' },
    { data: { a: 'x'.repeat(1000) } },
    { name: 'x'.repeat(201) },
    { pictureUrl: `https://${'x'.repeat(40_000)}` },
  ])('invalid fields are refused, and nothing is sent (%#)', async (fields) => {
    const here = openPage();
    await expect(here.session.methods.updateUser(fields as object)).rejects.toMatchObject({
      code: 'invalid_argument',
    });
    expect(requests).toEqual([]);
  });

  test.each([{ name: 7 as never }, { name: 'x'.repeat(201) }])(
    'an invalid user in init is reported, and the chat starts without it',
    async (user) => {
      const here = openPage({}, { user });
      await here.session.start();
      // The greeting of the bot may have arrived, too.
      const types = here.events.map(([type]) => type).filter((type) => type !== 'message');
      expect(types).toEqual(['error', 'conversation', 'started']);
    },
  );
});
