// @vitest-environment jsdom
// Tests the login of an anonymous visitor whose conversation goes on, as the configuration field mergeAnonymous asks.
import { describe, expect, test } from 'vitest';
import { signUserKey } from '../../../client/index.ts';
import { waitFor } from '../../../polling.testing.ts';
import { resolveConfiguration } from '../../../protocol/page-api/config-layers.ts';
import { secret } from '../../../server/testing.ts';
import {
  codes,
  isPost,
  network,
  openPage,
  pass,
  refuse,
  replaceRecord,
  requests,
  server,
  serverTexts,
  setUpServer,
  statuses,
} from '../../chat/session/session.testing.ts';
import type { Widget } from '../../launcher-chat-interface.ts';

setUpServer();

const keyOf = (id: string) => signUserKey({ id, secret });
const merging = {
  resolve: () => resolveConfiguration({ mergeAnonymous: true }),
  close() {},
} as unknown as Partial<Widget>;
const isMerge = ({ url }: Request) => url.endsWith('/users/me/merge');
const merges = () => requests.filter((request) => request === 'POST /users/me/merge').length;

/** A page view of an anonymous visitor who has sent a message. */
async function anonymousPage(options: Partial<Widget> = merging) {
  const here = openPage({}, options);
  await here.session.start();
  await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
  await here.session.send({ type: 'text', text: 'before' });
  await waitFor(() => expect(here.texts()).toEqual(['Welcome', 'before', 'echo before']));
  return here;
}

