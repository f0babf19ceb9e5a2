// The typing indicators and answer streams of conversations at all processes, for the subscribers of this one.
import type { Message } from '../../../protocol/message.ts';
import type { Signal } from '../../../protocol/signal.ts';
import type { VisitorPage } from '../../../protocol/types/visitors.ts';
import { createAnswerStreams, type ParticipantRef } from '../../realtime/answer-streams.ts';
import { createTyping, type Presence, type Typing } from '../../realtime/presence.ts';
import type { PubSub } from '../../realtime/pub-sub.ts';
import { signalFrame } from '../../realtime/sse-frames.ts';
import { createVisitorPages, type VisitorPages } from '../../realtime/visitor-pages.ts';
import type { ConversationTopics } from '../relay/conversation-topics.ts';
import { announceStreams } from './stream-announcements.ts';
import type { SharedAnswerStreams } from './stream-messages.ts';
import { type AnswerStreamMirrors, createStreamMirrors } from './stream-mirrors.ts';

export type SharedPresence = Presence &
  Pick<
    AnswerStreamMirrors,
    'publishPiece' | 'publishPart' | 'abortStream' | 'share' | 'refresh' | 'beforeDelivery'
  >;

export interface SharedPresenceOptions {
  topics: ConversationTopics;
  /** Returns a message, undefined if it was deleted. */
  readMessage(id: string): Promise<Message | undefined>;
  onError(error: unknown): void;
}

export function createSharedPresence(pubSub: PubSub, options: SharedPresenceOptions): SharedPresence {
  const { topics } = options;
  const typing = createSharedTyping(pubSub, topics);
  const streams = createAnswerStreams(pubSub, announceStreams(topics));
  let inDatabase: SharedAnswerStreams | undefined;
  const mirrors = createStreamMirrors({ ...options, pubSub, stopOwn: streams.stop });
  const { publishPiece, publishPart, abortStream, refresh, beforeDelivery } = mirrors;

  // A signal that is not in the log, as JSON.
  topics.on('o', (id, text) => pubSub.publish(id, signalFrame(JSON.parse(text) as Signal)));

  return {
    ...{ publishPiece, publishPart, abortStream, refresh, beforeDelivery },
    setTyping: typing.set,
    pages: shareVisitorPages(createVisitorPages(pubSub), topics),
    publish(conversationId, signal) {
      pubSub.publish(conversationId, signalFrame(signal));
      topics.send(conversationId, 'o', JSON.stringify(signal));
    },
    startStream: streams.start,
    stopStream: async (conversationId, streamId) =>
      streams.stop(conversationId, streamId) ?? mirrors.stop(conversationId, streamId),
    async stopStreams(conversationId) {
      await Promise.all(streams.stopAll(conversationId));
      for (const { streamId } of (await inDatabase?.read(conversationId)) ?? [])
        await inDatabase?.stop(conversationId, streamId);
    },
    snapshot: (conversationId, userId) => [
      ...typing.snapshot(conversationId, userId),
      ...streams.snapshot(conversationId),
      ...mirrors.snapshot(conversationId),
    ],
    share(shared) {
      inDatabase = shared;
      mirrors.share(shared);
    },
  };
}

/** Messages between processes: server ids, public ids, milliseconds or 0 for the end, flags as 0 or 1. */
type TypingMessage = [
  userId: string,
  publicUserId: string,
  publicConversationId: string,
  timeout: number,
  expires: number,
  /** An answer to a process that has its first subscriber; others know it already. */
  isKnown: number,
];

/**
 * Typing indicators of all processes. An indicator is at the process where it was set, and at processes with subscribers of the
 * conversation.
 */
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
      const remaining = Math.ceil(until - performance.now());
      const isOwn = onEnd !== undefined;
      if (isOwn && remaining > 0) send(participant, remaining, expires, true);
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

/** The pages of visitors whose streams are at any process: each process keeps those of its streams, and tells of them. */
function shareVisitorPages(local: VisitorPages, topics: ConversationTopics): VisitorPages {
  topics.on('g', (id, text) => {
    const [userId, page] = JSON.parse(text) as [string, VisitorPage | null];
    local.set(id, userId, page);
  });
  topics.on('w', local.look);
  return {
    follow: local.follow,
    set(conversationId, userId, page) {
      local.set(conversationId, userId, page);
      topics.send(conversationId, 'g', JSON.stringify([userId, page]));
    },
    look(conversationId, workspaceId) {
      local.look(conversationId, workspaceId);
      topics.send(conversationId, 'w', workspaceId);
    },
  };
}
