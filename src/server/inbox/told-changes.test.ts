// Tests that what a page of the inbox shows is told to it when others change it, in this and in another process.
import { afterEach, expect, test } from 'vitest';
import type { InboxRow, TeamSignal } from '../../protocol/inbox.ts';
import { mailedAddress } from '../storage/notifications/return-links.ts';
import { pollOptions, readStream, type TestStream } from '../testing.ts';
import { type Inbox, useInbox } from './testing.ts';

const startInbox = useInbox();
const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'chat@example.com' };
const options = { ...mail, PUBLIC_URL: 'https://chat.example.com' };

let open: TestStream[] = [];
afterEach(async () => {
  for (const page of open) await page.cancel();
});

/** Two processes, a conversation that waits, and a member with the inbox open at each process. */
async function start() {
  const inbox = await startInbox(undefined, options, 2);
  const ada = await inbox.member('Ada', 'owner');
  await inbox.runtime('POST', '/handoff', {});
  const pages = await Promise.all(
    inbox.servers.map(async (server) =>
      readStream(await server.fetch('/v1/inbox/stream', { headers: ada.headers })),
    ),
  );
  open = pages;
  const rowOf = async (): Promise<InboxRow> => (await ada.act('GET', '')).body.conversation;
  return {
    ...inbox,
    ada,
    pages,
    rowOf,
    /** Waits until each page has received such a signal. */
    hear: async (matches: (signal: TeamSignal) => boolean) => {
      for (const page of pages)
        await page.until(({ signal }) => !!signal && matches(signal as unknown as TeamSignal));
    },
    /** Waits until each page has received a later row than this one. */
    async hearRow({ revision }: InboxRow, matches: (row: InboxRow) => boolean = () => true) {
      await this.hear(
        (signal) =>
          signal.type === 'inbox_row' && signal.data.row.revision > revision && matches(signal.data.row),
      );
    },
  };
}

type Started = Awaited<ReturnType<typeof start>>;
const asVisitor = ({ server, key }: Inbox, method: string, path: string, body?: unknown) =>
  server.call(method, path, { key, body });

const ofVisitor: [fact: string, change: (inbox: Started) => Promise<unknown>][] = [
  ['name', (inbox) => asVisitor(inbox, 'PUT', '/users/me', { name: 'Petra' })],
  ['data', (inbox) => asVisitor(inbox, 'PUT', '/users/me', { profile: '{"city":"Antwerp"}' })],
  ['data by a key', (inbox) => asVisitor(inbox, 'POST', '/users/get-or-create', { name: 'Petra' })],
  [
    'name by the bot',
    (inbox) => inbox.bot('PUT', `/users/${inbox.visitor.id}`, { name: 'Petra', tags: { plan: 'gold' } }),
  ],
  [
    'name by an action of the bot',
    (inbox) => {
      const user = { id: inbox.visitor.id, conversationId: inbox.conversationId };
      return inbox.bot('POST', '/actions', {
        type: 'webchat:getOrCreateUser',
        input: { name: 'Petra', user },
      });
    },
  ],
  ['address', (inbox) => asVisitor(inbox, 'PUT', '/contact', { email: 'petra@example.com' })],
  [
    'answers to the form of another conversation',
    (inbox) => asVisitor(inbox, 'POST', '/conversations', { preChatForm: { name: 'Petra' } }),
  ],
];

test('the visitor types, until they stop, in a conversation that is open', async () => {
  const inbox = await start();
  const { conversationId } = inbox;
  const type = (typing: boolean) => inbox.chat('POST', '/typing', { typing });
  const changes = () =>
    inbox.pages.map(({ frames }) =>
      frames.flatMap(({ signal }) =>
        signal?.type === ('inbox_typing' as string) ? [(signal.data as { timeout: number }).timeout] : [],
      ),
    );
  await type(true);
  await type(false);
  await inbox.hear(({ type, data }) => type === 'inbox_typing' && data.timeout === 0);
  expect(changes()).toEqual([
    [10_000, 0],
    [10_000, 0],
  ]);
  // Nobody looks at what the bot answers.
  await inbox.ada.act('POST', '/return');
  await type(true);
  await inbox.ada.act('POST', '/take');
  await inbox.hear(
    ({ type, data }) =>
      type === 'inbox_row' && data.row.conversationId === conversationId && data.row.state === 'assigned',
  );
  expect(changes()).toEqual([
    [10_000, 0],
    [10_000, 0],
  ]);
});

