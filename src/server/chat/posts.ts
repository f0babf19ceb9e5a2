// Stores messages of visitors whose caller was read before the transaction: conditions replace the reads of other requests.
// A database of another process gets those that arrive at the same time together, SQLite each alone.
import type { VisitorLocale } from '../../protocol/headers.ts';
import type { PageClient } from '../../protocol/interrupts.ts';
import type { Metadata, Payload } from '../../protocol/message.ts';
import type { Caller } from '../api/caller.ts';
import type { ChatEndpoint, Outcome, RequestKey, RequestQuota } from '../api/handler.ts';
import { assertMessageSize } from '../api/validation.ts';
import { createUsageSums } from '../limits/quotas.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import { checkPosts, type PostConditions } from '../storage/chat/message-conditions.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { createGroups, withoutFaultOfOthers } from '../storage/groups.ts';
import { insertRequests, type RequestRow } from '../storage/idempotency.ts';
import { addUsages, type UsageRow } from '../storage/usage.ts';
import { assertClientSize } from './new-message.ts';
import { quotaSubjectsOf } from './operations/access.ts';
import type { Draft, StoreMessages } from './store-messages.ts';

/** A message of a visitor whose key and bot were read before the transaction. */
export interface Post {
  chat: ChatEndpoint;
  caller: Caller;
  /** The foreign id or server id. */
  conversationId: string;
  content: { payload: Payload; metadata?: Metadata };
  /** The offer of the page to the bot. */
  client?: PageClient | undefined;
  locale: VisitorLocale | undefined;
  quota: RequestQuota;
  /** Bytes of the request. */
  weight: number;
  request: RequestKey | undefined;
  /** Counts the response for a repeated request, and returns its row; undefined without an Idempotency-Key. */
  keep(outcome: Outcome): RequestRow | undefined;
  respond(message: MessageRow): Outcome;
  /** Called after the commit, when the message is published. */
  onPublished(conversation: ConversationRow): void;
}

const hourMs = 60 * 60 * 1000;

/**
 * Returns a function that stores a post, and returns the response. Undefined if a condition does not hold, or the group failed for
 * another reason than the database: then the request has to run as all others do, which finds out why.
 */
export function createPosts({
  db,
  now,
  storeMessages,
}: {
  db: Database;
  now(): number;
  storeMessages: StoreMessages;
}): (post: Post) => Promise<Outcome | undefined> {
  async function storeAll(tx: WriteTx, posts: readonly Post[]): Promise<(Outcome | undefined)[]> {
    // An unfinished run has counted, too.
    for (const { quota } of posts) quota.undo();
    await tx.lock(...posts.map(({ caller }) => `owner:${caller.user.id}` as const));
    // A single post that exceeds a limit is rolled back. One of several must not affect the others.
    const { checked, usage } = await checkPosts(tx, posts.map(conditionsOf), posts.length > 1);
    const hour = Math.floor(now() / hourMs);
    const sums = createUsageSums(usage, hour);
    const outcomes: (Outcome | undefined)[] = posts.map(() => undefined);
    const responses = new Map<string, RequestRow>();
    const checks: ((usage: readonly UsageRow[]) => void)[] = [];

    const drafts = posts.flatMap((post, n): Draft[] => {
      const conversation = checked[n]?.conversation;
      if (!conversation) return [];
      const { chat, caller, content, client, locale, quota, request, onPublished } = post;
      const subjects = quotaSubjectsOf(caller, conversation);
      const responseKey = request && JSON.stringify([request.caller, request.operation, request.key]);
      return [
        {
          conversation,
          author: { ...caller.user, isBot: false, locale },
          content: { ...content, client },
          to: 'bot',
          sender: { bot: chat.bot, user: caller.user },
          accept(message) {
            if (responseKey !== undefined && responses.has(responseKey)) return false;
            try {
              const bytes = assertMessageSize(content);
              assertClientSize(client);
              const outcome = post.respond(message);
              const response = post.keep(outcome);
              // Last, because nothing is left out whose usage is counted.
              quota.sendTogether(sums, subjects, bytes);
              if (responseKey !== undefined && response) responses.set(responseKey, response);
              checks.push((stored) => quota.assertWithin(stored, subjects, bytes));
              outcomes[n] = outcome;
              return true;
            } catch {
              // The reason is found again when the request runs as all others do.
              return false;
            }
          },
          onPublished,
        },
      ];
    });
    let stored: UsageRow[] = [];
    const botIds = new Set(posts.map(({ chat }) => chat.bot.id));
    await storeMessages(tx, drafts, [
      async () => {
        stored = await addUsages(tx, sums.added, botIds, hour);
      },
      async () => responses.size > 0 && insertRequests(tx, [...responses.values()]),
    ]);
    for (const assertWithin of checks) assertWithin(stored);
    return outcomes;
  }

  const store = (posts: Post[]) => withoutFaultOfOthers(posts, () => db.write((tx) => storeAll(tx, posts)));
  if (db.isRemote) return createGroups(store, { weigh: ({ weight }) => weight });
  return async (post) => (await store([post]))[0];
}

/** The conditions under which a post is stored. */
const conditionsOf = ({
  chat: { bot },
  caller: { user, key },
  conversationId,
  request,
}: Post): PostConditions => ({
  ...{ botId: bot.id, ownKeys: bot.ownKeys, userId: user.id, keyHash: key.hash },
  ...{ keysValidAfter: user.keysValidAfter, conversationId, request },
});
