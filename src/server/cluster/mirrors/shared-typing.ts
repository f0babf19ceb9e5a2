// Typing indicators of all processes. One is at the process where it was set, and at those that have subscribers of the
// conversation.

import type { ParticipantRef } from '../../realtime/message-streams.ts';
import { createTyping, type Typing } from '../../realtime/presence.ts';
import type { PubSub } from '../../realtime/pub-sub.ts';
import type { ConversationTopics } from '../relay/conversation-topics.ts';

/** What processes tell each other: server ids, public ids, milliseconds or 0 for the end, flags as 0 or 1. */
type TypingMessage = [
  userId: string,
  publicUserId: string,
  publicConversationId: string,
  timeout: number,
  expires: number,
  /** An answer to a process that has its first subscriber; others know it already. */
  isKnown: number,
];

export function createSharedTyping(pubSub: PubSub, topics: ConversationTopics): Typing {
  const typing = createTyping(pubSub);

  function send(
    { conversation, user }: ParticipantRef,
    timeout: number,
    expires: boolean,
    isKnown: boolean,
  ): void {
    const message: TypingMessage = [
      user.id,
      user.publicId,
      conversation.publicId,
      timeout,
      expires ? 1 : 0,
      isKnown ? 1 : 0,
    ];
    topics.send(conversation.id, 't', JSON.stringify(message));
  }

  topics.on('t', (id, text) => {
    const [userId, publicUserId, publicId, timeout, expires, isKnown] = JSON.parse(text) as TypingMessage;
    if (isKnown && typing.get(id, userId)) return;
    const participant = { conversation: { id, publicId }, user: { id: userId, publicId: publicUserId } };
    // The process where it was set may be killed.
    typing.show(participant, timeout > 0, timeout, { expires: expires === 1, endsHere: true });
  });
  topics.on('q', (id) => {
    for (const { participant, expires, until, onEnd } of typing.list(id)) {
      const left = Math.ceil(until - performance.now());
      const isOwn = onEnd !== undefined;
      if (isOwn && left > 0) send(participant, left, expires, true);
    }
  });
  // Without an interest, their end would not be noticed.
  topics.onReleased(typing.forget);

  return {
    set(participant, on, timeout, expires = false) {
      // Acquired before the earlier indicator ends, so that the subscription continues.
      const interest = on ? topics.hold(participant.conversation.id) : undefined;
      typing.show(participant, on, timeout, { expires, onEnd: interest?.end });
      send(participant, on ? timeout : 0, expires, false);
    },
    snapshot: typing.snapshot,
  };
}
