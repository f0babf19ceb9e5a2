// The streams of the inbox: each change is read once for all members of a workspace, and sent to all of their clients.
import type { Logger } from 'pino';
import type { InboxCounts, TeamSignal, TeamSignals } from '../../protocol/handling/inbox.ts';
import { ping } from '../../protocol/signal.ts';
import { ApiError } from '../api/errors.ts';
import type { TeamBus, TeamChange } from '../cluster/team-bus.ts';
import { createBoundedStream } from '../realtime/bounded-stream.ts';
import { type ClosableStream, type Closing, closedBody, createClosing } from '../realtime/closing-steps.ts';
import type { Backlog } from '../realtime/pub-sub.ts';
import { openingFrame } from '../realtime/sse-frames.ts';
import { streamHeaders } from '../realtime/stream.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { countInbox, findInboxRecord } from '../storage/inbox/lists.ts';
import { findNote } from '../storage/inbox/notes.ts';
import { audienceOf, audienceOfTeam, type HandlingPlace, type Viewer } from '../storage/inbox/visibility.ts';
import { createPresentMembers } from './present-members.ts';
import { serializedNote, serializeRows } from './serializers.ts';

/** Milliseconds between two pings, each after a check that the member still has access. */
const pingIntervalMs = 15_000;
/** The minimum number of milliseconds between two counts for a client. */
const countsIntervalMs = 1_000;

export interface InboxStreams extends Pick<Closing, 'closeInSteps' | 'closeAll'> {
  /**
   * Opens the stream of a member. `check` rejects if the member no longer has the same access. The stream ends then, or if the
   * client reads too slowly. `acquireSlot` rejects if the member has too many streams, and resolves with what releases the slot.
   */
  open(
    viewer: Viewer,
    grant: { check(): Promise<unknown>; acquireSlot(): Promise<() => void> },
  ): Promise<Response>;
  /** What all streams have queued for clients that read slowly. */
  readonly backlog: Backlog;
}

interface Client extends ClosableStream {
  memberId: string;
  seesAllTeams: boolean;
  send(signal: TeamSignal): void;
  countSoon(): void;
}

type Audience = ReadonlySet<string> | undefined;

const isIn = (audience: Audience, { memberId, seesAllTeams }: Client): boolean =>
  audience === undefined || seesAllTeams || audience.has(memberId);

const frameOf = (data: string): Uint8Array => new TextEncoder().encode(`event: message\ndata: ${data}\n\n`);

