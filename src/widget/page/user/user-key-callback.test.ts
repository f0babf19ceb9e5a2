// @vitest-environment jsdom
// Tests when the page's function `getUserKey` is asked, what its answers do, and that messages wait for a key.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { signUserKey } from '../../../client/index.ts';
import { waitFor } from '../../../polling.testing.ts';
import type { GetUserKey } from '../../../protocol/page-api/page-api.ts';
import { secret } from '../../../server/testing.ts';
import {
  changeInOtherTab,
  codes,
  hold,
  idle,
  isPost,
  network,
  openPage,
  type PageView,
  pass,
  refuse,
  requests,
  restartServer,
  server,
  serverTexts,
  setUpServer,
  statuses,
} from '../../chat/session/session.testing.ts';
import type { StoredSession } from '../../launcher-chat-interface.ts';

setUpServer();

/** Milliseconds by which the server's clock is ahead: keys of an hour expire when it is set. */
let ahead = 0;
beforeEach(async () => {
  ahead = 0;
  await restartServer({ now: () => Date.now() + ahead });
});
const expireKeys = () => {
  ahead += 2 * 3_600_000;
};

let signed = 0;
/** A key that is valid for an hour on the server's clock. No two are equal. */
const keyOf = (id: string) =>
  signUserKey({ id, secret, expiresInSeconds: (ahead + 3_600_000) / 1_000 + ++signed });
const send = ({ session }: ReturnType<typeof openPage>, text: string) => session.send({ type: 'text', text });

/** A page view with a callback. */
function pageWith(getUserKey: GetUserKey, stored: StoredSession = {}) {
  const callback = vi.fn(getUserKey);
  const here = openPage(stored, { getUserKey: callback, close: () => {} });
  return { ...here, callback };
}
const reasons = ({ callback }: ReturnType<typeof pageWith>) =>
  callback.mock.calls.map(([{ reason }]) => reason);

