// The invariants of one conversation of the crash test and of the trial of a cluster, after any number of kills: those of every chat
// (simulation/invariants.ts), and those of this bot and of these writers.
import {
  orderFaults,
  type Stored,
  screenFaults,
  storageFaults,
  unhandledFaults,
} from '../../../simulation/invariants.ts';
import { clientMessageId, type Message } from '../../../src/protocol/message.ts';
import type { Writer } from './writer.ts';

/** An event as the bot recorded it. */
export interface Delivered {
  id: string;
  type: string;
  messageId?: string;
  preview: string;
}

/** The data about one conversation. */
export interface ConversationRecord {
  writers: readonly Writer[];
  /** The stored messages, oldest first. */
  messages: readonly Message[];
  /** Every event that was delivered to the bot, in order. */
  delivered: readonly Delivered[];
}

export interface LossCount {
  lost: number;
  duplicated: number;
}

/** Returns the violated invariants of one conversation, in one line each. */
export function checkInvariants({ writers, messages, delivered }: ConversationRecord): {
  faults: string[];
  count: LossCount;
} {
  const stored = messages.map(storedOf);
  const byVisitors = stored.filter(({ isBot }) => !isBot);
  const sent = writers.flatMap(({ name, acknowledged }) =>
    acknowledged.map(({ text }) => ({ text, author: name, isAcknowledged: true, mayBeMissing: false })),
  );
  const copies = sent.map(({ text }) => byVisitors.filter((message) => message.text === text).length);
  const count = {
    lost: copies.filter((number) => number === 0).length,
    duplicated: copies.filter((number) => number > 1).length,
  };
  const handled = delivered.map(({ id, messageId }) => ({ eventId: id, conversationId: '', messageId }));
  const faults = [
    ...storageFaults(sent, stored, []),
    ...orderFaults(sent, stored),
    ...unhandledFaults(byVisitors, handled),
    ...writers.flatMap((writer) => writerFaults(writer, stored)),
    ...replyFaults(stored),
  ];
  return { faults, count };
}

/** An acknowledged message has the acknowledged id, and the stream delivered each message once, in order, without a new start. */
function writerFaults(
  { name, acknowledged, receivedIds, streamOpenings }: Writer,
  stored: readonly Stored[],
): string[] {
  const idOf = new Map(stored.map(({ id, text }) => [text, id]));
  const shown = receivedIds.map((id) => ({ id, text: '' }));
  const restarted = streamOpenings.filter((resumed) => !resumed).length;
  return [
    ...acknowledged
      .filter(({ id, text }) => idOf.has(text) && idOf.get(text) !== id)
      .map(({ id, text }) => `${text}: acknowledged as ${id}, stored as ${idOf.get(text)}`),
    ...screenFaults(
      `the stream of ${name}`,
      shown,
      stored.map((one) => ({ ...one, text: '' })),
    ),
    ...(restarted > 0 ? [`${name}: ${restarted} of ${streamOpenings.length} streams were not resumed`] : []),
  ];
}

/** The bot says `begin` and `end` once for each message and for the start of the conversation, and nothing else. */
function replyFaults(stored: readonly Stored[]): string[] {
  const texts = stored.map(({ text }) => text);
  const asked = stored.filter(({ isBot }) => !isBot).map(({ text }) => text);
  const faults: string[] = [];
  for (const text of asked) {
    const positions = [text, `begin ${text}`, `end ${text}`].map((one) => positionsOf(texts, one));
    if (positions.some(({ length }) => length !== 1)) {
      faults.push(`${text}: message, begin and end exist ${positions.map(({ length }) => length)} times`);
    }
    const [sent = -1, begun = -1, ended = -1] = positions.flat();
    if (!(sent < begun && begun < ended)) faults.push(`${text}: answered before it was sent`);
  }
  const greetings = ['begin ', 'end '].map((one) => positionsOf(texts, one).length);
  if (greetings.join() !== '1,1')
    faults.push(`the start of the conversation was answered ${greetings} times`);
  if (stored.length !== asked.length * 3 + 2)
    faults.push(`${stored.length} messages do not match the number of sent ones`);
  return faults;
}

const positionsOf = (texts: readonly string[], searched: string): number[] =>
  texts.flatMap((text, position) => (text === searched ? [position] : []));

/** The message for the invariants: the text of a visitor's message is its client id. `position`: among the stored ones. */
function storedOf(message: Message, position: number): Stored {
  const { id, conversationId, userId, payload } = message;
  const clientId = clientMessageId(message);
  const said = payload.type === 'text' ? payload.text : payload.type === 'markdown' ? payload.markdown : '';
  const text = clientId ?? said;
  return { id, conversationId, userId, isBot: clientId === undefined, text, seq: position };
}
