// Identifies the text that a vector was computed from, so that the vector of an earlier text counts for nothing.
import { createHash } from 'node:crypto';

/** Returns 48 bits of the hash of a text: a number that JavaScript and SQLite store exactly. */
export const textHash = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6);
