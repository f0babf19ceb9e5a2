// @vitest-environment jsdom
// Tests of names and pictures of other participants, with the real server in this process, with all features and reduced to
// a plain Chat API.
import { beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../../../../polling.testing.ts';
import { typistOf } from '../../components/answerer.ts';
import {
  idle,
  network,
  openPage,
  type PageView,
  plain,
  requests,
  restartServer,
  server,
  setUpServer,
} from '../session.testing.ts';

setUpServer();

const adaFields = { name: 'Ada', pictureUrl: 'https://a.test/ada.png' };

/** Lets a new user join the conversation of a page view. */
async function join({ stored: { userKey = '', conversationId = '' } }: PageView, fields: object) {
  const user = await server.user({ ...fields });
  await server.join(userKey, conversationId, user);
  const { id, key } = user;
  const path = `/conversations/${conversationId}`;
  return {
    id,
    send: (text: string) => server.sendMessage(key, conversationId, text),
    type: (typing: boolean) => server.call('POST', `${path}/typing`, { key, body: { typing } }),
    leave: () => server.call('DELETE', `${path}/participants/${id}`, { key }),
  };
}

/** The names of the authors of the messages of others; undefined for the bot. */
const names = ({ store }: PageView) =>
  store.state.rows.flatMap((row) => (row.side === 'bot' ? [store.personOf(row)?.name] : []));

/** The name of the one who types, as the typing row shows it; undefined while nobody types. */
const typist = ({ store }: PageView) => typistOf(store.state)?.[0];

/** A new conversation, after the greeting of the bot, if it greets. */
async function started(greetings = 1): Promise<PageView> {
  const page = openPage();
  await page.session.start();
  await waitFor(() => expect(page.texts()).toHaveLength(greetings));
  await idle();
  return page;
}

async function reloaded(page: PageView): Promise<PageView> {
  page.end();
  const again = openPage({ ...page.stored });
  await again.session.start();
  await idle();
  return again;
}

describe.each([
  ['the full server', false],
  ['a plain Chat API server', true],
])('%s', (_, isPlain) => {
  beforeEach(() => {
    if (isPlain) network.between = plain;
  });

  test('the messages of another participant carry their name and picture', async () => {
    const here = await started();
    const ada = await join(here, adaFields);
    await ada.send('silence');
    await waitFor(() =>
      expect(here.store.personOf({ userId: ada.id, author: undefined })).toEqual(adaFields),
    );
    expect(names(here)).toEqual([undefined, 'Ada']);
    expect(here.store.personOf({ userId: here.stored.userId, author: undefined })).toBeUndefined();
  });

  test('after a reload they carry it also in a conversation in which the bot wrote nothing', async () => {
    await restartServer({ handler: async () => {} });
    const first = await started(0);
    const ada = await join(first, adaFields);
    await ada.send('silence');
    await waitFor(() => expect(first.texts()).toEqual(['silence']));
    const again = await reloaded(first);
    await waitFor(() => expect(names(again)).toEqual(['Ada']));
  });

  test('the messages of the bot carry no other name, and its author is looked up only where the server does not tell who it is', async () => {
    const first = await started();
    requests.length = 0;
    const again = await reloaded(first);
    await again.session.send({ type: 'text', text: 'hello' });
    await waitFor(() => expect(again.texts()).toEqual(['Welcome', 'hello', 'echo hello']));
    await idle();
    expect(names(again)).toEqual([undefined, undefined]);
    expect(requests.filter((line) => line.endsWith('/participants'))).toHaveLength(isPlain ? 1 : 0);
  });
});

test('who has left keeps the name, and has their id in its place after a reload, but not the name of the bot', async () => {
  const first = await started();
  const ada = await join(first, { name: 'Ada' });
  await ada.send('silence');
  await waitFor(() => expect(names(first)).toEqual([undefined, 'Ada']));
  await ada.leave();
  const ben = await join(first, { name: 'Ben' });
  await ben.send('silence');
  await waitFor(() => expect(names(first)).toEqual([undefined, 'Ada', 'Ben']));
  const again = await reloaded(first);
  await waitFor(() => expect(names(again)).toEqual([undefined, ada.id, 'Ben']));
});

test('a name that could not be loaded is loaded as soon as the server can be reached', async () => {
  const here = await started();
  let failures = 0;
  network.between = async (request, next) => {
    if (!request.url.endsWith('/participants') || failures > 0) return next();
    failures += 1;
    throw new TypeError('Failed to fetch');
  };
  const ada = await join(here, { name: 'Ada' });
  await ada.send('silence');
  await waitFor(() => expect(failures).toBe(1));
  dispatchEvent(new Event('online'));
  await waitFor(() => expect(names(here)).toEqual([undefined, 'Ada']));
});

test('the typing indicator carries the name of the participant who types, otherwise that of the bot', async () => {
  const here = await started();
  const ada = await join(here, adaFields);
  expect(typist(here)).toBeUndefined();
  await ada.type(true);
  await waitFor(() => expect(typist(here)).toBe('Ada'));
  await ada.type(false);
  await waitFor(() => expect(typist(here)).toBeUndefined());
  here.store.setTyping(here.store.state.webchat?.botUserId);
  expect(typist(here)).toBe('Bot');
});

test('a person of the team who types is named as the one who answers, although they are no participant', async () => {
  const here = await started();
  here.store.setTyping('a person of the team');
  await waitFor(() => expect(requests.filter((line) => line.endsWith('/participants'))).toHaveLength(1));
  await idle();
  expect(typist(here)).toBe('Bot');
  here.store.setHandling({
    ...{ conversationId: 'c', revision: 1, state: 'assigned' },
    person: { name: 'Grace' },
  });
  expect(typist(here)).toBe('Grace');
});
