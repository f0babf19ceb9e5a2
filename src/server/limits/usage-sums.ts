// The usage of the owners of messages that are stored together: what the database had, and what the messages add.
import type { UsageSums } from '../api/quota-interface.ts';
import type { AddedUsage, UsageRow } from '../storage/cluster/usage-parts.ts';

/** `rows`: the usage as it is stored; an owner without one has none. `hour`: clock hours since 1970. */
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
