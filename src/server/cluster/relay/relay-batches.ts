// Packs messages of a relay into texts of limited length, and reads them again.

/** Bytes of the largest text: PostgreSQL accepts 7,999 in one notification. */
export const maxBatchBytes = 7_800;

/** One message to send. */
export interface RelayMessage {
  topic: string;
  message: string;
}

/**
 * Packs messages into texts of at most `maxBatchBytes`, in their order; each begins with `head`, a text without a
 * newline. A message that is too large for a text of its own is left out.
 */
export function packBatches(head: string, messages: readonly RelayMessage[]): string[] {
  const start = `${head}\n`;
  const capacity = maxBatchBytes - Buffer.byteLength(start);
  const batches: string[] = [];
  let batch = '';
  let bytes = 0;
  for (const { topic, message } of messages) {
    // The lengths are those of JavaScript, in UTF-16 code units.
    const entry = `${topic.length} ${message.length} ${topic}${message}`;
    const size = Buffer.byteLength(entry);
    if (size > capacity) continue;
    if (bytes + size > capacity) {
      batches.push(start + batch);
      batch = '';
      bytes = 0;
    }
    batch += entry;
    bytes += size;
  }
  if (batch !== '') batches.push(start + batch);
  return batches;
}

/** Reads a text of `packBatches`. Reading stops at anything that does not have this form. */
export function unpackBatch(text: string): { head: string; messages: RelayMessage[] } {
  const newline = text.indexOf('\n');
  const messages: RelayMessage[] = [];
  const lengths = /(\d{1,5}) (\d{1,5}) /y;
  lengths.lastIndex = newline + 1;
  for (let match = lengths.exec(text); match; match = lengths.exec(text)) {
    const [topicLength, messageLength] = [Number(match[1]), Number(match[2])];
    const middle = lengths.lastIndex + topicLength;
    const end = middle + messageLength;
    if (end > text.length) break;
    messages.push({ topic: text.slice(lengths.lastIndex, middle), message: text.slice(middle, end) });
    lengths.lastIndex = end;
  }
  return { head: text.slice(0, newline), messages };
}
