// @vitest-environment jsdom
// Tests a login in this tab while another tab changes the record of the visitor.
import { expect, test } from 'vitest';
import { signUserKey } from '../../../client/index.ts';
import { waitFor } from '../../../polling.testing.ts';
import { secret } from '../../../server/testing.ts';
import {
  network,
  openPage,
  type PageView,
  replaceRecord,
  setUpServer,
} from '../../chat/session/session.testing.ts';
import type { StoredSession } from '../../launcher-chat-interface.ts';

setUpServer();

const keyOf = (id: string) => signUserKey({ id, secret });

/** The record of a user with a conversation and a draft, from a tab of their own. */
async function recordOf(id: string): Promise<StoredSession> {
  const page = openPage({}, { user: { userKey: await keyOf(id) } });
  await page.session.start();
  await waitFor(() => expect(page.texts()).toEqual(['Welcome']));
  page.session.saveDraft(`text of ${id}`);
  page.end();
  return { ...page.stored };
}

/** Another tab replaces the whole record while this one lists the conversations of the user who logs in. */
function replaceWhileListing(page: PageView, record: StoredSession) {
  network.between = async (request, next) => {
    const response = await next();
    if (request.method === 'GET' && new URL(request.url).pathname.endsWith('/conversations'))
      replaceRecord(page, record);
    return response;
  };
}

test('a user whom another tab logs in while the conversations are listed keeps the record, and leaves nothing in the new one', async () => {
  const third = { ...(await recordOf('third')), readAt: '2026-01-01T00:00:00.000Z' };
  const here = openPage();
  await here.session.start();
  replaceWhileListing(here, third);
  await here.session.methods.identify(await keyOf('customer-7'));
  expect(here.stored).toMatchObject({ userId: 'customer-7', isNamed: true });
  expect(here.stored.draft).toBeUndefined();
  expect(here.stored.conversationId).not.toBe(third.conversationId);
  expect(here.stored.named).toMatchObject({ userId: 'third', draft: 'text of third' });
  // The third user comes back to it.
  network.between = (_, next) => next();
  await here.session.methods.identify(await keyOf('third'));
  expect(here.stored).toMatchObject({ userId: 'third', conversationId: third.conversationId });
  expect(here.stored.draft).toBe('text of third');
});

test('if another tab has logged the same user in while the conversations are listed, its conversation and draft stay', async () => {
  const record = await recordOf('customer-7');
  const here = openPage();
  await here.session.start();
  replaceWhileListing(here, record);
  const userKey = await keyOf('customer-7');
  await here.session.methods.identify(userKey);
  const { conversationId, draft } = record;
  expect(here.stored).toMatchObject({ userId: 'customer-7', userKey, conversationId, draft });
});

test('a visitor with a conversation who logs in has the conversation of the user from another device', async () => {
  const { conversationId } = await recordOf('customer-7');
  const here = openPage();
  await here.session.start();
  const own = here.stored.conversationId;
  await here.session.methods.identify(await keyOf('customer-7'));
  expect(own).toBeTruthy();
  expect(here.stored).toMatchObject({ userId: 'customer-7', conversationId });
});

test('an identification that fails leaves the user of init, and what is typed after it', async () => {
  const userKey = await keyOf('customer-7');
  const here = openPage({}, { user: { userKey } });
  network.between = async () => {
    throw new TypeError('offline');
  };
  const starting = here.session.start();
  await expect(here.session.methods.identify(await keyOf('customer-8'))).rejects.toMatchObject({
    code: 'network',
  });
  const sending = here.session.send({ type: 'text', text: 'typed' });
  expect(here.stored.unsent).toMatchObject([{ userKey }]);
  network.between = (_, next) => next();
  dispatchEvent(new Event('online'));
  await Promise.all([starting, sending]);
  expect(here.stored).toMatchObject({ userId: 'customer-7', userKey, isNamed: true });
  expect(here.texts()).toContain('typed');
});
