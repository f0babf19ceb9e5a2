// Carries frames from what happens to those who listen, inside this process. It keeps nothing and waits for nobody.
import { type Frame, pingFrame } from './sse-frames.ts';

export interface Listener {
  botId: string;
  conversationId: string;
  /** Who owns the conversation. */
  ownerId: string;
  userId: string;
  /** Takes a frame; must neither wait nor throw. */
  send(frame: Frame): void;
  /** Whether what it was opened with is still good: a key may expire. */
  isValid(): boolean;
  /** Ends the stream from our side. */
  close(): void;
}

export interface Bus {
  /** Adds a listener; the result takes it off. */
  listen(listener: Listener): () => void;
  /** Sends to all who listen to the conversation, but for the streams of the user `exceptUserId`. */
  publish(conversationId: string, frame: Frame, exceptUserId?: string): void;
  /** Sends a ping to everybody whose key is still good, and closes the other streams. */
  ping(): void;
  /** Closes all streams of a user, in whatever conversation (as when the user is deleted). */
  closeUser(userId: string): void;
  /** Closes the streams of a user in one conversation (as when they are removed from it). */
  closeParticipant(conversationId: string, userId: string): void;
  closeConversation(conversationId: string): void;
  /** Closes all streams of a deleted user, and those of others in the conversations that the user owned. */
  endUser(userId: string): void;
  /** Closes all streams of a bot that is gone, or whose keys have ended. */
  closeBot(botId: string): void;
  /** Closes all streams, and every one that is opened from now on. */
  closeAll(): void;
  /** Open streams. */
  readonly size: number;
}

export function createBus(): Bus {
  const byConversation = new Map<string, Set<Listener>>();
  const byUser = new Map<string, Set<Listener>>();

  let closed = false;

  // Copies: a listener that is dropped while it is told takes itself out of the set.
  const each = (listeners: Iterable<Listener> | undefined, act: (listener: Listener) => void): void => {
    for (const listener of [...(listeners ?? [])]) act(listener);
  };
  const everybody = (): Listener[] => [...byUser.values()].flatMap((listeners) => [...listeners]);

  return {
    listen(listener) {
      if (closed) {
        listener.close();
        return () => {};
      }
      add(byConversation, listener.conversationId, listener);
      add(byUser, listener.userId, listener);
      return () => {
        remove(byConversation, listener.conversationId, listener);
        remove(byUser, listener.userId, listener);
      };
    },
    publish: (conversationId, frame, exceptUserId) =>
      each(byConversation.get(conversationId), (listener) => {
        if (listener.userId !== exceptUserId) listener.send(frame);
      }),
    ping: () =>
      each(everybody(), (listener) => (listener.isValid() ? listener.send(pingFrame) : listener.close())),
    closeUser: (userId) => each(byUser.get(userId), (listener) => listener.close()),
    closeParticipant: (conversationId, userId) =>
      each(byConversation.get(conversationId), (listener) => {
        if (listener.userId === userId) listener.close();
      }),
    closeConversation: (id) => each(byConversation.get(id), (listener) => listener.close()),
    endUser: (id) =>
      each(everybody(), (listener) => {
        if (listener.userId === id || listener.ownerId === id) listener.close();
      }),
    closeBot: (botId) =>
      each(everybody(), (listener) => {
        if (listener.botId === botId) listener.close();
      }),
    closeAll() {
      closed = true;
      each(everybody(), (listener) => listener.close());
    },
    get size() {
      return everybody().length;
    },
  };
}

function add(map: Map<string, Set<Listener>>, key: string, listener: Listener): void {
  const listeners = map.get(key) ?? new Set();
  map.set(key, listeners.add(listener));
}

function remove(map: Map<string, Set<Listener>>, key: string, listener: Listener): void {
  const listeners = map.get(key);
  listeners?.delete(listener);
  if (listeners?.size === 0) map.delete(key);
}
