// @vitest-environment jsdom
// Tests that one scope of user and conversation is active at a time: concurrent restarts, changes of the user,
// deletions, tabs and starts.
import { describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../../polling.testing.ts';
import { preview } from '../../../protocol/message.ts';
import type { StoredSession } from '../../launcher-chat-interface.ts';
import {
  codes,
  controllers,
  deleteElsewhere,
  network,
  openPage,
  pass,
  refuse,
  requests,
  server,
  serverTexts,
  setUpServer,
} from './session.testing.ts';

setUpServer();

describe('one scope at a time', () => {
  const listening = () => requests.filter((line) => line.endsWith('/listen')).length;

  test('a conversation that is deleted while open is replaced once, with its unsent messages', async () => {
    const here = openPage();
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    refuse('POST /messages', 400);
    await here.session.send({ type: 'text', text: 'unsent' }).catch(() => {});
    pass();
    const { conversationId, userId } = here.stored;
    const before = requests.length;
    await deleteElsewhere(here);
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(here.stored.conversationId).not.toBe(conversationId));
    // It failed before the new conversation has begun.
    await waitFor(() => expect(here.texts()).toEqual(['unsent', 'Welcome']));
    expect(here.stored.userId).toBe(userId);
    expect(requests.slice(before).filter((line) => line === 'POST /conversations')).toHaveLength(1);
    expect(requests.slice(before).filter((line) => line === 'POST /users')).toEqual([]);
    expect(codes(here)).toEqual(['rejected', 'forbidden']);
    expect(here.store.state.isRenewed).toBe(true);
    expect(here.store.state.rows.find(({ payload }) => preview(payload) === 'unsent')?.status).toBe('failed');
  });

  test('two restarts at once create one conversation', async () => {
    const here = openPage();
    await here.session.start();
    await Promise.all([
      here.session.methods.restartConversation(),
      here.session.methods.restartConversation(),
    ]);
    expect(here.events.filter(([type]) => type === 'conversation')).toHaveLength(2);
    expect(listening()).toBe(2);
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
  });

  test('a widget that is destroyed by a handler of `conversation` opens no stream', async () => {
    const here = openPage({}, { emit: (type) => type === 'conversation' && controllers.at(-1)?.abort() });
    await here.session.start().catch(() => {});
    expect(listening()).toBe(0);
  });

  test('a switch of the user while the first conversation is being created takes precedence', async () => {
    const other = await server.user({ name: 'Other' });
    const here = openPage();
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let first = true;
    network.between = async (request, next) => {
      const response = await next();
      if (!request.url.endsWith('/conversations') || !first) return response;
      first = false;
      await gate;
      return response;
    };
    const started = here.session.start().catch((error) => error.code);
    await waitFor(() => expect(requests).toContain('POST /conversations'));
    await here.session.methods.updateUser({ userKey: other.key });
    release();
    expect(await started).toBe('destroyed');
    expect(await here.session.methods.getUser()).toMatchObject({ id: other.id });
    expect(here.stored).toMatchObject({ userKey: other.key, userId: other.id });
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(codes(here)).toEqual([]);
  });

  test('messages that one user queued are never sent as another', async () => {
    const other = await server.user();
    const here = openPage();
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    network.between = async (request, next) => {
      if (request.url.endsWith('/messages') && request.method === 'POST') await gate;
      return next();
    };
    const sends = ['one', 'two'].map((text) =>
      here.session.send({ type: 'text', text }).catch((error) => error.code),
    );
    await waitFor(() => expect(requests).toContain('POST /messages'));
    await here.session.methods.updateUser({ userKey: other.key });
    release();
    expect(await Promise.all(sends)).toEqual(['destroyed', 'destroyed']);
    await waitFor(async () => expect(await serverTexts(here)).toEqual(['Welcome']));
  });

  test('a user key that the server refuses changes nothing: the session continues', async () => {
    const here = openPage();
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    const stored = { ...here.stored };
    await expect(here.session.methods.updateUser({ userKey: 'expired' })).rejects.toMatchObject({
      code: 'unauthorized',
    });
    expect(here.stored).toEqual(stored);
    await here.session.send({ type: 'text', text: 'still me' });
    expect(await serverTexts(here)).toContain('still me');
    expect(codes(here)).toEqual(['unauthorized']);
  });

  test('an identified user never becomes anonymous', async () => {
    const named = await server.user({ name: 'Ada' });
    const here = openPage({}, { user: { userKey: named.key } });
    await here.session.start();
    here.end();
    await deleteElsewhere(here);
    const again = openPage({ ...here.stored }, { user: { userKey: named.key } });
    await again.session.start();
    expect(await again.session.methods.getUser()).toMatchObject({ id: named.id, name: 'Ada' });
    expect(requests.filter((line) => line === 'POST /users')).toEqual([]);
    const refused = openPage({}, { user: { userKey: 'garbage' } });
    await expect(refused.session.start()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(refused.store.state.connection).toBe('refused');
    // Another attempt is shown as the first one.
    const retried = refused.session.start();
    expect(refused.store.state.connection).toBe('connecting');
    await expect(retried).rejects.toMatchObject({ code: 'unauthorized' });
    expect(refused.store.state.connection).toBe('refused');
    expect(requests.filter((line) => line === 'POST /users')).toEqual([]);
  });

  test('a refused user field does not block later valid ones', async () => {
    const here = openPage();
    await here.session.start();
    network.between = async (request, next) =>
      request.method === 'PUT' && (await request.clone().text()).includes('bad')
        ? Response.json({}, { status: 400 })
        : next();
    await expect(here.session.methods.updateUser({ name: 'bad' })).rejects.toMatchObject({
      code: 'rejected',
    });
    await here.session.methods.updateUser({ pictureUrl: 'https://example.org/a.png' });
    expect(await here.session.methods.getUser()).toMatchObject({ pictureUrl: 'https://example.org/a.png' });
  });

  test('getUser during the start creates one user, not two', async () => {
    const here = openPage();
    await Promise.all([here.session.start(), here.session.methods.getUser(), here.session.methods.getUser()]);
    expect(requests.filter((line) => line === 'POST /users')).toHaveLength(1);
  });

  test('unread messages of a previous conversation do not count', async () => {
    const here = openPage({}, { isOpen: false });
    await here.session.start();
    await waitFor(() => expect(here.unread()).toBe(1));
    await here.session.methods.restartConversation();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(here.unread()).toBe(1);
  });

  test('two tabs that start together use one user', async () => {
    const stored: StoredSession = {};
    const [one, two] = [openPage(stored), openPage(stored)];
    await Promise.all([one.session.start(), two.session.start()]);
    expect((await one.session.methods.getUser()).id).toBe((await two.session.methods.getUser()).id);
    expect([codes(one), codes(two)]).toEqual([[], []]);
  });

  test('a stream that cannot be opened is reported once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const here = openPage();
      network.between = async (request, next) => {
        if (request.url.endsWith('/listen')) throw new TypeError('blocked');
        return next();
      };
      void here.session.start().catch(() => {});
      // The steps before it take time of the real clock.
      await waitFor(() => expect(listening()).toBeGreaterThan(0));
      for (let i = 0; i < 40; i++) await vi.advanceTimersByTimeAsync(1_000);
      expect(here.store.state.connection).toBe('unreachable');
      expect(codes(here)).toEqual(['network']);
    } finally {
      vi.useRealTimers();
    }
  });
});