describe('first use', () => {
  test('the page is asked once when the chat is used, and the visitor is the user of its key', async () => {
    const key = await keyOf('customer-7');
    const here = pageWith(async () => key);
    await idle();
    expect(here.callback).not.toHaveBeenCalled();
    await Promise.all([here.session.start(), here.session.methods.getUser()]);
    await here.session.start();
    expect(reasons(here)).toEqual(['start']);
    expect(here.stored).toMatchObject({ userKey: key, isNamed: true });
    expect(here.widget.pageKey).toBe(key);
    await send(here, 'hello');
    expect(await serverTexts(here)).toContain('hello');
    expect(codes(here)).toEqual([]);
  });

  test.each([null, undefined, ''])('the answer %j makes an anonymous visitor', async (answer) => {
    const here = pageWith(() => answer);
    await here.session.start();
    expect(here.stored.userKey).toBeDefined();
    expect(here.stored.isNamed).toBeUndefined();
    expect(reasons(here)).toEqual(['start']);
  });

  test('without a key the record of an earlier user is not resumed', async () => {
    const first = pageWith(() => keyOf('customer-7'));
    await first.session.start();
    await send(first, 'secret of customer-7');
    first.end();
    const here = pageWith(() => null, first.stored);
    await here.session.start();
    await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
    expect(here.stored).toMatchObject({ named: { isNamed: true } });
  });

  test('a later page view resumes the conversation of the same user', async () => {
    const first = pageWith(() => keyOf('customer-7'));
    await first.session.start();
    await send(first, 'hello');
    first.end();
    const here = pageWith(() => keyOf('customer-7'), first.stored);
    await here.session.start();
    await waitFor(() => expect(here.texts()).toContain('hello'));
    expect(reasons(here)).toEqual(['start']);
  });

  test('a key that the page has given is used, and the callback is not asked', async () => {
    const here = pageWith(() => keyOf('other'));
    const key = await keyOf('customer-7');
    await here.session.methods.identify(key);
    await here.session.start();
    expect(here.stored.userKey).toBe(key);
    expect(here.callback).not.toHaveBeenCalled();
  });

  test('a key that the server refuses is reported, starts no anonymous conversation, and is asked again', async () => {
    let key = 'not-a-key';
    const here = pageWith(() => key);
    await expect(here.session.start()).rejects.toMatchObject({ code: 'unauthorized' });
    expect(codes(here)).toEqual(['unauthorized']);
    expect(requests).not.toContain('POST /users');
    expect(here.stored.userKey).toBeUndefined();
    key = await keyOf('customer-7');
    await here.session.start();
    expect(here.stored.userKey).toBe(key);
    expect(reasons(here)).toEqual(['start', 'start']);
  });

  test.each<[string, GetUserKey]>([
    ['rejects', () => Promise.reject(new Error('the site is down'))],
    [
      'throws',
      () => {
        throw new TypeError('broken');
      },
    ],
    ['ends its own request', () => Promise.reject(new DOMException('too slow', 'TimeoutError'))],
    ['cancels its own request', () => Promise.reject(new DOMException('cancelled', 'AbortError'))],
    ['returns an object', () => ({}) as never],
    ['returns a key with other characters', () => 'schlüssel'],
    ['is not a function', 'key' as never],
  ])(
    'if the callback %s, it is reported, nothing typed is lost, and the next attempt asks again',
    async (_, bad) => {
      const here = pageWith(() => null);
      here.widget.getUserKey = bad;
      const sending = send(here, 'typed');
      await waitFor(() => expect(codes(here)).toContain('user_key_failed'));
      expect(here.texts()).toEqual(['typed']);
      expect(here.stored.unsent).toHaveLength(1);
      expect(statuses(here)).not.toContain('failed');
      expect(requests).not.toContain('POST /users');
      const key = await keyOf('customer-7');
      here.widget.getUserKey = () => key;
      dispatchEvent(new Event('online'));
      await sending;
      expect(here.stored.userKey).toBe(key);
      expect((await serverTexts(here)).filter((text) => text === 'typed')).toHaveLength(1);
    },
  );

  test('what was typed before the page names another user is not sent as that user, also if the page is asked', async () => {
    const first = pageWith(() => keyOf('customer-7'));
    await first.session.start();
    first.end();
    const key = await keyOf('customer-8');
    const here = pageWith(() => key, first.stored);
    here.session.start().catch(() => {});
    send(here, 'typed by customer-7').catch(() => {});
    network.between = async (request, next) => {
      if (request.url.endsWith('/get-or-create')) throw new TypeError('offline');
      return next();
    };
    await expect(here.session.methods.identify(key)).rejects.toMatchObject({ code: 'network' });
    send(here, 'typed by customer-8').catch(() => {});
    pass();
    dispatchEvent(new Event('online'));
    await waitFor(() => expect(here.texts()).toContain('echo typed by customer-8'));
    expect(here.stored.userId).toBe('customer-8');
    expect(here.texts()).not.toContain('typed by customer-7');
    expect(await serverTexts(here)).not.toContain('typed by customer-7');
    expect(here.stored.named?.unsent).toMatchObject([{ payload: { text: 'typed by customer-7' } }]);
  });

  test('what was typed before the page answers that it knows no user is sent as nobody else later', async () => {
    const first = pageWith(() => keyOf('customer-7'));
    await first.session.start();
    first.end();
    const here = pageWith(() => null, first.stored);
    await send(here, 'typed by nobody');
    expect(here.stored.named).toMatchObject({ userId: 'customer-7' });
    expect(here.stored.named?.unsent ?? []).toEqual([]);
    expect(await serverTexts(here)).toContain('typed by nobody');
  });

  test('a logout during the question discards the answer, and the next use asks again', async () => {
    let answer = (_: string) => {};
    const first = new Promise<string>((resolve) => {
      answer = resolve;
    });
    const answers = [first, keyOf('customer-8')];
    const here = pageWith(() => answers.shift() ?? null);
    const starting = here.session.start().catch(() => {});
    await waitFor(() => expect(here.callback).toHaveBeenCalledTimes(1));
    await here.session.methods.logout();
    answer(await keyOf('customer-7'));
    await starting;
    expect(here.stored.userKey).toBeUndefined();
    await here.session.start();
    expect(await here.session.methods.getUser()).toMatchObject({ id: expect.any(String) });
    expect(reasons(here)).toEqual(['start', 'start']);
    expect(here.stored.isNamed).toBe(true);
  });
});

