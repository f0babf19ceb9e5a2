// @vitest-environment jsdom
// Tests that fields reach the user for whom the page has set them, and no other one, while the user changes.
import { beforeEach, expect, test, vi } from 'vitest';
import { signUserKey } from '../../../client/index.ts';
import { waitFor } from '../../../polling.testing.ts';
import { secret } from '../../../server/testing.ts';
import {
  changeInOtherTab,
  hold,
  idle,
  network,
  openPage,
  type PageView,
  pass,
  refuse,
  requests,
  server,
  setUpServer,
} from '../../chat/session/session.testing.ts';

setUpServer();

const keyOf = (id: string) => signUserKey({ id, secret });
const nameOf = async (id: string) => {
  const row = await server.db.read((tx) =>
    tx.get<{ name: string | null }>('SELECT name FROM users WHERE foreign_id = ?', id),
  );
  return row?.name;
};
/** The named users on the server. */
const users = () =>
  server.db.read((tx) =>
    tx.all(
      'SELECT foreign_id, name, picture_url FROM users WHERE foreign_id IS NOT NULL ORDER BY foreign_id',
    ),
  );

/** Holds a switch after the next user has come, while it ends the pushes of the previous one. */
function holdEndOfPushes({ store }: PageView) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const open = vi.fn(() => held);
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', { permission: 'granted' });
  vi.stubGlobal('caches', { open });
  store.setConfiguration({ ...store.state.configuration, pushWorker: '/push.js' });
  return { release, isHeld: () => waitFor(() => expect(open).toHaveBeenCalled()) };
}

let here: PageView;
let bob: string;
beforeEach(async () => {
  bob = await keyOf('bob');
  here = openPage({}, { user: { userKey: await keyOf('alice'), name: 'Alice' } });
  await here.session.start();
  await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
});

test('fields that are set while the user changes are of the next one', async () => {
  const release = hold('POST /users/get-or-create');
  const { methods } = here.session;
  const identified = methods.identify(bob);
  const named = methods.updateUser({ name: 'Bob' });
  await waitFor(() => expect(requests).toContain('POST /users/get-or-create'));
  await idle();
  release();
  await Promise.all([identified, named]);
  expect([await nameOf('alice'), await nameOf('bob')]).toEqual(['Alice', 'Bob']);
});

test('fields that are set before another change of the user wait for the next one, not for the one who was there', async () => {
  const { methods } = here.session;
  const early = methods.updateUser({ data: { plan: 'a' } }).catch(() => {});
  const identified = methods.identify(bob);
  const named = methods.updateUser({ name: 'Bob' });
  await Promise.all([early, identified, named]);
  expect([await nameOf('alice'), await nameOf('bob')]).toEqual(['Alice', 'Bob']);
  expect((await methods.getUser()).data).toBeUndefined();
});

test('fields that are set while the user changes reject with the change, and are of nobody', async () => {
  const { methods } = here.session;
  const bad = await signUserKey({ id: 'bob', secret: 'another secret of 24 letters' });
  const identified = methods.identify(bad);
  const named = methods.updateUser({ name: 'Bob' });
  expect(await Promise.allSettled([identified, named])).toMatchObject([
    { reason: { code: 'unauthorized' } },
    { reason: { code: 'unauthorized' } },
  ]);
  await methods.updateUser({ pictureUrl: 'https://example.com/alice.png' });
  expect(await nameOf('alice')).toBe('Alice');
});

test('of two users who are named one after the other, neither leaves fields to a user who stays', async () => {
  here.end();
  // Before the chat is used, the server is asked first whether the user exists.
  const { methods } = openPage(here.stored, { user: { userKey: here.stored.userKey ?? '' } }).session;
  const bad = await signUserKey({ id: 'carol', secret: 'another secret of 24 letters' });
  const first = methods.updateUser({ userKey: bob, name: 'Bob' });
  const second = methods.updateUser({ userKey: bad, name: 'Carol' });
  expect(await Promise.allSettled([first, second])).toMatchObject([{}, { reason: { code: 'unauthorized' } }]);
  await methods.updateUser({ pictureUrl: 'https://example.com/alice.png' });
  expect([await nameOf('alice'), here.stored.userId]).toEqual(['Alice', 'alice']);
});

