// The words of the Admin API (SPEC "Bot"): what an administrator sees of a bot. Types only; no I/O.

/** A bot of the workspace. */
export interface Bot {
  id: string;
  /** ISO 8601, as the other times. */
  createdAt: string;
  updatedAt: string;
  name: string;
  /** When the server last started with the bot's code. */
  deployedAt: string;
}