describe('with mergeAnonymous', () => {
  test('identify keeps the conversation, the draft and the history, and the old key ends', async () => {
    const here = await anonymousPage();
    const { conversationId, userKey: old } = { ...here.stored };
    here.session.saveDraft('half a sentence');
    const key = await keyOf('customer-7');
    await here.session.methods.identify(key);
    expect(here.stored).toMatchObject({ conversationId, userKey: key, userId: 'customer-7', isNamed: true });
    expect(here.stored.draft).toBe('half a sentence');
    await waitFor(() => expect(here.texts()).toEqual(['Welcome', 'before', 'echo before']));
    await here.session.send({ type: 'text', text: 'after' });
    expect(await serverTexts(here)).toContain('after');
    expect(codes(here)).toEqual([]);
    expect(here.store.state.rows.filter(({ side }) => side === 'visitor').length).toBe(2);
    expect((await server.call('GET', '/users/me', { key: old })).status).toBe(401);
  });

  test('the key of init on the next page view keeps the conversation', async () => {
    const here = await anonymousPage();
    const { conversationId } = here.stored;
    here.end();
    const next = openPage({ ...here.stored }, { ...merging, user: { userKey: await keyOf('customer-7') } });
    await next.session.start();
    expect(next.stored).toMatchObject({ conversationId, userId: 'customer-7', isNamed: true });
    expect(next.texts()).toContain('before');
  });

  test('the key of getUserKey keeps the conversation', async () => {
    const here = await anonymousPage();
    const { conversationId } = here.stored;
    here.end();
    const next = openPage({ ...here.stored }, { ...merging, getUserKey: () => keyOf('customer-7') });
    await next.session.start();
    expect(next.stored).toMatchObject({ conversationId, userId: 'customer-7', isNamed: true });
  });

  test('identify before the chat is opened moves the conversation at once', async () => {
    const here = await anonymousPage();
    const { conversationId } = here.stored;
    here.end();
    const next = openPage({ ...here.stored }, merging);
    await next.session.methods.identify(await keyOf('customer-7'));
    expect(next.stored).toMatchObject({ conversationId, userId: 'customer-7' });
  });

  test('messages that are being sent and messages that wait arrive once, as those of the user', async () => {
    const here = await anonymousPage();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    // The server stores the message, and its response is lost.
    network.between = async (request, next) => {
      const response = await next();
      if (isPost(request)) {
        await held;
        throw new TypeError('cut');
      }
      return response;
    };
    void here.session.send({ type: 'text', text: 'under way' }).catch(() => {});
    void here.session.send({ type: 'text', text: 'waiting' }).catch(() => {});
    await waitFor(async () => expect(await serverTexts(here)).toContain('under way'));
    const identifying = here.session.methods.identify(await keyOf('customer-7'));
    await waitFor(() => expect(merges()).toBe(1));
    pass();
    release();
    await identifying;
    await waitFor(() => expect(statuses(here)).toEqual(['sent', 'sent', 'sent']));
    const texts = await serverTexts(here);
    for (const text of ['under way', 'waiting'])
      expect(texts.filter((each) => each === text)).toHaveLength(1);
  });

  test('a lost response of the merge is repeated, and the conversation goes on', async () => {
    const here = await anonymousPage();
    const { conversationId } = here.stored;
    here.end();
    let failures = 1;
    network.between = async (request, next) => {
      const response = await next();
      if (isMerge(request) && failures-- > 0) throw new TypeError('cut');
      return response;
    };
    const next = openPage({ ...here.stored }, { ...merging, user: { userKey: await keyOf('customer-7') } });
    await next.session.start();
    expect(merges()).toBe(2);
    expect(next.stored).toMatchObject({ conversationId, userId: 'customer-7', isNamed: true });
  });

  test.each([403, 404])(
    'a merge that the server refuses (%i) is reported, and the login works without',
    async (status) => {
      const here = await anonymousPage();
      const { conversationId } = here.stored;
      refuse('POST /users/me/merge', status, { code: status, type: 'Forbidden', message: 'No.' });
      await here.session.methods.identify(await keyOf('customer-7'));
      await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
      expect(here.stored.userId).toBe('customer-7');
      expect(here.stored.conversationId).not.toBe(conversationId);
      expect(codes(here)).toHaveLength(1);
    },
  );

  test('two tabs that identify the visitor at once end in the same conversation', async () => {
    const here = await anonymousPage();
    const { conversationId } = here.stored;
    // Both have the same record, as in one browser.
    const other = openPage(here.stored, merging);
    await other.session.start();
    const key = await keyOf('customer-7');
    await Promise.all([here, other].map(({ session }) => session.methods.identify(key)));
    expect(here.stored).toMatchObject({ conversationId, userId: 'customer-7', isNamed: true });
    for (const { session } of [here, other]) await session.send({ type: 'text', text: 'from a tab' });
    expect((await serverTexts(here)).filter((text) => text === 'from a tab')).toHaveLength(2);
  });

  test('a user whom the page has identified is never merged into another one', async () => {
    const here = openPage({}, { ...merging, user: { userKey: await keyOf('first') } });
    await here.session.start();
    const { conversationId } = here.stored;
    await here.session.methods.identify(await keyOf('second'));
    expect(merges()).toBe(0);
    expect(here.stored.conversationId).not.toBe(conversationId);
    await here.session.methods.identify(await keyOf('first'));
    expect(here.stored.conversationId).toBe(conversationId);
  });

  test('after a logout nothing is left to merge', async () => {
    const here = await anonymousPage();
    await here.session.methods.logout();
    await here.session.methods.identify(await keyOf('customer-7'));
    expect(merges()).toBe(0);
  });

  test('a logout while the merge is under way wins', async () => {
    const here = await anonymousPage();
    network.between = async (request, next) => {
      const response = await next();
      if (isMerge(request)) await here.session.methods.logout();
      return response;
    };
    await expect(here.session.methods.identify(await keyOf('customer-7'))).rejects.toBeTruthy();
    expect(here.stored.userKey).toBeUndefined();
  });

  test('a user whom another tab logs in while the merge is under way keeps its record', async () => {
    const here = await anonymousPage();
    const { conversationId } = here.stored;
    const third = openPage({}, { user: { userKey: await keyOf('third') } });
    await third.session.start();
    third.session.saveDraft('text of the third user');
    const unsent = [
      {
        id: 'of-third',
        payload: { type: 'text' as const, text: 'unsent' },
        createdAt: new Date().toISOString(),
      },
    ];
    const { userId, userKey } = third.stored;
    const record = { ...third.stored, unsent };
    third.end();
    network.between = async (request, next) => {
      const response = await next();
      if (isMerge(request)) replaceRecord(here, record);
      return response;
    };
    await here.session.methods.identify(await keyOf('customer-7'));
    expect(merges()).toBe(1);
    expect(here.stored).toMatchObject({ userId: 'customer-7', conversationId });
    expect(here.stored.named).toMatchObject({ userId, userKey, unsent, draft: 'text of the third user' });
    expect(here.stored.draft).toBeUndefined();
    expect(here.stored.unsent).toBeUndefined();
  });

  test('an anonymous visitor with whom another tab begins during the login is not merged', async () => {
    const here = await anonymousPage();
    const next = await anonymousPage();
    const record = { ...next.stored };
    next.end();
    network.between = async (request, next) => {
      const response = await next();
      if (request.url.endsWith('/users/get-or-create')) replaceRecord(here, record);
      return response;
    };
    await here.session.methods.identify(await keyOf('customer-7'));
    expect(merges()).toBe(0);
    expect(here.stored.userId).toBe('customer-7');
    expect(here.stored.conversationId).not.toBe(record.conversationId);
    expect((await server.call('GET', '/users/me', { key: record.userKey })).status).toBe(200);
  });

  test('a key that the anonymous visitor gets during the login does not prevent the merge', async () => {
    const here = await anonymousPage();
    const { conversationId, userKey = '' } = here.stored;
    network.between = async (request, next) => {
      const response = await next();
      if (request.url.endsWith('/users/get-or-create')) {
        const { body } = await server.call('POST', '/users/me/key', { key: userKey });
        here.stored.userKey = (body as { key: string }).key;
      }
      return response;
    };
    await here.session.methods.identify(await keyOf('customer-7'));
    expect(here.stored).toMatchObject({ conversationId, userId: 'customer-7' });
  });
});

test('without mergeAnonymous a login begins another conversation, and the messages stay with the anonymous user', async () => {
  const here = await anonymousPage({});
  const { conversationId, userKey } = { ...here.stored };
  await here.session.methods.identify(await keyOf('customer-7'));
  await waitFor(() => expect(here.texts()).toEqual(['Welcome']));
  expect(here.stored.conversationId).not.toBe(conversationId);
  expect(merges()).toBe(0);
  expect((await server.call('GET', '/users/me', { key: userKey })).status).toBe(200);
});
