// The streams of the inbox: who may have one, how long, and how it ends. feed.ts reads what is sent.
import type { Logger } from 'pino';
import type { InboxCounts } from '../../protocol/inbox.ts';
import { ping } from '../../protocol/signal.ts';
import { ApiError } from '../api/errors.ts';
import { createBoundedStream } from '../realtime/bounded-stream.ts';
import { type ClosableStream, type Closing, closedBody, createClosing } from '../realtime/closing-steps.ts';
import { streamHeaders } from '../realtime/event-stream.ts';
import type { Backlog } from '../realtime/pub-sub.ts';
import { openingFrame } from '../realtime/sse-frames.ts';
import type { TeamBus } from '../realtime/team-bus.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { countInbox } from '../storage/inbox/lists.ts';
import type { Viewer } from '../storage/inbox/visibility.ts';
import { createFeed, type Feed, type FeedClient } from './feed.ts';

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
  /** The bytes that all streams have queued for clients that read slowly. */
  readonly backlog: Backlog;
}

interface Client extends FeedClient, ClosableStream {}

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
  const feeds = new Map<string, Feed<Client>>();
  const closing = createClosing(() => [...feeds.values()].flatMap(({ clients }) => [...clients]));
  const onError = (error: unknown) => logger.error({ err: error }, 'a change of the inbox was not sent');

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
      const feed = feeds.get(workspaceId) ?? createFeed(workspaceId, { db, team, now, onError });
      feeds.set(workspaceId, feed);
      let counting: NodeJS.Timeout | undefined;
      let lastText = '';
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
      const readCounts = async (): Promise<void> => {
        const counts: InboxCounts = await db.read((tx) => countInbox(tx, viewer));
        const text = JSON.stringify(counts);
        if (text === lastText || isOver) return;
        lastText = text;
        client.send({ type: 'inbox_counts', data: counts });
      };
      let counted: Promise<void> = Promise.resolve();
      // One after the other: of two reads at the same time, the earlier one can end last.
      const sendCounts = (): Promise<void> => {
        const sent = counted.then(readCounts);
        counted = sent.catch(() => {});
        return sent;
      };
      const client: Client = {
        memberId,
        seesAllTeams: viewer.seesAllTeams,
        isBehind: false,
        send: (signal) => sendBytes(frameOf(JSON.stringify(signal))),
        countSoon() {
          if (isOver) return;
          counting ??= setTimeout(() => {
            counting = undefined;
            sendCounts().catch((error) => {
              client.isBehind = true;
              onError(error);
            });
          }, countsIntervalMs).unref();
        },
        close(last) {
          if (last) sendBytes(last.bytes);
          close();
        },
      };
      const pings = setInterval(async () => {
        try {
          await check();
          if (client.isBehind) return close();
          onSeen(viewer);
        } catch (error) {
          if (error instanceof ApiError) return close();
          // It stays open until the access is known. Then its page connects again, and asks for what was not sent.
          client.isBehind = true;
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
