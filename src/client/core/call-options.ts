// Options of one call of the Chat API.

/** What one call may set for itself. */
export interface CallOptions {
  /** Aborts the request; the method rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** For creating operations: the same key gives the same result, once (a plain server ignores it). */
  idempotencyKey?: string;
  /** For `createUser`: what `solveChallenge` gave, where the server asked for a proof of work. */
  proof?: string | undefined;
}
