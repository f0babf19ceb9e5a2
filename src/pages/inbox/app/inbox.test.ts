// @vitest-environment jsdom
// Tests of the parts of the inbox page together: what the address opens, and what is read besides it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createInbox, type Inbox } from './inbox.ts';
import { rowOf } from './state/testing.ts';
import { createTestServer, unavailable } from './sync/testing.ts';

const all = { list: 'all', filter: {} } as const;

let server: ReturnType<typeof createTestServer>;
let inbox: Inbox | undefined;
/** Opens the page at an address. */
const open = (search: string) => {
  history.replaceState(null, '', search);
  const leave = { signIn: () => {}, signOut: () => {}, account: () => {} };
  inbox = createInbox(server.api, undefined, leave);
  return inbox;
};
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  server = createTestServer();
});
afterEach(() => {
  inbox?.dispose();
  vi.useRealTimers();
});

test('a page of a list that could not be read is asked for by the member, and the pages before it stay', async () => {
  const { listInboxConversations } = server.inbox;
  const conversations = [rowOf('b'), rowOf('a')];
  listInboxConversations.mockResolvedValueOnce({ conversations, meta: { nextToken: 'second' } });
  const { sync, store, router } = open('?list=all');
  await wait(1);
  router.go({ list: 'all', conversationId: 'a', isVisitorShown: false });
  await wait(1);
  listInboxConversations.mockRejectedValueOnce(unavailable());
  await sync.loadMore(all);
  await wait(1);
  expect([store.progressOf(all).status, store.listOf(all).length]).toEqual(['failed', 2]);
  expect(listInboxConversations).toHaveBeenCalledTimes(2);
});

test('the teams are read again if they could not be read', async () => {
  const { listTeams } = server.inbox;
  listTeams.mockRejectedValueOnce(unavailable()).mockRejectedValueOnce(unavailable());
  const { team, dispose } = open('?list=all');
  await wait(60_000);
  expect(team.teams.value).toEqual([]);
  expect(listTeams).toHaveBeenCalledTimes(3);
  dispose();
});
