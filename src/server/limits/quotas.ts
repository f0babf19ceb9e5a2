// Enforces the quotas of visitors: counts the usage of Chat API requests, in memory per address and in the transaction per
// user, conversation and bot, and rejects requests that exceed a limit.
import { ApiError } from '../api/errors.ts';
import type { CountedContent, RequestQuota, UsageSums } from '../api/handler.ts';
import { type AddedUsage, addUsage, type UsageOwners, type UsageRow } from '../storage/usage.ts';
import { wideNetworkOf, wideShare } from './client-address.ts';
import {
  type Quota,
  type QuotaLimits,
  type QuotaName,
  type QuotaPeriod,
  type QuotaUnit,
  quotaTable,
} from './settings.ts';
import type { SharedLimit, SharedUsage } from './shared-limit.ts';
import { createUsageWindows, secondsUntilNext, type Usage } from './windows.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;

/** The units that one write counts for user, conversation and bot, and whether they stay stored. */
const contents = {
  /** Messages and custom events. */
  message: { messages: 1, files: 0, isStored: true },
  file: { messages: 0, files: 1, isStored: true },
  /** Feedback counts only for the hour: at most one is stored per message of the bot. */
  feedback: { messages: 0, files: 0, isStored: false },
  /** Answers to questions of the bot count only for the hour: each is stored once, and the bot asks for it. */
  answer: { messages: 0, files: 0, isStored: false },
  /** Name, picture and profile of a user count only for the hour: each write replaces the previous one. */
  profile: { messages: 0, files: 0, isStored: false },
} as const satisfies Record<CountedContent, object>;

export interface Quotas {
  /** Counters of one request. `network`: its client network (client-address.ts). */
  request(network: string): RequestQuota;
}

/**
 * `now`: milliseconds since 1970. A missing limit or 0 means unlimited; stored data is counted nevertheless. `shared`: what
 * other processes count for an address.
 */
export function createQuotas(limits: QuotaLimits, now: () => number, shared?: SharedUsage): Quotas {
  const active = (Object.keys(quotaTable) as QuotaName[]).flatMap((name) => {
    const limit = limits[name] ?? 0;
    return limit > 0 ? [{ ...quotaTable[name], limit }] : [];
  });
  const ofAddresses = active.filter(({ scope }) => scope === 'address');
  const windows = { hour: createUsageWindows(hourMs, now), day: createUsageWindows(dayMs, now) };

  const lengths = { hour: hourMs, day: dayMs };
  const indexOf = (period: 'hour' | 'day') => Math.floor(now() / lengths[period]);
  /** By unit and period: each has at most one quota. */
  const sharedLimits = new Map<string, SharedLimit>();
  for (const { unit, period, limit } of ofAddresses) {
    if (!shared || period === 'stored') continue;
    const name = `${unit} ${period}`;
    const options = { limit, freed: 0, lifetime: 2 * lengths[period] };
    const onUsed = (key: string, used: number) => {
      const [index, network = ''] = key.split(' ');
      if (Number(index) === indexOf(period)) windows[period].of(network).set(unit, used);
    };
    sharedLimits.set(name, shared.limit(`quota ${name}`, options, onUsed));
  }

  /** The counters of an address and of its /48, each with the factor of its limit. */
  function countersOf(
    network: string,
  ): { key: string; usage: Usage; period: 'hour' | 'day'; factor: number }[] {
    const wideNetwork = wideNetworkOf(network);
    const keys = [
      { key: network, factor: 1 },
      ...(wideNetwork ? [{ key: wideNetwork, factor: wideShare }] : []),
    ];
    return (['hour', 'day'] as const).flatMap((period) =>
      ofAddresses.some((quota) => quota.period === period)
        ? keys.map(({ key, factor }) => ({ key, usage: windows[period].of(key), period, factor }))
        : [],
    );
  }

  function assertAddress(counters: ReturnType<typeof countersOf>, use: Use): void {
    for (const { key, usage, period, factor } of counters) {
      for (const quota of ofAddresses) {
        const more = use[quota.unit] ?? 0;
        if (quota.period !== period || more === 0) continue;
        const limit = quota.limit * factor;
        const free = limit - (usage.get(quota.unit) ?? 0);
        const others = sharedLimits.get(`${quota.unit} ${period}`);
        const available = others ? Math.min(free, others.available(`${indexOf(period)} ${key}`, free)) : free;
        if (more > available) throw refusal(quota, more > limit, now());
      }
    }
  }

  /** Throws when the usage with what was added exceeds a limit of one of the owners. */
  function assertRows(rows: readonly UsageRow[], owners: UsageOwners, added: Added): void {
    const rowOf = (id?: string) => rows.find((row) => row.id === id);
    const exceeded = active.filter((quota) => {
      const column = columnOf(quota);
      const row = quota.scope === 'address' ? undefined : rowOf(owners[`${quota.scope}Id`]);
      return row && column && added[column] > 0 && row[column] > quota.limit;
    });
    // Quotas of stored data first: waiting does not help with those.
    const first = exceeded.find(({ period }) => period === 'stored') ?? exceeded[0];
    if (first) throw refusal(first, first.unit === 'bytes' && added.hourBytes > first.limit, now());
  }

  return {
    request(network) {
      const undone: (() => void)[] = [];

      function addAddress(use: Use): void {
        const counters = countersOf(network);
        assertAddress(counters, use);
        for (const { key, usage, period } of counters) {
          for (const [unit, more] of Object.entries(use)) {
            const others = sharedLimits.get(`${unit} ${period}`);
            const sharedKey = `${indexOf(period)} ${key}`;
            const add = (units: number) => {
              usage.set(unit, (usage.get(unit) ?? 0) + units);
              others?.use(sharedKey, units);
            };
            add(more);
            undone.push(() => add(-more));
          }
        }
      }

      return {
        assertAvailable: (unit) => assertAddress(countersOf(network), { [unit]: 1 }),
        create: (unit) => addAddress({ [unit]: 1 }),
        async send(tx, content, owners, bytes) {
          addAddress({ messages: 1, bytes });
          const { isStored, messages, files } = contents[content];
          const rows = await addUsage(tx, owners, {
            messages,
            files,
            bytes: isStored ? bytes : 0,
            hour: Math.floor(now() / hourMs),
            hourBytes: bytes,
          });
          assertRows(rows, owners, {
            messages,
            files,
            bytes: isStored ? bytes : 0,
            hourMessages: 1,
            hourBytes: bytes,
          });
        },
        sendTogether(sums, owners, bytes) {
          addAddress({ messages: 1, bytes });
          const ids = [owners.userId, owners.conversationId, owners.botId];
          assertRows(sums.with(ids, bytes), owners, messageOf(bytes));
          sums.add(ids, bytes);
        },
        assertWithin: (rows, owners, bytes) => assertRows(rows, owners, messageOf(bytes)),
        countStoredBytes: (bytes) => addAddress({ bytes }),
        undo() {
          for (const revert of undone.splice(0)) revert();
        },
      };
    },
  };
}

