// What must hold after any number of kills, each broken law in one line. It looks at what was seen and what is stored, and
// asks nobody.
import { clientMessageId, type Message } from '../../../src/protocol/message.ts';
import type { Writer } from './writer.ts';

/** An event as the bot wrote it down. */
export interface Delivered {
  id: string;
  type: string;
  messageId?: string;
  preview: string;
}

/** What a conversation came to. */
export interface Evidence {
  writers: readonly Writer[];
  /** The messages as they are listed, oldest first. */
  messages: readonly Message[];
  /** Every event that the bot was given, in order. */
  delivered: readonly Delivered[];
}

export interface Count {
  lost: number;
  doubled: number;
}

/** The broken laws of one conversation. */
export function judge({ writers, messages, delivered }: Evidence): { faults: string[]; count: Count } {
  const faults: string[] = [];
  const count = { lost: 0, doubled: 0 };
  const ids = messages.map(({ id }) => id);
  const byVisitors = messages.filter((message) => clientMessageId(message) !== undefined);
  const eventOf = new Set(delivered.map(({ messageId }) => messageId));
  const words = messages.map(wordsOf);

  for (const { name, acknowledged, heard, openings } of writers) {
    for (const { id, text } of acknowledged) {
      const copies = byVisitors.filter((message) => clientMessageId(message) === text);
      if (copies.length === 0) count.lost += 1;
      if (copies.length > 1) count.doubled += 1;
      if (copies.length !== 1 || copies[0]?.id !== id) {
        faults.push(`${text}: acknowledged as ${id}, stored as ${copies.map((copy) => copy.id)}`);
      }
    }
    const stored = byVisitors.map((message) => clientMessageId(message) ?? '').filter(isOf(name));
    const said = acknowledged.map(({ text }) => text);
    if (stored.join() !== said.join()) faults.push(`${name}: said and stored: ${difference(said, stored)}`);
    if (heard.join() !== ids.join()) faults.push(`${name}: heard and stored: ${difference(heard, ids)}`);
    const restarted = openings.filter((resumed) => !resumed).length;
    if (restarted > 0) faults.push(`${name}: ${restarted} of ${openings.length} streams went on elsewhere`);
  }

  for (const message of byVisitors) {
    const text = wordsOf(message);
    if (!eventOf.has(message.id)) faults.push(`${text}: stored, and never given to the bot`);
    const places = [`${text}`, `begin ${text}`, `end ${text}`].map((one) => placesOf(words, one));
    if (places.some(({ length }) => length !== 1)) {
      faults.push(`${text}: message, begin and end are there ${places.map(({ length }) => length)} times`);
    }
    const [said = -1, begun = -1, ended = -1] = places.flat();
    if (!(said < begun && begun < ended)) faults.push(`${text}: answered before it was said`);
  }
  const greetings = ['begin ', 'end '].map((one) => placesOf(words, one).length);
  if (greetings.join() !== '1,1')
    faults.push(`the start of the conversation was answered ${greetings} times`);
  if (messages.length !== byVisitors.length * 3 + 2) faults.push(`${messages.length} messages are too many`);
  return { faults, count };
}

const isOf = (name: string) => (text: string) => text.startsWith(`${name}-`);

const placesOf = (words: readonly string[], wanted: string): number[] =>
  words.flatMap((text, place) => (text === wanted ? [place] : []));

function wordsOf({ payload }: Message): string {
  if (payload.type === 'text') return payload.text;
  return payload.type === 'markdown' ? payload.markdown : payload.type;
}

/** How the messages that one side has differ from those that are stored. */
function difference(some: readonly string[], stored: readonly string[]): string {
  const place = stored.findIndex((one, index) => some[index] !== one);
  const doubled = some.length - new Set(some).size;
  return `${some.length} and ${stored.length}, ${doubled} of the first twice; place ${place} differs`;
}
