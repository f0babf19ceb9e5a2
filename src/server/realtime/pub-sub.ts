// Publishes frames to the subscribers of a conversation within this process. It stores nothing and never waits.
import type { VisitorPage } from '../../protocol/types/visitors.ts';
import type { StreamState } from '../storage/chat/participants.ts';
import { type ClosableStream, type Closing, createClosing, createRetryFrame } from './closing-steps.ts';
import { type Frame, pingFrame } from './sse-frames.ts';

export interface Subscriber extends ClosableStream {
  botId: string;
  conversationId: string;
  /** The owner of the conversation. */
  ownerId: string;
  userId: string;
  /** Of the user key of the stream. */
  keyHash: string;
  /** Receives a frame; must neither wait nor throw. */
  send(frame: Frame): void;
  /** Whether the user key of the stream is still valid: it may have expired. */
  isValid(): boolean;
  /** Whether the user key was neither revoked nor replaced, by what the database has about it now. */
  accepts(state: StreamState): boolean;
  /** The page on which the visitor is, if the site shares it. It is forgotten with the stream. */
  page?: VisitorPage | undefined;
}

export interface Backlog {
  bytes: number;
}

export interface PubSub extends Pick<Closing, 'closeInSteps' | 'closeAll'> {
  /** Adds a subscriber; the result removes it. */
  subscribe(subscriber: Subscriber): () => void;
  /** The subscribers of a conversation in this process. */
  subscribersOf(conversationId: string): ReadonlySet<Subscriber>;
  /** Sends a frame to all subscribers of the conversation, except those of the user `exceptUserId`. */
  publish(conversationId: string, frame: Frame, exceptUserId?: string): void;
  /**
   * Sends a ping to the subscribers with a valid key that had none since `before` (performance.now()), and closes those with
   * another key. `share`: the part of all subscribers that is pinged at most, those first who wait longest.
   */
  ping(before: number, share?: number): void;
  /**
   * Returns the subscribers whose access was not checked since `before` (performance.now()), those first who wait longest,
   * and counts them as checked now. `share`: the part of all subscribers that is returned at most.
   */
  unchecked(before: number, share: number): Subscriber[];
  /** Closes the streams of a user in all conversations. */
  closeUser(userId: string): void;
  /** Changes the owner of all conversations of a user in the open streams of others, and closes the user's own. */
  moveUser(userId: string, toUserId: string): void;
  /** Closes the streams of a user in one conversation. */
  closeParticipant(conversationId: string, userId: string): void;
  closeConversation(conversationId: string): void;
  /** Closes the streams of a deleted user, and all streams of the conversations that the user owned. */
  closeUserAndOwnedConversations(userId: string): void;
  /** Closes the streams of a bot that was deleted or whose user keys were revoked. */
  closeBot(botId: string): void;
  /** Open streams. */
  readonly size: number;
  /** Frames that were sent since the start. */
  readonly frames: number;
  /** The queued frames of all streams for clients that read slowly. */
  readonly backlog: Backlog;
}

/** Actions that end or change the streams of others, in a server of several processes at all of them. */
export type StreamControl = Pick<
  PubSub,
  | 'closeUser'
  | 'moveUser'
  | 'closeParticipant'
  | 'closeConversation'
  | 'closeUserAndOwnedConversations'
  | 'closeBot'
>;

