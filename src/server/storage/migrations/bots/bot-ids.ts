// The bot in every row of a conversation.

/** The tables whose rows belong to a conversation and had no bot. `inbox_words` is an index, which is made from other rows. */
const tables = [
  'activities',
  'deleted_handlings',
  'events',
  'inbox_tags',
  'interrupts',
  'messages',
  'note_files',
  'note_mentions',
  'notes',
  'notifications',
  'participants',
  'reads',
  'return_links',
  'signals',
];

/** A bot's rows are found without reading those of others. Null if the conversation did not exist any more. */
export const botIds = tables
  .map(
    (table) => `
  ALTER TABLE ${table} ADD COLUMN bot_id TEXT;
  UPDATE ${table} SET bot_id = c.bot_id FROM conversations c WHERE c.id = ${table}.conversation_id;
  CREATE INDEX ${table}_of_bot ON ${table} (bot_id);`,
  )
  .join('\n');