type Use = Partial<Record<QuotaUnit, number>>;

type Added = Record<Exclude<keyof UsageRow, 'id' | 'hour'>, number>;

const messageOf = (bytes: number): Added => ({
  messages: 1,
  files: 0,
  bytes,
  hourMessages: 1,
  hourBytes: bytes,
});

/** The column of the database that a quota limits. */
function columnOf({ unit, period }: Quota): keyof Added | undefined {
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

/** @param isImpossible the write alone exceeds the quota, so waiting does not help. */
function refusal({ scope, unit, period }: Quota, isImpossible: boolean, now: number): ApiError {
  const quota = `${names[scope]} has reached its ${periods[period]}quota of ${unit}.`;
  if (isImpossible) {
    return new ApiError('QuotaExceeded', `This is larger than the ${periods[period]}quota of ${unit}.`);
  }
  if (period === 'stored') return new ApiError('QuotaExceeded', `${quota} Delete something to free space.`);
  const retryAfter = secondsUntilNext(period === 'hour' ? hourMs : dayMs, now);
  return new ApiError(
    'RateLimited',
    `${quota} Try again in ${retryAfter} s.`,
    { retryAfter },
    { 'retry-after': String(retryAfter) },
  );
}

/**
 * The usage of the owners of messages that are stored together: the stored usage, and the additions of the messages. `rows`:
 * the usage as it is stored; an owner without one has none. `hour`: clock hours since 1970.
 */
export function createUsageSums(rows: readonly UsageRow[], hour: number): UsageSums {
  const stored = new Map(rows.map((row) => [row.id, row]));
  const added = new Map<string, AddedUsage>();
  return {
    with: (ids, bytes) =>
      ids.map((id) => {
        const row = stored.get(id);
        const more = added.get(id);
        const messages = (more?.messages ?? 0) + 1;
        const sent = (more?.bytes ?? 0) + bytes;
        // The counters of an earlier hour begin again.
        const ofHour = row?.hour === hour ? row : undefined;
        return {
          id,
          messages: (row?.messages ?? 0) + messages,
          bytes: (row?.bytes ?? 0) + sent,
          files: row?.files ?? 0,
          hour,
          hourMessages: (ofHour?.hourMessages ?? 0) + messages,
          hourBytes: (ofHour?.hourBytes ?? 0) + sent,
        };
      }),
    add(ids, bytes) {
      for (const id of ids) {
        const before = added.get(id);
        const messages = (before?.messages ?? 0) + 1;
        const sent = (before?.bytes ?? 0) + bytes;
        added.set(id, { id, messages, bytes: sent, files: 0, hourMessages: messages, hourBytes: sent });
      }
    },
    get added() {
      return [...added.values()];
    },
  };
}