test('the visitor types to the bot: told to members who watch, at each process', async () => {
  const inbox = await start();
  const ben = await inbox.member('Ben');
  const page = await ben.listen();
  open = [...open, page];
  const isTyping = ({ type, data }: TeamSignal, timeout: number) =>
    type === 'inbox_typing' && data.timeout === timeout;
  // Given back, and never handed over.
  await inbox.ada.act('POST', '/return');
  const { key } = await inbox.server.user({ name: 'Grace' });
  const id = await inbox.server.conversation(key);
  const type = (conversationId: string, typing: boolean, by = inbox.key) =>
    Promise.all(
      inbox.servers.map((server) =>
        server.call('POST', `/conversations/${conversationId}/typing`, { key: by, body: { typing } }),
      ),
    );
  await type(inbox.conversationId, true);
  await inbox.ada.call('PUT', '/watch', { list: 'bot' });
  // The word arrives at the other process, too.
  await expect
    .poll(async () => {
      await type(id, true, key);
      return inbox.pages.map(({ frames }) =>
        frames.some(({ signal }) => !!signal && isTyping(signal as unknown as TeamSignal, 10_000)),
      );
    }, pollOptions)
    .toEqual([true, true]);
  await type(inbox.conversationId, false);
  await inbox.hear((signal) => isTyping(signal, 0));
  const told = inbox.pages.flatMap(({ frames }) =>
    frames.flatMap(({ signal }) =>
      signal?.type === ('inbox_typing' as string)
        ? [signal.data as { conversationId: string; timeout: number }]
        : [],
    ),
  );
  // Before Ada watched, nobody was told.
  expect(told.filter(({ conversationId }) => conversationId === inbox.conversationId)).toEqual(
    told.filter(({ conversationId, timeout }) => conversationId === inbox.conversationId && timeout === 0),
  );
  await inbox.ada.act('POST', '/take');
  await page.until(({ data }) => data?.includes('"state":"assigned"') === true);
  expect(page.frames.filter(({ signal }) => signal?.type === ('inbox_typing' as string))).toEqual([]);
});

test('the page of the visitor is told to members in the conversation, until it is shared no more', async () => {
  const inbox = await start();
  const ben = await inbox.member('Ben');
  const other = await ben.listen();
  open = [...open, other];
  const { conversationId: id, key } = inbox;
  const [ofVisitor, ofMember] = inbox.servers as [(typeof inbox.servers)[0], (typeof inbox.servers)[0]];
  const stream = await readStream(
    await ofVisitor.fetch(`/chat/demo/conversations/${id}/listen`, { headers: { 'x-user-key': key } }),
  );
  open = [...open, stream];
  const page = { url: 'https://shop.example/cart', title: 'Cart' };
  // At the process without the stream.
  const set = (value: object | null) =>
    ofMember.call('POST', `/conversations/${id}/page`, { key, body: { page: value } });
  const look = () => inbox.ada.act('PUT', '/presence', { state: 'viewing' });
  const isTold = (signal: TeamSignal, expected: object | undefined) =>
    signal.type === 'inbox_page' && signal.data.page?.url === Object(expected).url;
  expect((await set(page)).status).toBe(200);
  await expect
    .poll(async () => {
      await look();
      return inbox.pages.map(({ frames }) =>
        frames.some(({ signal }) => !!signal && isTold(signal as unknown as TeamSignal, page)),
      );
    }, pollOptions)
    .toEqual([true, true]);
  await set(null);
  await inbox.hear((signal) => isTold(signal, undefined));
  expect(JSON.stringify(await inbox.rows('conversations'))).not.toContain('shop.example');
  // Ben does not look at the conversation.
  await inbox.ada.act('POST', '/take');
  await other.until(({ data }) => data?.includes('"state":"assigned"') === true);
  expect(other.frames.filter(({ signal }) => signal?.type === ('inbox_page' as string))).toEqual([]);
});

test('the name of a visitor is found by the search, and by pages that ask for the changes', async () => {
  const inbox = await start();
  const { cursor } = (await inbox.ada.call('GET', '/changes')).body;
  await asVisitor(inbox, 'PUT', '/users/me', { name: 'Petra' });
  const idsIn = async (path: string) =>
    (await inbox.ada.call('GET', path)).body.conversations.map(({ visitor }: InboxRow) => visitor.name);
  expect(await idsIn('/conversations?list=all&q=petra')).toEqual(['Petra']);
  expect(await idsIn(`/changes?since=${cursor}`)).toEqual(['Petra']);
});

test('the same values again are not told', async () => {
  const inbox = await start();
  const before = await inbox.rowOf();
  await asVisitor(inbox, 'PUT', '/users/me', { name: 'Visitor' });
  expect((await inbox.rowOf()).revision).toBe(before.revision);
});

test.each(ofVisitor)('the %s of a visitor', async (_, change) => {
  const started = await start();
  const before = await started.rowOf();
  expect(await change(started)).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
  await started.hearRow(before);
});

const ofWorkspace: [
  fact: string,
  changed: string,
  change: (inbox: Started) => Promise<{ status: number }>,
][] = [
  ['a new team', 'team', ({ ada }) => ada.call('POST', '/teams', { name: 'VIP', mode: 'manual' })],
  [
    'a new member',
    'team',
    ({ ada, request }) =>
      request('POST', '/v1/admin/workspace-members', ada.headers, {
        email: 'b@example.com',
        role: 'support',
      }),
  ],
  ['the capacity of a member', 'team', ({ ada }) => ada.call('PUT', `/members/${ada.id}`, { capacity: 3 })],
  ['the own availability', 'team', ({ ada }) => ada.call('PUT', '/me', { availability: 'away' })],
  [
    'a new canned answer',
    'answers',
    ({ ada }) => ada.call('POST', '/canned-answers', { scope: 'own', name: 'Hi', text: 'Hello' }),
  ],
];

