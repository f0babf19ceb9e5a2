// Interrupts: questions of a bot that wait for a visitor. Each is settled once: answered, superseded by another message of a
// visitor, or expired. The bot receives one event for all interrupts of a message, when the last one is settled.
import type { VisitorLocale } from '../../../protocol/headers.ts';
import type { PageClient } from '../../../protocol/interrupts.ts';
import type { Part, PartOf } from '../../../protocol/parts.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import {
  forgetAnswers,
  type InterruptRow,
  insertInterrupt,
  interruptsOfMessage,
  openInterruptsOf,
  settleInterrupt,
} from '../../storage/chat/interrupts.ts';
import { findMessage, type MessageRow } from '../../storage/chat/messages.ts';
import type { WriteTx } from '../../storage/database.ts';
import type { ConversationLog } from '../conversation-log.ts';
import { storeParts } from '../message-changes.ts';
import { type Settlement, settledParts } from './settled-parts.ts';

/** The data of an interrupt that the server stores besides its part. */
export interface AskedInterrupt {
  id: string;
  /** The state that the bot gets back (JSON); null for nothing. */
  state: string | null;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

/** The interrupts of a message. `userId`: the user who can answer. */
export interface AskedInterrupts {
  userId: string;
  asked: readonly AskedInterrupt[];
}

export interface Interrupts {
  /** Stores the interrupts of a message, whose parts contain them, in the transaction that inserts it. */
  askInterrupts(tx: WriteTx, message: MessageRow, interrupts: AskedInterrupts): Promise<void>;
  /**
   * Settles interrupts of one message that are open, and returns the message. The conversation must be locked, and the rows
   * read afterwards. `locale`: of the visitor who did it; `client`: what the page offers that has answered.
   */
  settleInterrupts(
    tx: WriteTx,
    conversation: ConversationRow,
    settled: readonly (readonly [InterruptRow, Settlement])[],
    locale?: VisitorLocale | undefined,
    client?: PageClient | undefined,
  ): Promise<MessageRow | undefined>;
  /** Cancels all open interrupts of a conversation, because a visitor writes something else. Locks the conversation. */
  supersedeInterrupts(
    tx: WriteTx,
    conversation: ConversationRow,
    locale: VisitorLocale | undefined,
  ): Promise<void>;
}

export function createInterrupts(
  log: Pick<ConversationLog, 'incrementSequence' | 'appendSignal' | 'enqueueDelivery'>,
): Interrupts {
  const settleInterrupts: Interrupts['settleInterrupts'] = async (
    tx,
    conversation,
    settled,
    locale,
    client,
  ) => {
    const [[first] = []] = settled;
    for (const [{ id }, { state, by, payload, hash = null }] of settled) {
      const answer = payload === undefined ? null : JSON.stringify(payload);
      await settleInterrupt(tx, { id, state, settledBy: by, answerHash: hash, payload: answer });
    }
    const message = first && (await findMessage(tx, first.messageId));
    if (!first || !message) return undefined;
    const settlements = new Map(settled.map(([{ id }, settlement]) => [id, settlement]));
    const parts = settledParts(JSON.parse(message.parts ?? '[]') as Part[], settlements);
    const { row, seq, at } = await storeParts(tx, log, conversation, message, JSON.stringify(parts));
    const all = await interruptsOfMessage(tx, message.id);
    if (all.some(({ state }) => state === 'open')) return row;
    const cause = { conversationId: conversation.id, seq, userId: first.userId, createdAt: at };
    const data = JSON.stringify({ interrupts: eventOf(parts, all), client });
    await log.enqueueDelivery(tx, cause, { kind: 'resume', ref: message.id, data }, locale);
    await forgetAnswers(tx, message.id);
    return row;
  };

  return {
    async askInterrupts(tx, { id: messageId, conversationId }, { userId, asked }) {
      for (const { id, state, expiresAt } of asked)
        await insertInterrupt(tx, { id, conversationId, messageId, userId, botState: state, expiresAt });
    },
    settleInterrupts,
    async supersedeInterrupts(tx, conversation, locale) {
      await tx.lock(`conversation:${conversation.id}`);
      const byMessage = new Map<string, InterruptRow[]>();
      for (const row of await openInterruptsOf(tx, conversation.id))
        byMessage.set(row.messageId, [...(byMessage.get(row.messageId) ?? []), row]);
      for (const rows of byMessage.values()) {
        const settlement: Settlement = { state: 'cancelled', by: 'superseded' };
        await settleInterrupts(
          tx,
          conversation,
          rows.map((row) => [row, settlement] as const),
          locale,
        );
      }
    },
  };
}

/** The settled interrupts of a message as the bot gets them, in the order in which they were asked. */
function eventOf(parts: readonly Part[], rows: readonly InterruptRow[]): object[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return parts
    .filter((part): part is PartOf<'interrupt'> => part.type === 'interrupt')
    .flatMap(({ id }) => {
      const row = byId.get(id);
      if (!row) return [];
      return {
        id,
        status: row.state,
        by: row.settledBy,
        ...(row.payload === null ? {} : { payload: JSON.parse(row.payload) as unknown }),
        ...(row.botState === null ? {} : { state: JSON.parse(row.botState) as unknown }),
      };
    });
}
