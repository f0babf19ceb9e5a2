// Ids of threads and runs for agents. Some take UUIDs only (LangGraph).
import { createHash } from 'node:crypto';

/** Our own namespace for names (RFC 9562, section 5.5). */
const namespace = Buffer.from('8f0c2f6f6a0e5b0f9d3b6f1d5a7c4e21', 'hex');

/** The UUID (version 5) that belongs to a name: always the same. */
export function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-');
}
