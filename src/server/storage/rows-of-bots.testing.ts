// Checks that every row of a conversation has the bot of the conversation. Each test server does so when it is closed.
import type { Database } from './database.ts';

/** The tables with rows of conversations. `inbox_words` is an index of other rows, from which it is made. */
export const conversationTables = [
  'activities',
  'alerts',
  'assignments',
  'bot_logs',
  'bot_streams',
  'deleted_handlings',
  'deliveries',
  'events',
  'handlings',
  'handoffs',
  'inbox_tags',
  'interrupts',
  'invitations',
  'messages',
  'note_files',
  'note_mentions',
  'notes',
  'notifications',
  'participants',
  'person_replies',
  'ratings',
  'reads',
  'return_links',
  'searched_texts',
  'signals',
  'unanswered_messages',
];

const wrongRows = conversationTables
  .map(
    (table) => `SELECT '${table}' AS name FROM ${table} r JOIN conversations c ON c.id = r.conversation_id
      WHERE r.bot_id IS DISTINCT FROM c.bot_id`,
  )
  .join(' UNION ');

/** Throws if a row of a conversation has no bot, or that of another conversation. A test can end with a broken database. */
export async function checkBotsOfRows(db: Database): Promise<void> {
  const wrong = await db.read((tx) => tx.all<{ name: string }>(wrongRows)).catch(() => []);
  if (wrong.length === 0) return;
  const names = wrong.map(({ name }) => name).join(', ');
  throw new Error(`The bot of the conversation is missing in rows of: ${names}.`);
}