test.each(ofWorkspace)('%s is told', async (_, changed, change) => {
  const started = await start();
  expect(await change(started)).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
  await started.hear(({ type, data }) => type === 'inbox_settings' && data.changed === changed);
});

test('changes and removals of teams, members and canned answers are told', async () => {
  const started = await start();
  const { ada, request, pages } = started;
  const ben = await started.member('Ben');
  const { id: teamId } = (await ada.call('POST', '/teams', { name: 'VIP', mode: 'manual' })).body.team;
  const answer = { scope: 'workspace', name: 'Hi', text: 'Hello' };
  const { id: answerId } = (await ada.call('POST', '/canned-answers', answer)).body.cannedAnswer;
  const counts = () =>
    pages.map(({ frames }) => frames.filter(({ data }) => data.includes('inbox_settings')).length);
  let count = 2;
  await expect.poll(counts, pollOptions).toEqual([count, count]);
  for (const change of [
    () => ada.call('PUT', `/teams/${teamId}`, { name: 'Very' }),
    () => ada.call('DELETE', `/teams/${teamId}`),
    () => ada.call('PUT', `/canned-answers/${answerId}`, { text: 'Hello!' }),
    () => ada.call('DELETE', `/canned-answers/${answerId}`),
    () => request('PUT', `/v1/admin/workspace-members/${ben.id}`, ada.headers, { role: 'viewer' }),
    () => request('PUT', `/v1/admin/workspace-members/${ben.id}`, ada.headers, { displayName: 'Benno' }),
    () => request('DELETE', `/v1/admin/workspace-members/${ben.id}`, ada.headers),
  ]) {
    expect((await change()).status).toBeLessThan(300);
    count += 1;
    await expect.poll(counts, pollOptions).toEqual([count, count]);
  }
});

test('own canned answers and the own availability are told to nobody else', async () => {
  const started = await start();
  const ben = await started.member('Ben');
  await ben.call('POST', '/canned-answers', { scope: 'own', name: 'Hi', text: 'Hello' });
  await ben.call('PUT', '/me', { availability: 'away' });
  await started.ada.call('POST', '/teams', { name: 'Last', mode: 'manual' });
  await started.hear(({ type }) => type === 'inbox_settings');
  for (const page of started.pages) {
    expect(page.frames.filter(({ data }) => data.includes('inbox_settings'))).toHaveLength(1);
  }
});

test('another name of a member is told to colleagues, and to the visitors whom they answer', async () => {
  const started = await start();
  const { ada, key, conversationId, request } = started;
  const ben = await started.member('Ben');
  await ben.act('POST', '/take');
  const before = await started.rowOf();
  const stream = await started.server.listen(key, conversationId);
  const rename = await request('PUT', `/v1/admin/workspace-members/${ben.id}`, ada.headers, {
    displayName: 'Benno',
  });
  expect(rename.status).toBe(200);
  await started.hearRow(before, ({ assignee }) => assignee?.name === 'Benno');
  const { data } = await stream.untilType('handling_changed');
  expect(data).toMatchObject({ state: 'assigned', person: { name: 'Benno' }, activities: [] });
  const { participants } = (await started.chat('GET', '/participants')).body;
  expect(participants.map(({ name }: { name?: string }) => name)).toContain('Benno');
  await stream.cancel();
});

test('a message that was changed is told, however old it is', async () => {
  const started = await start();
  const { bot, conversationId } = started;
  await started.ada.act('POST', '/return');
  const payload = { type: 'text', text: 'First' };
  const { message } = (await bot('POST', '/messages', { conversationId, payload })).body;
  const changed = { type: 'text', text: 'Second' };
  expect((await bot('PUT', `/messages/${message.id}`, { payload: changed })).status).toBe(200);
  await started.hear(
    ({ type, data }) =>
      type === 'inbox_message' && JSON.stringify(data.message.payload) === JSON.stringify(changed),
  );
});

test('a visitor who is merged into another one', async () => {
  const started = await start();
  const before = await started.rowOf();
  const { server } = started;
  const key = server.sign('customer-7');
  await server.call('POST', '/users/get-or-create', { key, body: { name: 'Petra' } });
  const merged = await server.call('POST', '/users/me/merge', { key, body: { userKey: started.key } });
  expect(merged.body).toEqual({ merged: true });
  await started.hearRow(before, ({ visitor }) => visitor.id === 'customer-7' && visitor.name === 'Petra');
});

test('a visitor who ends the mails to their address', async () => {
  const started = await start();
  await asVisitor(started, 'PUT', '/contact', { email: 'petra@example.com' });
  const { server, botId } = started;
  const [contact] = await started.rows('contacts');
  const { unsubscribeToken } = await server.db.write((tx) =>
    mailedAddress(tx, { addressHash: String(contact?.address_hash), botId, day: 1 }),
  );
  const before = await started.rowOf();
  expect((await server.fetch(`/c/unsubscribe/${unsubscribeToken}`, { method: 'POST' })).status).toBe(200);
  await started.hearRow(before);
});
