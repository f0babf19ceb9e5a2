// Writes to a conversation. Each write gets the next sequence number, is appended to the replay log, published to
// subscribers after commit and, if a visitor caused it, queued for the bot. Callers must have checked permissions.
import type { AnswerNotice } from '../notifications/due-answers.ts';
import { eventCreatedSignal } from '../realtime/event-replay.ts';
import type { Presence } from '../realtime/presence.ts';
import type { FanOut, StreamControl } from '../realtime/pub-sub.ts';
import type { TeamBus, TeamChange } from '../realtime/team-bus.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import { deleteDeliveriesAbout } from '../storage/bots/deliveries.ts';
import { deleteConversations } from '../storage/chat/conversation-deletion.ts';
import { hiddenConversation, insertConversation } from '../storage/chat/conversations.ts';
import { type EventRow, insertEvent } from '../storage/chat/events.ts';
import { deleteInterruptsOfMessage } from '../storage/chat/interrupts.ts';
import { deleteMessage } from '../storage/chat/messages.ts';
import type { PostClaim } from '../storage/chat/new-messages.ts';
import { insertParticipant } from '../storage/chat/participants.ts';
import { signalSent } from '../storage/chat/signals.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { redactResponses } from '../storage/idempotency.ts';
import { createId, publicId } from '../storage/ids.ts';
import { listedOfBots } from '../storage/inbox/bot-list.ts';
import { removeHandlings } from '../storage/inbox/handlings.ts';
import { removeDeletedText } from '../storage/inbox/searched-texts.ts';
import { releaseMessage } from '../storage/usage.ts';
import { createConversationLog } from './conversation-log.ts';
import { createHandlings } from './handling/transitions.ts';
import { createInterrupts } from './interrupts/interrupts.ts';
import { createMessageChanges } from './message-changes.ts';
import { createParticipantChanges } from './participant-changes.ts';
import { createPosts } from './posts.ts';
import { createAddMessage, createReplies, createStoreMessages, type WrittenEvent } from './store-messages.ts';
import type { Transcript } from './transcript-interface.ts';

/** The channel of a conversation that a visitor began. */
const defaultChannel = 'channel';

export interface TranscriptOptions {
  db: Database;
  fanOut: Pick<FanOut, 'publish'>;
  streamControl: StreamControl;
  presence: Pick<Presence, 'publish'>;
  now(): number;
  /** Called when a conversation has a new event for its bot. */
  onDelivery(conversationId: string): void;
  /** The delivery of the event of a message to this bot. */
  claimFor(bot: BotRow): PostClaim;
  /** Called when a visitor has sent a message, with its event. */
  onPosted(written: WrittenEvent): void;
  /** Called with the events that bots are not to handle any more, because a later message has taken the place of theirs. */
  onSuperseded(conversationId: string, eventIds: readonly string[]): void;
  /** Called when a conversation of the inbox, or a note, has changed. */
  onTeamChange(workspaceId: string, change: TeamChange): void;
  /** Whether a member looks at the conversations of the bots. */
  isWatched: TeamBus['isWatched'];
  /** Called when a person was asked for, or answers: the bot is to be silent. */
  onTakenFromBot(conversationId: string): void;
  /** The mail about an answer that its visitor does not read; undefined where no mails are sent. */
  answerNotices?: readonly AnswerNotice[] | undefined;
  /** Called when a conversation was deleted. */
  onRemoved(conversationIds: readonly string[]): void;
}