export function createPubSub(): PubSub {
  const byConversation = new Map<string, Set<Subscriber>>();
  const byUser = new Map<string, Set<Subscriber>>();

  /** When each subscriber had its last ping, or subscribed; in this order. */
  const pinged = new Map<Subscriber, number>();
  /** When the access of each subscriber was checked, in this order; only where it is checked. */
  let checked: Map<Subscriber, number> | undefined;
  let frames = 0;

  // Iterates over a copy: a subscriber that is closed removes itself from the set.
  const each = (
    subscribers: Iterable<Subscriber> | undefined,
    act: (subscriber: Subscriber) => void,
  ): void => {
    for (const subscriber of [...(subscribers ?? [])]) act(subscriber);
  };
  const allSubscribers = (): Subscriber[] => [...byUser.values()].flatMap((subscribers) => [...subscribers]);
  const closing = createClosing(allSubscribers);

  return {
    subscribe(subscriber) {
      if (closing.hasBegun) {
        subscriber.close(createRetryFrame());
        return () => {};
      }
      add(byConversation, subscriber.conversationId, subscriber);
      add(byUser, subscriber.userId, subscriber);
      pinged.set(subscriber, performance.now());
      checked?.set(subscriber, performance.now());
      return () => {
        pinged.delete(subscriber);
        checked?.delete(subscriber);
        remove(byConversation, subscriber.conversationId, subscriber);
        remove(byUser, subscriber.userId, subscriber);
      };
    },
    subscribersOf: (conversationId) => byConversation.get(conversationId) ?? new Set(),
    publish: (conversationId, frame, exceptUserId) =>
      each(byConversation.get(conversationId), (subscriber) => {
        if (subscriber.userId === exceptUserId) return;
        frames += 1;
        subscriber.send(frame);
      }),
    ping(before, share = 1) {
      let remaining = Math.ceil(pinged.size * share);
      for (const [subscriber, at] of pinged) {
        if (at > before || remaining === 0) return;
        remaining -= 1;
        if (!subscriber.isValid()) {
          subscriber.close();
          continue;
        }
        // To the end of the order.
        pinged.delete(subscriber);
        pinged.set(subscriber, performance.now());
        frames += 1;
        subscriber.send(pingFrame);
      }
    },
    unchecked(before, share) {
      const now = performance.now();
      checked ??= new Map([...pinged.keys()].map((subscriber) => [subscriber, now]));
      const due: Subscriber[] = [];
      const most = Math.ceil(checked.size * share);
      for (const [subscriber, at] of checked) {
        if (at > before || due.length === most) break;
        due.push(subscriber);
      }
      for (const subscriber of due) {
        checked.delete(subscriber);
        checked.set(subscriber, now);
      }
      return due;
    },
    closeUser: (userId) => each(byUser.get(userId), (subscriber) => subscriber.close()),
    moveUser(userId, toUserId) {
      for (const subscriber of allSubscribers()) {
        if (subscriber.ownerId === userId) subscriber.ownerId = toUserId;
      }
      each(byUser.get(userId), (subscriber) => subscriber.close());
    },
    closeParticipant: (conversationId, userId) =>
      each(byConversation.get(conversationId), (subscriber) => {
        if (subscriber.userId === userId) subscriber.close();
      }),
    closeConversation: (id) => each(byConversation.get(id), (subscriber) => subscriber.close()),
    closeUserAndOwnedConversations: (id) =>
      each(allSubscribers(), (subscriber) => {
        if (subscriber.userId === id || subscriber.ownerId === id) subscriber.close();
      }),
    closeBot: (botId) =>
      each(allSubscribers(), (subscriber) => {
        if (subscriber.botId === botId) subscriber.close();
      }),
    closeInSteps: closing.closeInSteps,
    closeAll: closing.closeAll,
    backlog: { bytes: 0 },
    get size() {
      return pinged.size;
    },
    get frames() {
      return frames;
    },
  };
}

function add(map: Map<string, Set<Subscriber>>, key: string, subscriber: Subscriber): void {
  const subscribers = map.get(key) ?? new Set();
  map.set(key, subscribers.add(subscriber));
}

function remove(map: Map<string, Set<Subscriber>>, key: string, subscriber: Subscriber): void {
  const subscribers = map.get(key);
  subscribers?.delete(subscriber);
  if (subscribers?.size === 0) map.delete(key);
}

/** The feed of a new subscriber of a conversation; it must subscribe to `pubSub` in the same turn as it joins. */
export interface Feed {
  /** Resolves when frames of other processes arrive. The log has to be read after that. */
  readonly ready: Promise<void>;
  /** Says up to which sequence number the log was read. Returns false if it has to be read again. */
  start(position: number): boolean;
  leave(): void;
}

/** Brings the frames of the log to the subscribers of a conversation, with several processes also to those at others. */
export interface FanOut {
  /** Publishes a frame of the log. Must be called after its commit. */
  publish(conversationId: string, frame: Frame): void;
  /** A new subscriber; undefined in a server of one process, which needs nothing. */
  join(conversationId: string): Feed | undefined;
}

/** The fan-out of a server of one process. */
export const createLocalFanOut = (pubSub: PubSub): FanOut => ({
  publish: pubSub.publish,
  join: () => undefined,
});
