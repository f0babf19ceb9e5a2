// SQL of the search for a resource of a bot by its tags.
import { type ConversationRow, conversationColumns } from '../chat/conversations.ts';
import { type MessageRow, selectMessages } from '../chat/messages.ts';
import type { UserRow } from '../chat/users.ts';
import type { Tx } from '../database.ts';
import { isBeingDeleted } from '../deletions.ts';
import { seesConversation, seesUser, type Viewer } from '../inbox/visibility.ts';
import { userColumns } from './lists.ts';
import { taggedWith } from './tags.ts';

type Tags = Readonly<Record<string, string>>;

/** A search by tags among what the viewer sees. `exactly`: no others. */
interface Search {
  tags: Tags;
  exactly: boolean;
  viewer: Viewer;
}

/** The oldest conversation of a bot with these tags. */
export async function conversationTagged(
  tx: Tx,
  botId: string,
  channel: string,
  { tags, exactly, viewer }: Search,
): Promise<ConversationRow | undefined> {
  const { from, where, values } = await taggedWith(tx, botId, 'c.id', tags, exactly);
  const visible = seesConversation(viewer, 'c.id');
  return tx.get(
    `SELECT ${conversationColumns('c.')} FROM ${from}conversations c ON c.id = t.resource_id
     WHERE ${where.join(' AND ')} AND c.channel = ? AND NOT ${isBeingDeleted('c.owner_id')} AND ${visible.sql}
     ORDER BY t.resource_id LIMIT 1`,
    ...values,
    channel,
    ...visible.values,
  );
}

/** The oldest user of a bot with these tags. */
export async function userTagged(
  tx: Tx,
  botId: string,
  { tags, exactly, viewer }: Search,
): Promise<UserRow | undefined> {
  const { from, where, values } = await taggedWith(tx, botId, 'u.id', tags, exactly);
  const visible = seesUser(viewer, 'u.id');
  return tx.get(
    `SELECT ${userColumns} FROM ${from}users u ON u.id = t.resource_id
     WHERE ${where.join(' AND ')} AND u.is_bot = 0 AND ${visible.sql} ORDER BY t.resource_id LIMIT 1`,
    ...values,
    ...visible.values,
  );
}

/** The oldest message of a conversation with these tags. */
export async function messageTagged(
  tx: Tx,
  botId: string,
  conversationId: string,
  tags: Tags,
  exactly: boolean,
): Promise<MessageRow | undefined> {
  const { from, where, values } = await taggedWith(tx, botId, 'm.id', tags, exactly);
  return tx.get(
    `${selectMessages.replace('FROM messages m', `FROM ${from}messages m ON m.id = t.resource_id`)}
     WHERE ${where.join(' AND ')} AND m.conversation_id = ? ORDER BY t.resource_id LIMIT 1`,
    ...values,
    conversationId,
  );
}
