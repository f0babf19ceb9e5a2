// Generated from src/protocol/schemas/admin/visitors.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** A visitor as an administrator sees them. `id` is the foreign id if there is one. */
export interface Visitor {
  id: string;
  /** The id that the server assigned. */
  serverId: string;
  name?: string;
  createdAt: string;
}

/**
 * Days after which data is removed; 0 keeps it. `messagesDays`: conversations with everything in them, and visitors
 * without an id of the application who have none; `filesDays`: files of visitors; `logsDays`: the log of the bot and
 * dead letters; `contactsDays`: e-mail addresses.
 */
export interface RetentionDays {
  messagesDays: number;
  filesDays: number;
  logsDays: number;
  contactsDays: number;
}
