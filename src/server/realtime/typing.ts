// Typing indicators, in memory: at the process where they are set, and at those that have subscribers of the
// conversation. They are neither stored nor replayed, and expire by themselves.
import type { ConversationTopics, Interest } from '../cluster/relay/conversation-topics.ts';
import { createConversationEntries } from './conversation-entries.ts';
import type { ParticipantRef } from './participant-stream.ts';
import type { PubSub } from './pub-sub.ts';
import { type Frame, signalFrame } from './sse-frames.ts';

export interface Typing {
  /** See Presence.setTyping. */
  set(participant: ParticipantRef, on: boolean, timeout: number, expires?: boolean): void;
  /** The indicators of a conversation, except that of `userId`. */
  snapshot(conversationId: string, userId: string): Frame[];
}

interface Entry {
  participant: ParticipantRef;
  frame: Frame;
  timeout: number;
  expires: boolean;
  timer: NodeJS.Timeout | undefined;
  /** When it ends, on the clock of performance.now(). */
  until: number;
  /** Of an indicator that was set here: the interest in the conversation, to learn that it ended elsewhere. */
  own: Interest | undefined;
}

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

/** `topics`: undefined in a server of one process. */
export function createTyping(pubSub: PubSub, topics: ConversationTopics | undefined): Typing {
  /** By the ids of users. */
  const entries = createConversationEntries<Entry>();

  function drop(conversationId: string, userId: string): boolean {
    const entry = entries.delete(conversationId, userId);
    if (!entry) return false;
    clearTimeout(entry.timer);
    entry.own?.end();
    return true;
  }

  /** Changes the indicator in this process. `isOwn`: it was set here, and not at another process. */
  function apply(
    participant: ParticipantRef,
    on: boolean,
    timeout: number,
    expires: boolean,
    isOwn: boolean,
  ): void {
    const { conversation, user } = participant;
    const ids = { conversationId: conversation.publicId, userId: user.publicId };
    const frame = signalFrame(
      on ? { type: 'typing_started', data: { ...ids, timeout } } : { type: 'typing_stopped', data: ids },
    );
    // Acquired before the earlier entry is dropped, so that the subscription continues.
    const own = on && isOwn ? topics?.hold(conversation.id) : undefined;
    const wasShown = drop(conversation.id, user.id);
    if (on) {
      // The process where an indicator was set may be killed, so that the others end it, too.
      const ends = expires || !isOwn;
      const end = () => apply(participant, false, timeout, expires, isOwn);
      const timer = ends ? setTimeout(end, timeout).unref() : undefined;
      const until = performance.now() + timeout;
      entries.set(conversation.id, user.id, { participant, frame, timeout, expires, timer, until, own });
    }
    if ((on && expires) || on !== wasShown) pubSub.publish(conversation.id, frame, user.id);
  }

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
    topics?.send(conversation.id, 't', JSON.stringify(message));
  }

  topics?.on('t', (id, text) => {
    const [userId, publicUserId, publicId, timeout, expires, isKnown] = JSON.parse(text) as TypingMessage;
    if (isKnown && entries.get(id, userId)) return;
    const participant = { conversation: { id, publicId }, user: { id: userId, publicId: publicUserId } };
    apply(participant, timeout > 0, timeout, expires === 1, false);
  });
  topics?.on('q', (id) => {
    for (const [, { participant, expires, until, own }] of entries.list(id)) {
      const left = Math.ceil(until - performance.now());
      if (own && left > 0) send(participant, left, expires, true);
    }
  });
  // Without an interest, their end would not be noticed.
  topics?.onReleased((id) => {
    for (const [userId] of entries.list(id)) drop(id, userId);
  });

  return {
    set(participant, on, timeout, expires = false) {
      apply(participant, on, timeout, expires, true);
      send(participant, on ? timeout : 0, expires, false);
    },
    snapshot: (conversationId, userId) =>
      entries
        .list(conversationId)
        .filter(([id]) => id !== userId)
        .map(([, { frame }]) => frame),
  };
}
