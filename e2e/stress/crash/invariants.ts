// The invariants of the crash test, which must hold after any number of kills. They are checked on the received and
// stored data.
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
  const faults: string[] = [];
  const count = { lost: 0, duplicated: 0 };
  const ids = messages.map(({ id }) => id);
  const byVisitors = messages.filter((message) => clientMessageId(message) !== undefined);
  const eventOf = new Set(delivered.map(({ messageId }) => messageId));
  const texts = messages.map(textOf);

  for (const { name, acknowledged, receivedIds: received, streamOpenings: openings } of writers) {
    for (const { id, text } of acknowledged) {
      const copies = byVisitors.filter((message) => clientMessageId(message) === text);
      if (copies.length === 0) count.lost += 1;
      if (copies.length > 1) count.duplicated += 1;
      if (copies.length !== 1 || copies[0]?.id !== id) {
        faults.push(`${text}: acknowledged as ${id}, stored as ${copies.map((copy) => copy.id)}`);
      }
    }
    const stored = byVisitors.map((message) => clientMessageId(message) ?? '').filter(isFrom(name));
    const sent = acknowledged.map(({ text }) => text);
    if (stored.join() !== sent.join()) faults.push(`${name}: sent and stored: ${difference(sent, stored)}`);
    if (received.join() !== ids.join())
      faults.push(`${name}: received and stored: ${difference(received, ids)}`);
    const restarted = openings.filter((resumed) => !resumed).length;
    if (restarted > 0) faults.push(`${name}: ${restarted} of ${openings.length} streams were not resumed`);
  }

  for (const message of byVisitors) {
    const text = textOf(message);
    if (!eventOf.has(message.id)) faults.push(`${text}: stored, but never delivered to the bot`);
    const positions = [`${text}`, `begin ${text}`, `end ${text}`].map((one) => positionsOf(texts, one));
    if (positions.some(({ length }) => length !== 1)) {
      faults.push(`${text}: message, begin and end exist ${positions.map(({ length }) => length)} times`);
    }
    const [sent = -1, begun = -1, ended = -1] = positions.flat();
    if (!(sent < begun && begun < ended)) faults.push(`${text}: answered before it was sent`);
  }
  const greetings = ['begin ', 'end '].map((one) => positionsOf(texts, one).length);
  if (greetings.join() !== '1,1')
    faults.push(`the start of the conversation was answered ${greetings} times`);
  if (messages.length !== byVisitors.length * 3 + 2)
    faults.push(`${messages.length} messages do not match the number of sent ones`);
  return { faults, count };
}

const isFrom = (name: string) => (text: string) => text.startsWith(`${name}-`);

const positionsOf = (texts: readonly string[], searched: string): number[] =>
  texts.flatMap((text, position) => (text === searched ? [position] : []));

function textOf({ payload }: Message): string {
  if (payload.type === 'text') return payload.text;
  return payload.type === 'markdown' ? payload.markdown : payload.type;
}

/** Describes how a list of messages differs from the stored ones. */
function difference(some: readonly string[], stored: readonly string[]): string {
  const position = stored.findIndex((one, index) => some[index] !== one);
  const duplicated = some.length - new Set(some).size;
  return `${some.length} and ${stored.length}, ${duplicated} duplicates in the first list; they differ at ${position}`;
}
