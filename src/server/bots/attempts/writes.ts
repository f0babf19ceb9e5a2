// The writes of the handler of one event: each happens once, also when the event is delivered again, and in the order of the
// calls.
import type { Reply, Transcript } from '../../chat/index.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import type { Database, WriteTx } from '../../storage/database.ts';
import { createGroups, withoutFaultOfOthers } from '../../storage/groups.ts';
import { isHandledByPerson } from '../answers/stream.ts';
import { CallResult } from '../call-result.ts';
import { EventLost, type Fence } from './claims.ts';

interface WritesOptions {
  db: Database;
  fence: Fence;
  eventId: string;
  /** Throws when the event is over. */
  assertOpen(): void;
  /** Called when a write was refused because the event is not handled here any more. */
  onLost(): void;
}

interface WriteOptions<C, T> {
  /** The deduplication key; by default that of the next write. */
  origin?: string | undefined;
  /** Stores it together with others. Resolves with undefined if `work` has to store it. */
  together?: ((checked: C, origin: string) => Promise<T | undefined>) | undefined;
}

export interface Writes {
  /**
   * Runs a write that must happen once, also when the event is delivered again. `check` runs at once, so that the stack
   * of its error has the line of the bot's code.
   */
  writeOnce<C, T>(
    check: () => C,
    work: (tx: WriteTx, checked: C, origin: string) => Promise<T>,
    options?: WriteOptions<C, T>,
  ): Promise<T>;
  /** Whether a write was refused because a person answers. */
  wasRefused(): boolean;
  /** Resolves when all writes are stored. Rejects if one that the bot does not wait for failed. */
  settled(): Promise<unknown>;
}

export function createWrites({ db, fence, eventId, assertOpen, onLost }: WritesOptions): Writes {
  const results: CallResult<unknown>[] = [];
  let ordinal = 0;
  let isRefused = false;
  /** Set while a write is stored together with others. It takes longer, and what the bot writes next must not overtake it. */
  let before: Promise<unknown> | undefined;

  /** The deduplication key of the next write: event id and ordinal. */
  function nextOrigin(): string {
    ordinal += 1;
    return `${eventId}:${ordinal - 1}`;
  }

  function inOrder<T>(store: () => Promise<T>, isTogether: boolean): Promise<T> {
    const stored = before === undefined ? store() : before.then(store);
    if (!isTogether && before === undefined) return stored;
    const settled: Promise<unknown> = stored
      .catch(() => {})
      .then(() => {
        if (before === settled) before = undefined;
      });
    before = settled;
    return stored;
  }

  return {
    writeOnce<C, T>(
      check: () => C,
      work: (tx: WriteTx, checked: C, origin: string) => Promise<T>,
      { origin = nextOrigin(), together }: WriteOptions<C, T> = {},
    ) {
      let written: Promise<T>;
      try {
        assertOpen();
        const checked = check();
        const alone = () => db.write((tx) => work(tx, checked, origin));
        const store = async () => (await together?.(checked, origin)) ?? alone();
        written = inOrder(together ? store : alone, together !== undefined).catch(async (error: unknown) => {
          if (isHandledByPerson(error)) {
            isRefused = true;
            throw error;
          }
          // A reply that another process has stored meanwhile is a conflict.
          const isLost = error instanceof EventLost || (await db.read((tx) => fence.isLost(tx)));
          if (isLost) onLost();
          throw isLost ? new EventLost() : error;
        });
      } catch (error) {
        written = Promise.reject(error);
      }
      const result = new CallResult<T>((resolve) => resolve(written));
      results.push(result);
      return result;
    },
    wasRefused: () => isRefused,
    settled: () => Promise.all(results.map((result) => result.ignored())),
  };
}

/** Stores a reply. Resolves with undefined if it has to be stored alone. */
export type AddReply = (reply: Reply) => Promise<MessageRow | undefined>;

/**
 * Returns a function that stores replies of bots. In a remote database that several processes share, replies of the same time
 * are stored together.
 */
export function createReplyGroups(db: Database, transcript: Pick<Transcript, 'storeReplies'>): AddReply {
  if (!db.isRemote) return async () => undefined;
  return createGroups(
    (replies: Reply[]) =>
      withoutFaultOfOthers(replies, () => db.write((tx) => transcript.storeReplies(tx, replies))),
    // One group at a time, so that replies to a conversation keep their order.
    { weigh: ({ content }) => JSON.stringify(content.payload).length, maxRunning: 1 },
  );
}