test('fields of a user whose login has failed are not of the next one', async () => {
  here.end();
  const page = openPage({});
  const { methods } = page.session;
  network.between = async () => {
    throw new TypeError('offline');
  };
  const failed = [
    methods.updateUser({ userKey: bob, name: 'Bob' }),
    methods.updateUser({ data: { plan: 'b' } }),
  ];
  expect(await Promise.allSettled(failed)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
  pass();
  await methods.identify(await keyOf('carol'));
  await page.session.start();
  const carol = await methods.getUser();
  expect([carol.id, carol.name, carol.data]).toEqual(['carol', undefined, undefined]);
});

test('a user who is named again while another one comes stays', async () => {
  const { methods } = here.session;
  const { userKey = '' } = here.stored;
  const release = hold('POST /users/get-or-create');
  const other = methods.updateUser({ userKey: bob, name: 'Bob' }).catch(() => {});
  const back = methods.identify(userKey);
  release();
  await Promise.all([other, back]);
  expect(here.stored.userId).toBe('alice');
  expect(await nameOf('alice')).toBe('Alice');
});

test('fields that could not be sent are not of the user whom another tab has named meanwhile', async () => {
  const alice = { ...here.stored };
  await here.session.methods.identify(bob);
  const record = { ...here.stored };
  changeInOtherTab(here, alice);
  await here.session.start();
  let fail = () => {};
  const failed = new Promise<void>((resolve) => {
    fail = resolve;
  });
  network.between = async (request, next) => {
    if (request.method !== 'PUT') return next();
    await failed;
    return Response.json({}, { status: 503 });
  };
  const named = here.session.methods.updateUser({ name: 'Alice again' });
  await waitFor(() => expect(requests.filter((line) => line === 'PUT /users/me')).toHaveLength(1));
  changeInOtherTab(here, record);
  fail();
  await expect(named).rejects.toBeDefined();
  pass();
  await here.session.methods.updateUser({ pictureUrl: 'https://example.com/bob.png' });
  expect(here.stored.userId).toBe('bob');
  expect([await nameOf('alice'), await nameOf('bob')]).toEqual(['Alice', null]);
});

test('fields that could not be sent are not of the next user, whose own fields stay if a third one is refused', async () => {
  const { methods } = here.session;
  refuse('PUT /users/me', 503);
  await methods.updateUser({ pictureUrl: 'https://example.com/alice.png' }).catch(() => {});
  pass();
  const { release, isHeld } = holdEndOfPushes(here);
  const identified = methods.identify(bob);
  await isHeld();
  expect(here.stored.userId).toBe('bob');
  const named = methods.updateUser({ name: 'Bob' });
  const bad = await signUserKey({ id: 'carol', secret: 'another secret of 24 letters' });
  await expect(methods.identify(bad)).rejects.toMatchObject({ code: 'unauthorized' });
  release();
  await Promise.all([identified, named]);
  expect(await users()).toEqual([
    { foreignId: 'alice', name: 'Alice', pictureUrl: null },
    { foreignId: 'bob', name: 'Bob', pictureUrl: null },
  ]);
});

test('fields that could not be sent are not of a user who is created later, whose own fields stay if a third one is refused', async () => {
  here.end();
  // Without a conversation, nothing but the user is used.
  delete here.stored.conversationId;
  const page = openPage(here.stored, { user: { userKey: here.stored.userKey ?? '' } });
  const { methods } = page.session;
  refuse('PUT /users/me', 503);
  await methods.updateUser({ pictureUrl: 'https://example.com/alice.png' }).catch(() => {});
  pass();
  const { release, isHeld } = holdEndOfPushes(page);
  const identified = methods.updateUser({ userKey: bob, name: 'Bob' });
  await isHeld();
  expect(page.stored.userId).toBe('alice');
  const bad = await signUserKey({ id: 'carol', secret: 'another secret of 24 letters' });
  await expect(methods.identify(bad)).rejects.toMatchObject({ code: 'unauthorized' });
  release();
  await identified;
  await page.session.start();
  expect(page.stored.userId).toBe('bob');
  expect(await users()).toEqual([
    { foreignId: 'alice', name: 'Alice', pictureUrl: null },
    { foreignId: 'bob', name: 'Bob', pictureUrl: null },
  ]);
});

test('fields wait for a change of the user also after another change was refused for invalid fields', async () => {
  const release = hold('POST /users/get-or-create');
  const { methods } = here.session;
  const identified = methods.identify(bob);
  await waitFor(() => expect(requests).toContain('POST /users/get-or-create'));
  const invalid = methods.updateUser({ userKey: await keyOf('carol'), name: 'x'.repeat(10_000) });
  await expect(invalid).rejects.toMatchObject({ code: 'invalid_argument' });
  const named = methods.updateUser({ name: 'Bob' });
  await idle();
  release();
  await Promise.all([identified, named]);
  expect(here.stored.userId).toBe('bob');
  expect([await nameOf('alice'), await nameOf('bob')]).toEqual(['Alice', 'Bob']);
});

test('fields that are set after a refused user are of the user whose switch is still under way', async () => {
  const { methods } = here.session;
  const { release, isHeld } = holdEndOfPushes(here);
  const identified = methods.identify(bob);
  await isHeld();
  const bad = await signUserKey({ id: 'carol', secret: 'another secret of 24 letters' });
  await expect(methods.identify(bad)).rejects.toMatchObject({ code: 'unauthorized' });
  const named = methods.updateUser({ name: 'Bob' });
  for (let turn = 0; turn < 20; turn += 1) await idle();
  expect(requests).not.toContain('PUT /users/me');
  release();
  await Promise.all([identified, named]);
  expect(await users()).toEqual([
    { foreignId: 'alice', name: 'Alice', pictureUrl: null },
    { foreignId: 'bob', name: 'Bob', pictureUrl: null },
  ]);
});