export function createInboxStreams({
  db,
  team,
  logger,
  now,
  onSeen,
}: {
  db: Database;
  team: TeamBus;
  logger: Logger;
  now(): number;
  /** Called while the stream of a member is open. */
  onSeen(member: { workspaceId: string; memberId: string }): void;
}): InboxStreams {
  const backlog: Backlog = { bytes: 0 };
  const feeds = new Map<string, { clients: Set<Client>; end(): void }>();
  const closing = createClosing(() => [...feeds.values()].flatMap(({ clients }) => [...clients]));
  const onError = (error: unknown) => logger.error({ err: error }, 'a change of the inbox was not sent');

  function createFeed(workspaceId: string) {
    const clients = new Set<Client>();
    /** Conversations whose rows are being read; true if they have changed since. */
    const reading = new Map<string, boolean>();
    const present = createPresentMembers(now);
    /** Where each conversation was before the changes that are still to be sent. */
    const places = new Map<string, HandlingPlace[]>();

    /** `audience`: the members who may see the conversation; undefined: all. */
    function send(signal: TeamSignal, audience: Audience): void {
      for (const client of [...clients]) if (isIn(audience, client)) client.send(signal);
    }

    async function sendRow(conversationId: string, from?: HandlingPlace): Promise<void> {
      if (from) places.set(conversationId, [...(places.get(conversationId) ?? []), from]);
      if (reading.has(conversationId)) return void reading.set(conversationId, true);
      try {
        do {
          reading.set(conversationId, false);
          const left = places.get(conversationId) ?? [];
          places.delete(conversationId);
          const { row, audience, before } = await db.read(async (tx) => {
            const record = await findInboxRecord(tx, workspaceId, conversationId);
            const [found] = record ? await serializeRows(tx, [record]) : [];
            const earlier: Audience[] = [];
            for (const place of left) earlier.push(await audienceOfTeam(tx, place));
            return { row: found, audience: await audienceOf(tx, conversationId), before: earlier };
          });
          if (!row) continue;
          send({ type: 'inbox_row', data: { row } }, audience);
          // It has come to a restricted team: a member who saw it must not keep it. If its team becomes restricted, the streams
          // of those who do not see it any more end at the next ping, and their lists are read again.
          for (const client of [...clients])
            if (!isIn(audience, client) && before.some((one) => isIn(one, client)))
              client.send({ type: 'inbox_deleted', data: { conversationId, isHidden: true } });
        } while (reading.get(conversationId));
      } finally {
        reading.delete(conversationId);
      }
      for (const client of clients) client.countSoon();
    }

    async function sendNote(conversationId: string, noteId: string): Promise<void> {
      const { note, audience } = await db.read(async (tx) => {
        const found = await findNote(tx, conversationId, noteId);
        return {
          note: found && (await serializedNote(tx, found)),
          audience: await audienceOf(tx, conversationId),
        };
      });
      if (note) send({ type: 'inbox_note', data: { note } }, audience);
    }

    /** Sends a signal about a conversation to the members who may see it. */
    async function sendOf<T extends 'inbox_message_deleted' | 'inbox_note_deleted' | 'inbox_read'>(
      type: T,
      data: TeamSignals[T],
    ): Promise<void> {
      const audience = await db.read((tx) => audienceOf(tx, data.conversationId));
      send({ type, data } as TeamSignal, audience);
    }

    /** Tells who is in a conversation now. */
    async function sendPresence(change: Extract<TeamChange, { kind: 'presence' }>): Promise<void> {
      const { conversationId } = change;
      present.update(change);
      const audience = await db.read((tx) => audienceOf(tx, conversationId));
      const all = present.list(conversationId);
      for (const client of [...clients]) {
        if (!isIn(audience, client)) continue;
        // Members do not see their own presence, not even from another tab.
        const members = all.filter(({ memberId }) => memberId !== client.memberId);
        client.send({ type: 'inbox_presence', data: { conversationId, members } });
      }
    }

    function receive(change: TeamChange): void {
      const { conversationId } = change;
      if (change.kind === 'presence') sendPresence(change).catch(onError);
      else if (change.kind === 'note') sendNote(conversationId, change.noteId).catch(onError);
      else if (change.kind === 'row') {
        const { from, deletedMessageId: messageId } = change;
        // A page may have read it long ago: the timeline that is read again does not tell of it.
        if (messageId !== undefined)
          sendOf('inbox_message_deleted', { conversationId, messageId }).catch(onError);
        sendRow(conversationId, from).catch(onError);
      } else if (change.kind === 'read') {
        const { seq, until } = change;
        sendOf('inbox_read', { conversationId, seq, until }).catch(onError);
      } else if (change.kind === 'note_deleted') {
        sendOf('inbox_note_deleted', { conversationId, noteId: change.noteId }).catch(onError);
      } else {
        send({ type: 'inbox_deleted', data: { conversationId } }, undefined);
        for (const client of clients) client.countSoon();
      }
    }

    const end = team.subscribe(workspaceId, receive);
    return { clients, end };
  }

  return {
    async open(viewer, { check, acquireSlot }) {
      const { workspaceId, memberId } = viewer;
      await check();
      const releaseSlot = await acquireSlot();
      if (closing.hasBegun) {
        releaseSlot();
        return new Response(closedBody(), { headers: streamHeaders });
      }
      onSeen(viewer);
      const feed = feeds.get(workspaceId) ?? createFeed(workspaceId);
      feeds.set(workspaceId, feed);
      let counting: NodeJS.Timeout | undefined;
      let known = '';
      let isOver = false;
      const {
        readable,
        send: sendBytes,
        close,
      } = createBoundedStream(backlog, () => {
        isOver = true;
        releaseSlot();
        clearTimeout(counting);
        clearInterval(pings);
        feed.clients.delete(client);
        if (feed.clients.size > 0) return;
        feed.end();
        feeds.delete(workspaceId);
      });
      const sendCounts = async (): Promise<void> => {
        const counts: InboxCounts = await db.read((tx) => countInbox(tx, viewer));
        const text = JSON.stringify(counts);
        if (text === known || isOver) return;
        known = text;
        client.send({ type: 'inbox_counts', data: counts });
      };
      const client: Client = {
        memberId,
        seesAllTeams: viewer.seesAllTeams,
        send: (signal) => sendBytes(frameOf(JSON.stringify(signal))),
        countSoon() {
          if (isOver) return;
          counting ??= setTimeout(() => {
            counting = undefined;
            sendCounts().catch(onError);
          }, countsIntervalMs).unref();
        },
        close(last) {
          if (last) sendBytes(last.bytes);
          close();
        },
      };
      let isUnknown = false;
      const pings = setInterval(async () => {
        try {
          await check();
          if (isUnknown) return close();
          onSeen(viewer);
        } catch (error) {
          if (error instanceof ApiError) return close();
          // It stays open until the access is known. Then its page connects again, and asks for what was not sent.
          isUnknown = true;
          if (!(error instanceof DatabaseUnavailable)) logger.error({ err: error }, 'an access check failed');
        }
        sendBytes(frameOf(ping));
      }, pingIntervalMs).unref();
      feed.clients.add(client);
      sendBytes(openingFrame.bytes);
      await sendCounts().catch(async (error) => {
        // Nobody will read it.
        await readable.cancel();
        throw error;
      });
      return new Response(readable, { headers: streamHeaders });
    },
    closeInSteps: closing.closeInSteps,
    closeAll: closing.closeAll,
    backlog,
  };
}
