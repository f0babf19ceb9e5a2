// The words of the Admin API (SPEC "Bot"): what an administrator sees of a bot. Types only; no I/O.

/** A bot of the workspace. */
export interface Bot {
  id: string;
  /** ISO 8601, as the other times. */
  createdAt: string;
  updatedAt: string;
  name: string;
  /** When there last was something new to run: its code, or the address of its webhook. Absent until then. */
  deployedAt?: string;
}
