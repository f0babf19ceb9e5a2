// Enforces the quotas of visitors: counts what a request of the Chat API uses, for its address in memory, for its user,
// conversation and bot in the transaction, and refuses what exceeds a limit.

import { ApiError } from '../api/errors.ts';
import type { WriteTx } from '../storage/database.ts';
import { addUsage, type UsageOwners, type UsageRow } from '../storage/usage.ts';
import { wideNetworkOf, wideShare } from './client-address.ts';
import {
  type Quota,
  type QuotaLimits,
  type QuotaName,
  type QuotaPeriod,
  type QuotaUnit,
  quotaTable,
} from './quota-settings.ts';
import { createWindows, secondsUntilNext, type Usage } from './windows.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** What is counted by user, conversation and bot: what it is, and how much of it stays stored. */
const contents = {
  /** Messages and custom events. */
  message: { messages: 1, files: 0, isStored: true },
  file: { messages: 0, files: 1, isStored: true },
  /** Feedback: one is kept for each message of the bot, so it counts only for the hour. */
  feedback: { messages: 0, files: 0, isStored: false },
  /** Name, picture and profile of a user: overwritten by the next, so they count only for the hour. */
  profile: { messages: 0, files: 0, isStored: false },
} as const;

export interface RequestQuota {
  /** Throws RateLimited where the address has used up its quota of `unit`. Counts nothing. */
  assertOpen(unit: 'users' | 'conversations' | 'messages'): void;
  /** Counts a new user or conversation. Throws RateLimited. */
  create(unit: 'users' | 'conversations'): void;
  /**
   * Counts one thing that a visitor sends, with its bytes as stored. Throws RateLimited for a quota of this hour or day,
   * QuotaExceeded for one of what is stored; the caller lets the error undo the transaction.
   */
  send(tx: WriteTx, content: keyof typeof contents, owners: UsageOwners, bytes: number): Promise<void>;
  /** Counts bytes that are kept beside, such as an answer that is remembered for an Idempotency-Key. Throws RateLimited. */
  keep(bytes: number): void;
  /** Gives back what was counted for the address: the request has failed. */
  undo(): void;
}

export interface Quotas {
  /** Counts for one request. `network`: where it comes from, as `client-address.ts` names it. */
  request(network: string): RequestQuota;
}

/** `now`: milliseconds since 1970. Limits that are left out or 0 are none; what is stored is counted nevertheless. */
export function createQuotas(limits: QuotaLimits, now: () => number): Quotas {
  const active = (Object.keys(quotaTable) as QuotaName[]).flatMap((name) => {
    const limit = limits[name] ?? 0;
    return limit > 0 ? [{ ...quotaTable[name], limit }] : [];
  });
  const ofAddresses = active.filter(({ scope }) => scope === 'address');
  const windows = { hour: createWindows(hour, now), day: createWindows(day, now) };

  /** The counters of an address, with how much more than one address each may have. */
  function countersOf(network: string): { usage: Usage; period: 'hour' | 'day'; factor: number }[] {
    const around = wideNetworkOf(network);
    const keys = [{ key: network, factor: 1 }, ...(around ? [{ key: around, factor: wideShare }] : [])];
    return (['hour', 'day'] as const).flatMap((period) =>
      ofAddresses.some((quota) => quota.period === period)
        ? keys.map(({ key, factor }) => ({ usage: windows[period].of(key), period, factor }))
        : [],
    );
  }

  function assertAddress(counters: ReturnType<typeof countersOf>, use: Use): void {
    for (const { usage, period, factor } of counters) {
      for (const quota of ofAddresses) {
        const more = use[quota.unit] ?? 0;
        if (quota.period !== period || more === 0) continue;
        const limit = quota.limit * factor;
        if ((usage.get(quota.unit) ?? 0) + more > limit) throw refusal(quota, more > limit, now());
      }
    }
  }

  return {
    request(network) {
      const undone: (() => void)[] = [];

      function addAddress(use: Use): void {
        const counters = countersOf(network);
        assertAddress(counters, use);
        for (const { usage } of counters) {
          for (const [unit, more] of Object.entries(use)) {
            usage.set(unit, (usage.get(unit) ?? 0) + more);
            undone.push(() => usage.set(unit, (usage.get(unit) ?? 0) - more));
          }
        }
      }

      return {
        assertOpen: (unit) => assertAddress(countersOf(network), { [unit]: 1 }),
        create: (unit) => addAddress({ [unit]: 1 }),
        async send(tx, content, owners, bytes) {
          addAddress({ messages: 1, bytes });
          const { isStored, messages, files } = contents[content];
          const rows = await addUsage(tx, owners, {
            messages,
            files,
            bytes: isStored ? bytes : 0,
            hour: Math.floor(now() / hour),
            hourBytes: bytes,
          });
          const rowOf = (id?: string) => rows.find((row) => row.id === id);
          const added = { messages, files, bytes: isStored ? bytes : 0, hourMessages: 1, hourBytes: bytes };
          const exceeded = active.filter((quota) => {
            const column = columnOf(quota);
            const row = quota.scope === 'address' ? undefined : rowOf(owners[`${quota.scope}Id`]);
            return row && column && added[column] > 0 && row[column] > quota.limit;
          });
          // What is stored first: there waiting does not help.
          const first = exceeded.find(({ period }) => period === 'stored') ?? exceeded[0];
          if (first) throw refusal(first, first.unit === 'bytes' && bytes > first.limit, now());
        },
        keep: (bytes) => addAddress({ bytes }),
        undo() {
          for (const giveBack of undone.splice(0)) giveBack();
        },
      };
    },
  };
}

type Use = Partial<Record<QuotaUnit, number>>;

/** The column of the database that a quota limits. */
function columnOf({ unit, period }: Quota): Exclude<keyof UsageRow, 'id'> | undefined {
  if (unit === 'files') return 'files';
  if (unit === 'messages') return period === 'hour' ? 'hourMessages' : 'messages';
  if (unit === 'bytes') return period === 'hour' ? 'hourBytes' : 'bytes';
  return undefined;
}

const names = {
  user: 'This user',
  conversation: 'This conversation',
  bot: 'This chat',
  address: 'This address',
} as const;

const periods: Record<QuotaPeriod, string> = { hour: 'hourly ', day: 'daily ', stored: '' };

/** @param isHopeless it alone exceeds the quota, so waiting does not help. */
function refusal({ scope, unit, period }: Quota, isHopeless: boolean, now: number): ApiError {
  const quota = `${names[scope]} has reached its ${periods[period]}quota of ${unit}.`;
  if (isHopeless) {
    return new ApiError('QuotaExceeded', `This is larger than the ${periods[period]}quota of ${unit}.`);
  }
  if (period === 'stored') return new ApiError('QuotaExceeded', `${quota} Deleting something gives room.`);
  const retryAfter = secondsUntilNext(period === 'hour' ? hour : day, now);
  return new ApiError(
    'RateLimited',
    `${quota} Try again in ${retryAfter} s.`,
    { retryAfter },
    { 'retry-after': String(retryAfter) },
  );
}
