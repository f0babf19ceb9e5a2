// @vitest-environment jsdom
// Tests the identity of the visitor: user keys, changes of the user, deleted users, logout, and what other tabs change.
import { describe, expect, test } from 'vitest';
import { signUserKey } from '../../../../client/index.ts';
import { waitFor } from '../../../../polling.testing.ts';
import { secret } from '../../../../server/testing.ts';
import {
  changeInOtherTab,
  clientOf,
  codes,
  deleteElsewhere,
  elsewhere,
  hold,
  idle,
  losePosts,
  network,
  openPage,
  pass,
  refuse,
  requests,
  server,
  serverTexts,
  setUpServer,
  statuses,
} from '../session.testing.ts';

setUpServer();

describe('identity', () => {
  test('a switch of the user while a message is under way never shows one user the messages of the other', async () => {
    const other = await server.user({ name: 'Other' });
    const here = openPage();
    await here.session.start();
    await here.session.send({ type: 'text', text: 'private' });
    const sending = here.session.send({ type: 'text', text: 'late' }).catch(() => {});
    await here.session.methods.updateUser({ userKey: other.key });
    await sending;
    await waitFor(() => expect(here.texts()).toContain('Welcome'));
    expect(here.texts().join()).not.toContain('private');
    expect(here.stored.userKey).toBe(other.key);
    expect(await here.session.methods.getUser()).toMatchObject({ name: 'Other', id: other.id });
  });

  test('a stored session of a deleted user or conversation is replaced automatically', async () => {
    const here = openPage();
    await here.session.start();
    const { stored } = here;
    here.end();
    await deleteElsewhere(here);
    const second = openPage({ ...stored });
    await second.session.start();
    await waitFor(() => expect(second.texts()).toEqual(['Welcome']));
    expect(second.stored.conversationId).not.toBe(stored.conversationId);
    const third = openPage({ ...second.stored });
    await clientOf(second).deleteUser({});
    await third.session.start();
    await waitFor(() => expect(third.texts()).toEqual(['Welcome']));
    expect(third.stored.userKey).not.toBe(second.stored.userKey);
  });

  test('an identified user resumes the conversation on this device and on another', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: ada.key } });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'from my desk' });
    here.end();
    const phone = openPage({}, { user: { userKey: ada.key } });
    await phone.session.start();
    expect(phone.stored.conversationId).toBe(here.stored.conversationId);
    expect(phone.texts()).toContain('from my desk');
    // With expiring keys, every page view has another key for the same user.
    const renewed = await signUserKey({ id: ada.id, secret, expiresInSeconds: 900 });
    phone.end();
    const later = openPage({ ...phone.stored }, { user: { userKey: renewed } });
    await later.session.start();
    expect(later.stored).toMatchObject({ conversationId: here.stored.conversationId, userKey: renewed });
  });

  test('a new key for the same user while the chat is open changes the key and nothing else', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: ada.key } });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'before' });
    const { conversationId } = here.stored;
    const renewed = await signUserKey({ id: ada.id, secret, expiresInSeconds: 900 });
    await here.session.methods.identify(renewed);
    expect(here.stored).toMatchObject({ conversationId, userKey: renewed });
    await here.session.send({ type: 'text', text: 'after' });
    expect(here.texts()).toEqual(expect.arrayContaining(['before', 'after']));
    expect(here.events.filter(([type]) => type === 'conversation')).toHaveLength(1);
  });

  test('an anonymous visitor does not see the record of an identified user, who gets it back', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: ada.key } });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'private' });
    here.session.saveDraft('half a sentence');
    losePosts();
    void here.session.send({ type: 'text', text: 'unsent' }).catch(() => {});
    await waitFor(() => expect(statuses(here)).toEqual(['sent', 'queued']));
    here.end();
    pass();
    const stored = { ...here.stored };
    // The same browser, and the page does not identify a user.
    const anonymous = openPage(stored);
    expect(anonymous.stored.draft).toBeUndefined();
    await anonymous.session.start();
    await waitFor(() => expect(anonymous.texts()).toEqual(['Welcome']));
    expect(await anonymous.session.methods.getUser()).not.toMatchObject({ id: ada.id });
    await anonymous.session.send({ type: 'text', text: 'by another user' });
    anonymous.end();
    const again = openPage(stored, { user: { userKey: ada.key } });
    await again.session.start();
    await waitFor(async () => expect(await serverTexts(again)).toContain('unsent'));
    expect(await serverTexts(again)).not.toContain('by another user');
    expect(again.stored).toMatchObject({
      draft: 'half a sentence',
      conversationId: here.stored.conversationId,
      userId: ada.id,
    });
    expect(JSON.stringify(again.stored.named ?? {})).not.toContain('named');
  });

  test('a message that an identified user has written before the server was reached is sent after a reload, as nobody else', async () => {
    const keyOf = () => signUserKey({ id: 'customer-7', secret, expiresInSeconds: 900 + ++issued });
    let issued = 0;
    network.between = () => Promise.reject(new TypeError('offline'));
    const here = openPage({}, { user: { userKey: await keyOf() } });
    void here.session.send({ type: 'text', text: 'first words' }).catch(() => {});
    await waitFor(() => expect(here.texts()).toEqual(['first words']));
    here.end();
    const { stored } = here;
    pass();
    // The page has forgotten its user, and then another one logs in: they neither see nor send it.
    const anonymous = openPage({ ...stored });
    await anonymous.session.start();
    await waitFor(() => expect(anonymous.texts()).toEqual(['Welcome']));
    anonymous.end();
    const bea = await server.user({ name: 'Bea' });
    const other = openPage({ ...stored }, { user: { userKey: bea.key } });
    await other.session.start();
    await waitFor(() => expect(other.texts()).toEqual(['Welcome']));
    other.end();
    // With a key of its own for this page view, also after the anonymous visitor.
    for (const record of [stored, anonymous.stored]) {
      const again = openPage({ ...record }, { user: { userKey: await keyOf() } });
      await again.session.start();
      await waitFor(async () => expect(await serverTexts(again)).toContain('first words'));
      expect((await serverTexts(again)).filter((text) => text === 'first words')).toHaveLength(1);
      again.end();
      await deleteElsewhere(again);
    }
  });

  test('an invalid user key in init does not resume the session of the identified user', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: ada.key } });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'private' });
    here.end();
    const anonymous = openPage({ ...here.stored }, { user: { userKey: 'not a key', name: 'x' } });
    await anonymous.session.start();
    expect(anonymous.texts()).not.toContain('private');
    expect(anonymous.stored.userId).not.toBe(ada.id);
  });

  test.each([true, false])(
    'logout clears the record and closes the window; the next visitor gets a new user (identified: %s)',
    async (isNamed) => {
      const ada = await server.user({ name: 'Ada' });
      let closed = 0;
      const here = openPage(
        {},
        { ...(isNamed && { user: { userKey: ada.key } }), close: () => void closed++ },
      );
      await here.session.start();
      await here.session.send({ type: 'text', text: 'private' });
      here.session.saveDraft('half');
      const { conversationId } = here.stored;
      await here.session.methods.logout();
      expect(JSON.parse(JSON.stringify(here.stored))).toEqual({});
      expect([here.texts(), closed]).toEqual([[], 1]);
      await here.session.start();
      await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
      expect(here.stored.conversationId).not.toBe(conversationId);
      expect((await here.session.methods.getUser()).id).not.toBe(ada.id);
      expect(codes(here)).toEqual([]);
    },
  );

  test('after the user of init has logged out, an anonymous visitor whom the server has deleted is replaced', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: ada.key }, close: () => {} });
    await here.session.start();
    await here.session.methods.logout();
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    const { userId } = here.stored;
    await clientOf(here).deleteUser({});
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(here.stored.userId).not.toBe(userId));
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(here.stored.userId).not.toBe(ada.id);
  });

  test('a slow response to identify does not undo a logout', async () => {
    const ada = await server.user({ name: 'Ada' });
    const here = openPage({}, { close: () => {} });
    await here.session.start();
    const release = hold('POST /users/get-or-create');
    const identified = here.session.methods.identify(ada.key).catch((error) => error.code);
    await waitFor(() => expect(requests).toContain('POST /users/get-or-create'));
    await here.session.methods.logout();
    release();
    expect(await identified).toBe('destroyed');
    expect(JSON.parse(JSON.stringify(here.stored))).toEqual({});
    expect(codes(here)).toEqual([]);
  });

  test('a message typed by an anonymous visitor is not sent as the user whom another tab has identified', async () => {
    const bob = await server.user({ name: 'Bob' });
    const conversation = await server.conversation(bob.key);
    const here = openPage({}, { close: () => {} });
    refuse('POST /conversations', 503);
    const sent = here.session.methods.sendMessage('secret').catch((error) => error.code);
    await waitFor(() => expect(requests).toContain('POST /conversations'));
    changeInOtherTab(here, {
      userKey: bob.key,
      userId: bob.id,
      isNamed: true,
      conversationId: conversation,
    });
    pass();
    dispatchEvent(new Event('online'));
    expect(await sent).toBe('destroyed');
    await waitFor(() => expect(here.store.state.connection).toBe('online'));
    expect(await serverTexts(here)).not.toContain('secret');
    expect(here.texts()).not.toContain('secret');
  });

  test('an old key is renewed while the stream stays open; the key of an identified user is not', async () => {
    const { id } = await server.user();
    const old = server.sign(id);
    const here = openPage({ userKey: old, userId: id });
    await here.session.start();
    await waitFor(() => expect(here.stored.userKey).not.toBe(old));
    expect(here.session.context.client.userKey).toBe(here.stored.userKey);
    await here.session.send({ type: 'text', text: 'one' });
    await waitFor(() => expect(here.texts()).toContain('echo one'));
    expect(requests.filter((line) => line.endsWith('/listen'))).toHaveLength(1);
    // Deleting the old key ends its streams; the stream of the new key resumes.
    await server.call('DELETE', '/users/me/key', { key: old });
    await elsewhere(here, 'two');
    await waitFor(() => expect(here.texts()).toContain('echo two'));
    expect(codes(here)).toEqual([]);

    const named = openPage({}, { user: { userKey: server.sign('customer-7') } });
    await named.session.start();
    await idle();
    await named.session.send({ type: 'text', text: 'three' });
    await waitFor(() => expect(named.texts()).toContain('echo three'));
    expect(requests.filter((line) => line === 'POST /users/me/key')).toHaveLength(1);
  });

  test('a tab whose user was deleted waits for what another tab says, and then creates no other user', async () => {
    let closed = 0;
    const here = openPage({}, { close: () => void closed++ });
    await here.session.start();
    await idle();
    network.between = async (_, next) => {
      const response = await next();
      // The other tab gets the response to its deletion later, and then removes the record.
      if (response.status === 401) setTimeout(() => changeInOtherTab(here, {}), 50);
      return response;
    };
    const created = requests.filter((line) => line === 'POST /users');
    await clientOf(here).deleteUser({});
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(closed).toBeGreaterThan(0));
    expect([here.stored, here.texts()]).toEqual([{}, []]);
    expect(requests.filter((line) => line === 'POST /users')).toEqual(created);
  });

  test('a logout, a restart and a switch of the user in another tab are followed', async () => {
    const ada = await server.user({ name: 'Ada' });
    let closed = 0;
    const here = openPage({}, { close: () => void closed++ });
    await here.session.start();
    await here.session.send({ type: 'text', text: 'old' });
    await idle();
    const other = openPage({ ...here.stored });
    await other.session.methods.restartConversation();
    changeInOtherTab(here, other.stored);
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(here.stored.conversationId).toBe(other.stored.conversationId);
    await other.session.methods.identify(ada.key);
    changeInOtherTab(here, other.stored);
    await waitFor(async () => expect((await here.session.methods.getUser()).id).toBe(ada.id));
    // Invalid values, and a storage that the page has cleared, are ignored.
    const { stored } = here;
    const key = here.widget.storageKey;
    for (const newValue of ['nonsense', '7', 'null', null])
      dispatchEvent(Object.assign(new Event('storage'), { key, oldValue: '{}', newValue }));
    expect(here.stored).toBe(stored);
    expect(closed).toBe(0);
    changeInOtherTab(here, {});
    await waitFor(() => expect([here.texts(), closed]).toEqual([[], 1]));
  });

  test('a conversation deleted while it is open is replaced', async () => {
    const here = openPage();
    await here.session.start();
    const { conversationId } = here.stored;
    await deleteElsewhere(here);
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(here.stored.conversationId).not.toBe(conversationId));
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
  });
});