describe('after the key has expired', () => {
  test('one question gives a new key to all requests, and the visitor notices nothing', async () => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    const before = here.stored.userKey;
    expireKeys();
    await Promise.all([
      send(here, 'one'),
      send(here, 'two'),
      here.session.methods.getUser(),
      here.session.methods.getUser(),
    ]);
    expect(reasons(here)).toEqual(['start', 'refused']);
    expect(here.stored.userKey).not.toBe(before);
    expect((await serverTexts(here)).slice(-4)).toEqual(expect.arrayContaining(['one', 'two']));
    expect(statuses(here)).toEqual(['sent', 'sent']);
    expect(codes(here)).toEqual([]);
  });

  test('a message waits while the callback fails, and is sent once when it succeeds', async () => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    expireKeys();
    here.callback.mockRejectedValueOnce(new Error('the site is down'));
    const sending = send(here, 'waiting');
    await waitFor(() => expect(codes(here)).toEqual(['user_key_failed']));
    expect(here.texts()).toContain('waiting');
    dispatchEvent(new Event('online'));
    await sending;
    expect((await serverTexts(here)).filter((text) => text === 'waiting')).toHaveLength(1);
    expect(reasons(here)).toEqual(['start', 'refused', 'refused']);
  });

  test.each<[string, () => string | null | Promise<string>]>([
    ['no key', () => null],
    ['a key that the server refuses', () => 'not-a-key'],
  ])('with %s the refusal is reported, and the message stays with a way to send it again', async (_, bad) => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    const { conversationId } = here.stored;
    expireKeys();
    here.callback.mockImplementation(bad);
    await expect(send(here, 'kept')).rejects.toMatchObject({ code: 'unauthorized' });
    expect(here.texts()).toContain('kept');
    expect(here.stored.unsent).toHaveLength(1);
    here.callback.mockImplementation(() => keyOf('customer-7'));
    const { key = '' } = here.store.state.rows.findLast(({ side }) => side === 'visitor') ?? {};
    here.session.retry(key);
    await waitFor(() => expect(statuses(here)).toEqual(['sent']));
    expect(here.stored.conversationId).toBe(conversationId);
  });

  test('the key of another user starts the conversation of that user, without the messages of the first', async () => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    expireKeys();
    here.callback.mockImplementation(() => keyOf('customer-8'));
    const { userId } = here.stored;
    const sending = send(here, 'of customer-7').catch(() => {});
    await waitFor(() => expect(here.stored.userId).not.toBe(userId));
    await sending;
    await here.session.start();
    expect(here.texts()).not.toContain('of customer-7');
    expect(await serverTexts(here)).not.toContain('of customer-7');
    expect(here.stored.named?.unsent).toHaveLength(1);
  });

  test('a key that another tab has got is used without a question', async () => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    // The last request of the start uses the key that is valid then.
    await waitFor(() => expect(here.store.state.handling).toBeDefined());
    expireKeys();
    here.stored.userKey = await keyOf('customer-7');
    await send(here, 'hello');
    expect(reasons(here)).toEqual(['start']);
  });

  test('the expired key of an anonymous visitor is replaced as before, without a question', async () => {
    await restartServer({ now: () => Date.now() + ahead, USER_KEY_LIFETIME: 3_600 });
    const here = pageWith(() => null);
    await here.session.start();
    expireKeys();
    await send(here, 'hello');
    expect(reasons(here)).toEqual(['start']);
    expect(statuses(here)).toEqual(['sent']);
  });

  test('a page without a callback fails as before', async () => {
    const here = openPage();
    await here.session.methods.identify(await keyOf('customer-7'));
    await here.session.start();
    expireKeys();
    await expect(send(here, 'kept')).rejects.toMatchObject({ code: 'unauthorized' });
    expect(here.texts()).toContain('kept');
  });

  test('a widget that is removed during the question sends nothing more', async () => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    expireKeys();
    here.callback.mockImplementation(() => new Promise(() => {}));
    const sending = send(here, 'late').catch(() => {});
    await waitFor(() => expect(here.callback).toHaveBeenCalledTimes(2));
    let posts = 0;
    network.between = (request, next) => {
      if (isPost(request)) posts++;
      return next();
    };
    here.end();
    await sending;
    await idle();
    expect(posts).toBe(0);
  });
});

test('a callback that does not answer has failed after ten seconds, and a late answer is not used', async () => {
  const here = pageWith(() => new Promise(() => {}));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const starting = here.session.start().catch(() => {});
    await waitFor(async () => {
      await vi.advanceTimersByTimeAsync(100);
      expect(here.callback).toHaveBeenCalledTimes(1);
    });
    expect(codes(here)).toEqual([]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(codes(here)).toEqual(['user_key_failed']);
    here.end();
    await starting;
  } finally {
    vi.useRealTimers();
  }
  expect(server.log.filter(({ level }) => level === 50)).toEqual([]);
});

