// Writes answers as a language model does: word by word, with pauses that end with the event.
import type { BotStream } from '../src/protocol/bot.ts';

/** Writes a text word by word, until the visitor stops the answer. */
export async function write(answer: BotStream, text: string): Promise<void> {
  for (const piece of text.match(/\s*\S+/g) ?? []) {
    if (answer.signal.aborted) return;
    answer.write(piece);
    await pause(40, answer.signal);
  }
}

/** Waits; rejects when the event ends. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
