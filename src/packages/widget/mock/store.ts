// The memory of the mock server: users, conversations, messages and files, in memory, with ids and times that
// depend only on the seed and on the order of the calls.
import type { Message } from '../../../protocol/message.ts';
import type { NewFile } from '../../../protocol/types/chat.ts';
import type { User } from '../../../protocol/user.ts';
import { Failure, forbidden, notFound } from './failure.ts';

/** A conversation with its content. Lists are in the order in which they were made. */
export interface StoredConversation {
  id: string;
  createdAt: string;
  updatedAt: string;
  ownerId: string;
  messages: StoredMessage[];
  /** The sequence number of the last signal. */
  seq: number;
}

export interface StoredMessage extends Message {
  order: number;
  isBot: boolean;
}

export interface StoredFile extends NewFile {
  token: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface MockStore {
  users: Map<string, User>;
  /** User ids by key. */
  keys: Map<string, string>;
  conversations: Map<string, StoredConversation>;
  files: Map<string, StoredFile>;
  botUser: User;
  /** A number that was not used before. */
  next(): number;
  /** The time as ISO 8601; later with each call. */
  time(): string;
  id(prefix: string): string;
  createKey(userId: string): string;
  createConversation(ownerId: string, id?: string): StoredConversation;
  /** The conversation, if it is that of the user. Throws ResourceNotFound or Forbidden. */
  conversation(id: string | undefined, userId: string): StoredConversation;
  /** The message and its conversation, if it is that of the user. Throws ResourceNotFound or Forbidden. */
  message(id: string, userId: string): { message: StoredMessage; conversation: StoredConversation };
}

/** Milliseconds between two moments of the mock's clock. */
const tick = 1_000;

export function createStore(seed: number, now: (() => number) | undefined): MockStore {
  let count = 0;
  let clock = Date.UTC(2026, 0, 1, 12);
  const store: MockStore = {
    users: new Map(),
    keys: new Map(),
    conversations: new Map(),
    files: new Map(),
    botUser: { id: `user_mock${seed}bot`, name: 'Bot', createdAt: '', updatedAt: '' },
    next: () => ++count,
    time() {
      // Also with a clock of the test: two messages of one millisecond would have no order.
      clock = now ? Math.max(clock + 1, now()) : clock + tick;
      return new Date(clock).toISOString();
    },
    id: (prefix) => `${prefix}_mock${seed}x${String(store.next()).padStart(8, '0')}`,
    createKey(userId) {
      const key = `mock.${userId}.${store.next()}`;
      store.keys.set(key, userId);
      return key;
    },
    createConversation(ownerId, id = store.id('conv')) {
      const at = store.time();
      const conversation: StoredConversation = {
        ...{ id, createdAt: at, updatedAt: at, ownerId },
        messages: [],
        seq: 0,
      };
      store.conversations.set(id, conversation);
      return conversation;
    },
    conversation(id = '', userId) {
      const conversation = store.conversations.get(id);
      if (!conversation) throw notFound();
      if (conversation.ownerId !== userId) throw forbidden();
      return conversation;
    },
    message(id, userId) {
      for (const conversation of store.conversations.values()) {
        const message = conversation.messages.find((each) => each.id === id);
        if (!message) continue;
        if (conversation.ownerId !== userId) throw forbidden();
        return { message, conversation };
      }
      throw notFound();
    },
  };
  if (now) clock = now();
  store.botUser.createdAt = store.botUser.updatedAt = store.time();
  return store;
}

/** A message as clients see it. */
export function publicMessage({ order: _, isBot: __, ...message }: StoredMessage): Message {
  return message;
}

const pageSize = 50;

/** One page of a list, newest first. Throws InvalidQuery for a token that the mock did not give. */
export function page<T extends { order: number }>(items: readonly T[], token: string | null) {
  const before = token === null ? Number.POSITIVE_INFINITY : Number(/^p(\d{1,9})$/.exec(token)?.[1]);
  if (Number.isNaN(before))
    throw new Failure('InvalidQuery', 'nextToken: This is not a token of this server.');
  const rest = items.filter(({ order }) => order < before).sort((a, b) => b.order - a.order);
  const pageItems = rest.slice(0, pageSize);
  return {
    items: pageItems,
    meta: rest.length > pageSize ? { nextToken: `p${pageItems.at(-1)?.order}` } : {},
  };
}
