// The order of conversations by their last change in PostgreSQL.

/** SQLite changes an index in place, and keeps its own one. A step needs a statement. */
export const conversationPeriods = 'DROP INDEX IF EXISTS conversations_period';

/** Milliseconds of a period. A conversation changes its index once in it, and the list of a bot sorts those of one period. */
export const periodMs = 600_000;

/**
 * A new version of a row is in no index (heap-only tuples) if no column of an index has changed. So the index of conversations
 * by their last change has the period of that time instead.
 */
export const conversationPeriodsOfPostgres = `
  ALTER TABLE conversations ADD COLUMN updated_period INTEGER GENERATED ALWAYS AS (updated_at / ${periodMs}) STORED;
  DROP INDEX conversations_updated;
  CREATE INDEX conversations_updated ON conversations (bot_id, updated_period);
  `;
