// Options of one call of the Chat API.

/** The options of one call. */
export interface CallOptions {
  /** Aborts the request; the method rejects with the abort reason. */
  signal?: AbortSignal | undefined;
  /** For creating operations: requests with the same key take effect once (not on a plain server). */
  idempotencyKey?: string;
  /** For `createUser`: the result of `solveChallenge`, if the server requires a proof of work. */
  proof?: string | undefined;
}
