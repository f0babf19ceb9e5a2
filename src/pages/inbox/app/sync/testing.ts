// A server of the inbox for tests of the page, with conversations that change and requests that can fail.
import { vi } from 'vitest';
import { ApiError } from '../../../../client/core/errors.ts';
import {
  type InboxCounts,
  type InboxList,
  type InboxRow,
  inboxLists,
  type TeamSignal,
} from '../../../../protocol/inbox.ts';
import type { InboxApi } from '../api/inbox-api.ts';

/** Response of the server while it does not work. */
export const unavailable = () => new ApiError(503, undefined);

/** The counts of the lists, the same number for each. */
export const countsOf = (n: number): InboxCounts =>
  Object.fromEntries(inboxLists.map((list) => [list, n])) as Record<InboxList, number>;

/** Creates a server; `set` changes a conversation at the present time. Its stream is refused until `openStream` is replaced. */
export function createTestServer() {
  const rows = new Map<string, { row: InboxRow; at: number }>();
  const visitors = new Map<string, { id: string; profile: string }>();
  const listed = () => [...rows.values()].map(({ row }) => row);
  const inbox = {
    listInboxConversations: vi.fn(async (_: { nextToken?: string }) => ({
      conversations: listed(),
      meta: {} as { nextToken?: string },
    })),
    getInboxChanges: vi.fn(async ({ since = String(Date.now()) }: { since?: string }) => ({
      conversations: [...rows.values()].filter(({ at }) => at >= Number(since)).map(({ row }) => row),
      deleted: [] as string[],
      cursor: since,
      isComplete: true,
    })),
    getInboxCounts: vi.fn(async () => ({ counts: countsOf(0) })),
    getInboxConversation: vi.fn(async ({ id }: { id: string }) => ({
      conversation: rows.get(id)?.row,
      visitor: visitors.get(id),
      handoffs: [],
    })),
    getInboxTimeline: vi.fn(async () => ({
      messages: [],
      notes: [],
      activities: [],
      ratings: [],
      seq: 1,
      meta: {},
    })),
    setInboxRead: vi.fn(async () => ({})),
    setInboxPresence: vi.fn(async () => ({})),
    watchBotList: vi.fn(async () => ({})),
    listTeams: vi.fn(async () => ({ teams: [] })),
    getAvailability: vi.fn(async () => ({})),
  };
  const openStream = vi.fn<InboxApi['openStream']>(async () => {
    throw unavailable();
  });
  const updateMe = vi.fn(async () => {});
  const listInboxMembers = vi.fn(async () => []);
  const me = { memberId: 'ada', name: 'Ada', permissions: [] };
  /** The functions that pass frames on to the open streams. */
  const streams = new Set<ReadableStreamDefaultController<Uint8Array>>();
  const body = () => {
    let own: ReadableStreamDefaultController<Uint8Array>;
    return new ReadableStream<Uint8Array>({
      start(stream) {
        own = stream;
        streams.add(stream);
      },
      cancel: () => void streams.delete(own),
    });
  };
  return {
    inbox,
    openStream,
    updateMe,
    listInboxMembers,
    api: { me, inbox, openStream, updateMe, listInboxMembers } as unknown as InboxApi,
    set: (row: InboxRow) => rows.set(row.conversationId, { row, at: Date.now() }),
    remove: (id: string) => rows.delete(id),
    describe: (id: string, visitor: { id: string; profile: string }) => visitors.set(id, visitor),
    /** Sends a signal on the open streams. */
    send(signal: TeamSignal) {
      const frame = new TextEncoder().encode(`data: ${JSON.stringify(signal)}\n\n`);
      for (const stream of streams) stream.enqueue(frame);
    },
    /** Cuts the open streams. The next attempts to open one are refused. */
    cutStream() {
      openStream.mockRejectedValue(unavailable());
      for (const stream of streams) stream.error(new Error('cut'));
      streams.clear();
    },
    /** The next attempts to open the stream succeed. */
    letStreamOpen() {
      const headers = new Headers({ 'content-type': 'text/event-stream' });
      openStream.mockImplementation(async () => ({ headers, body: body() }) as unknown as Response);
    },
  };
}
