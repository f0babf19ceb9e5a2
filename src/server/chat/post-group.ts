// Stores the messages of several visitors in one transaction, each as if it were alone (post.ts).

import type { UsageSums } from '../api/quota-interface.ts';
import { createUsageSums } from '../limits/usage-sums.ts';
import { messageCreatedSignal } from '../realtime/event-replay.ts';
import type { ConversationRow } from '../storage/chat/conversations.ts';
import type { MessageRow } from '../storage/chat/messages.ts';
import {
  checkPosts,
  insertPostDeliveries,
  insertPosts,
  lockConversations,
} from '../storage/chat/post-groups.ts';
import { addUsages, type UsageRow } from '../storage/cluster/usage-parts.ts';
import type { WriteTx } from '../storage/database.ts';
import { withMessage } from './new-message.ts';
import { conditionsOf, deliveryOf, messageOf, type Post, type PostOptions } from './post.ts';

/** A post that is stored together with others. */
export interface GroupedPost extends Post {
  /**
   * Called before the message is stored: counts it in the usage, and keeps the response. When it throws, the message is
   * left out, and takes no sequence number.
   */
  accept(message: MessageRow, conversation: ConversationRow, sums: UsageSums): void;
  /** Called after the commit, when the message is published. */
  onPublished(conversation: ConversationRow): void;
  /** Called with the stored usage of the owners. Throws to roll back all posts. */
  assertWithin(usage: readonly UsageRow[], conversation: ConversationRow): void;
}

const hourMs = 60 * 60 * 1000;

/**
 * Returns a function that stores posts, and returns for each whether it is stored. A post that is not stored has to run in full,
 * which finds out why: a condition does not hold, or its response is stored already.
 */
export function createGroupPosting({ now, log, claimFor, onPosted }: PostOptions) {
  return async (tx: WriteTx, posts: readonly GroupedPost[]): Promise<boolean[]> => {
    const isStored = posts.map(() => false);
    await tx.lock(...posts.map(({ caller }) => `owner:${caller.user.id}` as const));
    const found = await lockConversations(
      tx,
      posts.map(({ chat, conversationId }) => ({ botId: chat.bot.id, id: conversationId })),
    );
    const candidates = posts.flatMap((post, n) => {
      const conversation = found[n];
      // Where a person was asked for, what the message causes depends on who answers.
      const isOfBot = conversation?.hasHandling === 0;
      return isOfBot ? [{ n, post, conversationId: conversation.id }] : [];
    });
    if (candidates.length === 0) return isStored;
    const ids = candidates.flatMap(({ post, conversationId }) => [post.caller.user.id, conversationId]);
    const { passed, usage } = await checkPosts(
      tx,
      candidates.map(({ post, conversationId }) => ({ ...conditionsOf(post), conversationId })),
      [...new Set(ids)],
    );

    const hour = Math.floor(now() / hourMs);
    const sums = createUsageSums(usage, hour);
    const conversations = new Map(found.flatMap((row) => (row ? [[row.id, row]] : [])));
    const requests = new Set<string>();
    const written: { post: GroupedPost; conversation: ConversationRow; message: MessageRow }[] = [];
    for (const [index, { n, post, conversationId }] of candidates.entries()) {
      const before = conversations.get(conversationId);
      if (!before || !passed.has(index)) continue;
      const { caller, operation, key } = post.request ?? {};
      const request = post.request && JSON.stringify([caller, operation, key]);
      if (request !== undefined && requests.has(request)) continue;
      const conversation = withMessage(before, now());
      const message = messageOf(post, conversation);
      try {
        post.accept(message, conversation, sums);
      } catch {
        // The reason is found again when the request runs in full.
        continue;
      }
      if (request !== undefined) requests.add(request);
      conversations.set(conversationId, conversation);
      written.push({ post, conversation, message });
      isStored[n] = true;
    }
    if (written.length === 0) return isStored;

    const changed = new Map(written.map(({ conversation }) => [conversation.id, conversation]));
    await insertPosts(
      tx,
      [...changed.values()],
      written.map(({ message }) => message),
    );
    for (const { conversation, message } of written) {
      const signal = messageCreatedSignal(message, conversation);
      await log.publishMessage(tx, conversation, message.seq, signal);
    }
    const events = await insertPostDeliveries(
      tx,
      written.map(({ post, message }) => ({
        ...deliveryOf(post, message),
        botId: post.chat.bot.id,
        claim: claimFor(post.chat.bot),
      })),
    );
    const botIds = new Set(written.map(({ post }) => post.chat.bot.id));
    const stored = await addUsages(tx, sums.added, botIds, hour);
    for (const { post, conversation } of written) post.assertWithin(stored, conversation);
    tx.afterCommit(() => {
      for (const [index, { post, conversation, message }] of written.entries()) {
        post.onPublished(conversation);
        const event = events[index];
        const { bot } = post.chat;
        if (event) onPosted({ bot, user: post.caller.user, conversation, message, ...event });
      }
    });
    return isStored;
  };
}