describe('a visitor who leaves', () => {
  /** Logs out in another tab. Awaits what this tab does then. */
  const leaveElsewhere = async (here: PageView) => {
    changeInOtherTab(here, {});
    await idle();
  };
  const leaves: [string, (here: ReturnType<typeof pageWith>) => Promise<unknown>][] = [
    ['in this tab', ({ session }) => session.methods.logout()],
    ['in another tab', leaveElsewhere],
  ];

  test.each(leaves)('by a logout %s while a new key is checked is not logged in again', async (_, leave) => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    expireKeys();
    const release = hold('POST /users/get-or-create');
    const asked = here.session.methods.getUser().catch(({ code }) => code);
    await waitFor(() => expect(requests.filter((line) => line.endsWith('/get-or-create'))).toHaveLength(2));
    await leave(here);
    release();
    expect(await asked).toEqual(expect.any(String));
    await idle();
    expect([here.stored.userKey, here.stored.userId]).toEqual([undefined, undefined]);
    expect(here.texts()).toEqual([]);
  });

  test.each(leaves)('by a logout %s while the page is asked first is not logged in', async (_, leave) => {
    const first = pageWith(() => keyOf('customer-7'));
    await first.session.start();
    first.end();
    let answer = (_: string) => {};
    const here = pageWith(
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
      { ...first.stored },
    );
    const started = here.session.start().catch(() => {});
    await waitFor(() => expect(here.callback).toHaveBeenCalledTimes(1));
    await leave(here);
    answer(await keyOf('customer-7'));
    await started;
    await idle();
    expect([here.stored.userKey, here.texts()]).toEqual([undefined, []]);
  });

  test('by a logout in another tab is asked for again before the chat is used', async () => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    await leaveElsewhere(here);
    here.callback.mockImplementation(() => keyOf('customer-8'));
    await here.session.start();
    expect(reasons(here)).toEqual(['start', 'start']);
    expect(here.stored).toMatchObject({ userId: 'customer-8', isNamed: true });
  });

  test('whose key of init was not used leaves with a logout in another tab', async () => {
    const key = await keyOf('customer-7');
    const first = pageWith(() => key);
    await first.session.start();
    const here = openPage({ ...first.stored }, { user: { userKey: key }, close: () => {} });
    await leaveElsewhere(here);
    await here.session.start();
    expect(here.stored.userKey).toBeDefined();
    expect(here.stored.isNamed).toBeUndefined();
    expect(here.stored.userId).not.toBe('customer-7');
  });

  test('and another one who comes in the same task stays', async () => {
    const here = openPage({}, { close: () => {} });
    const [first, second] = [await keyOf('customer-7'), await keyOf('customer-8')];
    await here.session.methods.identify(first);
    await here.session.start();
    void here.session.methods.logout();
    await here.session.methods.identify(second);
    await here.session.start();
    expect(here.stored).toMatchObject({ userId: 'customer-8', isNamed: true });
    expect(codes(here)).toEqual([]);
  });

  test('is still there if the key of another one is refused, with the fields that could not be sent', async () => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    refuse('PUT /users/me', 503);
    await here.session.methods.updateUser({ name: 'Alice' }).catch(() => {});
    pass();
    const other = {
      userKey: await signUserKey({ id: 'customer-8', secret: 'another secret of 24 letters' }),
      name: 'Bob',
    };
    await expect(here.session.methods.updateUser(other)).rejects.toMatchObject({ code: 'unauthorized' });
    await here.session.methods.updateUser({ data: { plan: 'a' } });
    expect(await here.session.methods.getUser()).toMatchObject({ id: 'customer-7', name: 'Alice' });
  });

  test('has a late refused request, which is not sent again as the visitor who came then', async () => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    expireKeys();
    const other = await keyOf('customer-8');
    const release = hold('PUT /users/me');
    const updated = here.session.methods.updateUser({ name: 'Alice' }).catch(({ code }) => code);
    await waitFor(() => expect(requests).toContain('PUT /users/me'));
    await here.session.methods.logout();
    await here.session.methods.identify(other);
    await here.session.start();
    expect(here.stored.userId).toBe('customer-8');
    release();
    await updated;
    pass();
    expect(await here.session.methods.getUser()).not.toHaveProperty('name');
  });

  test.each<[string, (here: ReturnType<typeof pageWith>) => Promise<unknown>]>([
    ['identify()', async ({ session }) => session.methods.identify(await keyOf('customer-8'))],
    [
      'updateUser() with fields of the new visitor',
      async ({ session }) =>
        session.methods.updateUser({ userKey: await keyOf('customer-8'), data: { plan: 'b' } }),
    ],
    [
      'another answer of getUserKey',
      async (here) => {
        here.callback.mockImplementation(() => keyOf('customer-8'));
        expireKeys();
        await here.session.methods.getUser().catch(() => {});
      },
    ],
  ])('for another one by %s leaves no fields that could not be sent', async (_, change) => {
    const here = pageWith(() => keyOf('customer-7'));
    await here.session.start();
    refuse('PUT /users/me', 503);
    await here.session.methods.updateUser({ name: 'Alice' }).catch(() => {});
    pass();
    await change(here);
    await waitFor(() => expect(here.stored.userId).toBe('customer-8'));
    const user = await here.session.methods.getUser();
    expect(user).toMatchObject({ id: 'customer-8' });
    expect(user).not.toHaveProperty('name');
  });
});
