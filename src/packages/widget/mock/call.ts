// The input of an operation of the mock server, and how it finds the conversation of a request.
import type { VisitorLocale } from '../../../protocol/headers.ts';
import type { User } from '../../../protocol/user.ts';
import type { Webchat } from '../../../protocol/webchat.ts';
import type { BotRunner } from './bot.ts';
import { forbidden } from './failure.ts';
import type { SignalHub } from './signals.ts';
import type { MockStore, StoredConversation } from './store.ts';

/** One request, after its route was found and its caller identified. */
export interface Call {
  store: MockStore;
  signals: SignalHub;
  bot: BotRunner;
  webchat: Webchat;
  /** The parameters of the path. */
  path: Record<string, string>;
  body: Record<string, unknown>;
  query: URLSearchParams;
  /** The address of the chat in this request, for addresses of files. */
  base: string;
  /** The languages and the time zone of the visitor, for the bot. */
  locale: VisitorLocale | undefined;
  /** The caller; only operations without a key ignore it. */
  user: User;
}

export type Operation = (call: Call) => object;

/** The parameter `id` of the path. */
export const idOf = ({ path }: Call, name = 'id'): string => path[name] ?? '';

export const publicConversation = ({ id, createdAt, updatedAt }: StoredConversation) => ({
  id,
  createdAt,
  updatedAt,
});

/** The conversation of a body or of a path; both missing and foreign ones are Forbidden. */
export function member({ store, user }: Call, id: unknown): StoredConversation {
  const conversation = store.conversations.get(String(id));
  if (conversation?.ownerId !== user.id) throw forbidden();
  return conversation;
}