export function createTranscript(options: TranscriptOptions): Transcript {
  const { db, fanOut, streamControl, now, onDelivery, onRemoved, onTeamChange, onTakenFromBot } = options;
  const log = createConversationLog({ fanOut, now, onDelivery });
  const { incrementSequence, appendSignal, enqueueDelivery, enqueueOutgoing } = log;
  const interrupts = createInterrupts(log);
  const participants = createParticipantChanges(log, streamControl);
  const handlings = createHandlings({
    ...{ log, now, onTeamChange, onTakenFromBot, publish: options.presence.publish },
    isWatched: options.isWatched,
    answerNotices: options.answerNotices,
    ...{ ...participants, supersedeInterrupts: interrupts.supersedeInterrupts },
  });

  const storeMessages = createStoreMessages({ ...options, log, handlings, interrupts });

  async function removeConversations(tx: WriteTx, conversations: readonly { id: string }[]): Promise<void> {
    const given = conversations.map(({ id }) => id);
    const ofBots = await listedOfBots(tx, given);
    const ids = await deleteConversations(tx, given);
    const ofTeams = await removeHandlings(tx, ids, now());
    tx.afterCommit(() => {
      for (const { workspaceId, conversationId } of [...ofTeams, ...ofBots])
        onTeamChange(workspaceId, { kind: 'deleted', conversationId });
      for (const id of ids) streamControl.closeConversation(id);
      if (ids.length > 0) onRemoved(ids);
    });
  }

  return {
    async createConversation(
      tx,
      owner,
      foreignId,
      locale,
      { isByBot = false, channel = defaultChannel } = {},
    ) {
      // Foreign ids are unique: a hidden conversation, which the cleanup job would delete later, is deleted now.
      const hidden = foreignId === null ? undefined : await hiddenConversation(tx, owner.botId, foreignId);
      if (hidden) await removeConversations(tx, [hidden]);
      const at = now();
      const id = createId('conv');
      const row = {
        id,
        botId: owner.botId,
        foreignId,
        ownerId: owner.id,
        seq: 0,
        createdAt: at,
        updatedAt: at,
        channel,
        messageCount: 0,
        hasHandling: 0,
      };
      await insertConversation(tx, row);
      // The bot neither participates in its conversations nor receives an event for what it did.
      if (isByBot) return row;
      await insertParticipant(tx, id, owner.id);
      const start = { conversationId: id, seq: 0, userId: owner.id, createdAt: at };
      await enqueueDelivery(tx, start, { kind: 'conversation_started', ref: null }, locale);
      return row;
    },

    handlings,

    addMessage: createAddMessage(storeMessages, { handlings, interrupts }),
    post: createPosts({ db, now, storeMessages }),
    storeReplies: createReplies(storeMessages),

    ...createMessageChanges(log, handlings),
    ...interrupts,

    async sendWidgetSignal(tx, conversation, origin, signal) {
      if (await signalSent(tx, origin)) return;
      const { seq } = await incrementSequence(tx, conversation);
      await appendSignal(tx, conversation, seq, signal, null, { origin });
    },

    async removeMessage(tx, conversation, message) {
      if (!(await deleteMessage(tx, message.id))) return;
      await removeDeletedText(tx, message.id);
      await deleteDeliveriesAbout(tx, conversation.id, message.id);
      await deleteInterruptsOfMessage(tx, message.id);
      await releaseMessage(tx, conversation, message);
      await redactResponses(tx, message.id);
      const place = await incrementSequence(tx, conversation, -1);
      if (place.hasHandling === 1)
        await handlings.afterChange(tx, conversation.id, place, { deletedMessageId: message.id });
      const data = {
        id: message.id,
        conversationId: publicId(conversation),
        userId: message.userForeignId ?? message.userId,
      };
      await appendSignal(tx, conversation, place.seq, { type: 'message_deleted', data }, null, {
        userId: message.userId,
      });
    },

    async addEvent(tx, conversation, author, payload, { type = null, messageId = null } = {}) {
      const { seq, at } = await incrementSequence(tx, conversation);
      const row: EventRow = {
        id: createId('evt'),
        conversationId: conversation.id,
        seq,
        userId: author.id,
        userForeignId: author.foreignId,
        isBot: author.isBot ? 1 : 0,
        payload: JSON.stringify(payload),
        createdAt: at,
        type,
        messageId,
      };
      await insertEvent(tx, row, author.origin ?? null);
      await appendSignal(tx, conversation, seq, eventCreatedSignal(row, conversation), row.id);
      const delivery = { eventId: row.id, kind: 'custom', ref: row.id } as const;
      if (!author.isBot) await enqueueDelivery(tx, row, delivery, author.locale);
      else if (!author.isSilent) await enqueueOutgoing(tx, row, delivery);
      return row;
    },

    ...participants,

    removeConversations,
  };
}
