// @vitest-environment jsdom
// Tests what the page reports about the user before the visitor opens the chat: keys are checked, and nobody is created.
import { describe, expect, test } from 'vitest';
import { signUserKey } from '../../../client/index.ts';
import { waitFor } from '../../../polling.testing.ts';
import { secret } from '../../../server/testing.ts';
import {
  idle,
  network,
  openPage,
  requests,
  server,
  setUpServer,
} from '../../chat/session/session.testing.ts';

setUpServer();

const keyOf = (id: string) => signUserKey({ id, secret });
const userCount = async () => {
  const row = await server.db.read((tx) =>
    tx.get<{ count: number }>('SELECT COUNT(*) AS count FROM users WHERE is_bot = 0'),
  );
  return row?.count;
};

/** Holds the requests that a key sends. Returns the function that lets them pass. */
function holdRequestsOf(key: string): () => void {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  network.between = async (request, next) => {
    if (request.headers.get('x-user-key') === key) await released;
    return next();
  };
  return release;
}

describe('before the chat is opened', () => {
  test('a valid key of a new user is confirmed and creates nobody; opening creates its user with all fields', async () => {
    const here = openPage();
    const key = await keyOf('customer-7');
    await here.session.methods.identify(key);
    const renaming = here.session.methods.updateUser({ name: 'Ada' });
    expect(requests).toEqual(['GET /users/me']);
    expect(here.stored).toEqual({});
    expect(await userCount()).toBe(0);
    await here.session.start();
    await renaming;
    expect(await here.session.methods.getUser()).toMatchObject({ name: 'Ada', userKey: key });
    expect(await userCount()).toBe(1);
    expect(here.events.filter(([type]) => type === 'error')).toEqual([]);
  });

  test('a valid key of a known user is confirmed and resumes that user', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage();
    await here.session.methods.identify(ada.key);
    expect(here.stored).toMatchObject({ userId: ada.id, userKey: ada.key, isNamed: true });
    expect(await userCount()).toBe(1);
    await here.session.start();
    expect(await here.session.methods.getUser()).toMatchObject({ id: ada.id });
  });

  test('a key that the server refuses rejects with its code, and the visitor stays anonymous', async () => {
    const here = openPage();
    const bad = `${await keyOf('customer-7')}x`;
    await expect(here.session.methods.identify(bad)).rejects.toMatchObject({ code: 'unauthorized' });
    expect(here.stored).toEqual({});
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(here.stored.isNamed).toBeUndefined();
  });

  test.each([
    ['ada@example.com'],
    ['auth0|5f7c8ec7c33c6c004bbafe82'],
    ['ada.lovelace'],
    ['x'.repeat(80)],
    ['100%41/..?#'],
  ])('a key with the usual id %s is confirmed, and opening creates its user', async (id) => {
    const here = openPage();
    await here.session.methods.identify(await keyOf(id));
    await here.session.start();
    expect(await here.session.methods.getUser()).toMatchObject({ id });
    expect(here.events.filter(([type]) => type === 'error')).toEqual([]);
  });

  const soon = Math.floor(Date.now() / 1_000) + 3_600;
  test.each<[string, object, RegExp]>([
    ['an id with a space', { id: 'Ada Lovelace' }, /1 to 120 visible ASCII characters/],
    ['an id that is too long', { id: 'x'.repeat(121) }, /1 to 120 visible ASCII characters/],
    ['a number as id', { id: 7 }, /must be a text/],
    ['sub in place of id', { id: undefined, sub: 'ada' }, /`sub` in place of `id`/],
    ['the id of a user of the server', { id: `user_${'0'.repeat(26)}` }, /form of the ids of this server/],
    ['exp in milliseconds', { id: 'ada', exp: soon * 1_000 }, /`exp` must be in seconds/],
    ['a past exp', { id: 'ada', exp: soon - 7_200 }, /has expired/],
  ])('a signed key with %s rejects with the reason, and nobody is created', async (_, claims, reason) => {
    const here = openPage();
    const identifying = here.session.methods.identify(server.sign('replaced', claims));
    await expect(identifying).rejects.toMatchObject({
      code: 'id' in claims && /visible/.test(reason.source) ? 'rejected' : 'unauthorized',
      message: expect.stringMatching(reason),
    });
    expect(here.stored).toEqual({});
    expect(await userCount()).toBe(0);
  });

  test('of two keys the last one is used, also when the first answer comes later', async () => {
    const here = openPage();
    const [first, second] = [await keyOf('first'), await keyOf('second')];
    const release = holdRequestsOf(first);
    const early = here.session.methods.identify(first);
    await here.session.methods.identify(second);
    release();
    await early;
    await here.session.start();
    expect(here.stored.userKey).toBe(second);
  });

  test('a visitor who opens the chat while a key is being checked is the user of that key', async () => {
    const here = openPage();
    const key = await keyOf('customer-7');
    const release = holdRequestsOf(key);
    const identified = here.session.methods.identify(key);
    await waitFor(() => expect(requests).toEqual(['GET /users/me']));
    const started = here.session.start();
    await waitFor(() => expect(requests).toContain('GET /webchat'));
    // The session has the features of the server and would create a user now.
    for (let turn = 0; turn < 50; turn++) await idle();
    expect(requests).not.toContain('POST /users');
    release();
    await identified;
    await started;
    expect(here.stored).toMatchObject({ userKey: key, isNamed: true });
    expect(await userCount()).toBe(1);
  });

  test.each(['a later key', 'a logout'])(
    '%s during the check of a known key is not undone by it',
    async (what) => {
      const here = openPage({}, { close: () => {} });
      const [ada, bea] = [await server.user({ name: 'Ada' }), await server.user({ name: 'Bea' })];
      const release = holdRequestsOf(ada.key);
      const early = here.session.methods.identify(ada.key);
      const rejected = expect(early).rejects.toThrow();
      await waitFor(() => expect(requests).toEqual(['GET /users/me']));
      await (what === 'a logout' ? here.session.methods.logout() : here.session.methods.identify(bea.key));
      release();
      await rejected;
      expect(here.stored.userId).toBe(what === 'a logout' ? undefined : bea.id);
    },
  );

  test('fields of an anonymous visitor wait for the opening, create nobody, and reject when the chat is removed', async () => {
    const here = openPage();
    const waiting = here.session.methods.updateUser({ name: 'Bea' });
    await server.composition.cleanUp();
    expect(requests).toEqual([]);
    here.end();
    await expect(waiting).rejects.toThrow();
    expect(await userCount()).toBe(0);
  });
});
