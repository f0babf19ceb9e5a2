// The counters of one request, with which handlers count what a visitor sends or creates.
import type { AddedUsage, UsageRow } from '../storage/cluster/usage-parts.ts';
import type { WriteTx } from '../storage/database.ts';
import type { UsageOwners } from '../storage/usage.ts';

/** What is counted, each in its way (limits/quotas.ts). */
export type CountedContent = 'message' | 'file' | 'feedback' | 'answer' | 'profile';

export interface RequestQuota {
  /** Throws RateLimited when the address has used up its quota of `unit`. Counts nothing. */
  assertAvailable(unit: 'users' | 'conversations' | 'messages'): void;
  /** Counts a new user or conversation, or a mail to an address that is not confirmed. Throws RateLimited. */
  create(unit: 'users' | 'conversations' | 'mails'): void;
  /**
   * Counts one write of a visitor with its stored bytes. Throws RateLimited for an hourly or daily quota, QuotaExceeded
   * for a quota of stored data. The caller must let the error roll back the transaction.
   */
  send(tx: WriteTx, content: CountedContent, owners: UsageOwners, bytes: number): Promise<void>;
  /**
   * Counts a message that is stored together with others, as `send` does: in `sums`, which the caller stores. Throws before
   * it counts anything there.
   */
  sendTogether(sums: UsageSums, owners: Required<UsageOwners>, bytes: number): void;
  /** Throws when the usage, as it was stored with that of other messages, exceeds a limit after all. */
  assertWithin(rows: readonly UsageRow[], owners: UsageOwners, bytes: number): void;
  /** Counts additional stored bytes, such as a response that is cached for an Idempotency-Key. Throws RateLimited. */
  countStoredBytes(bytes: number): void;
  /** Reverts what was counted for the address, because the request failed. */
  undo(): void;
}

/** The usage of the owners of messages that are stored together. */
export interface UsageSums {
  /** The usage of these owners if a message with these bytes is added. */
  with(ids: readonly string[], bytes: number): UsageRow[];
  /** Adds a message to these owners. */
  add(ids: readonly string[], bytes: number): void;
  /** What was added to each owner. */
  readonly added: AddedUsage[];
}
