// Seeds long conversations directly into the server's database while the server is stopped, because ten thousand
// messages through the API would take minutes. The rows are written by the server's own storage functions.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUserKeys } from '../src/server/auth/user-keys.ts';
import { insertConversation } from '../src/server/storage/chat/conversations.ts';
import { insertMessages } from '../src/server/storage/chat/new-messages.ts';
import { insertParticipant } from '../src/server/storage/chat/participants.ts';
import { insertUser } from '../src/server/storage/chat/users.ts';
import { createId } from '../src/server/storage/ids.ts';
import { openSqlite } from '../src/server/storage/sqlite.ts';
import { message } from './texts.ts';

/** The fields of `StoredSession` (src/widget/launcher-chat-interface.ts) that resume a seeded conversation. */
export interface SeededSession {
  userKey: string;
  userId: string;
  conversationId: string;
}

/** Milliseconds between two messages: short enough for groups, long enough for day separators. */
const step = 3 * 60_000;

/** Creates one conversation of each length. The newest messages are the same in all of them, for comparison. */
export async function seedConversations(
  folder: string,
  lengths: readonly number[],
): Promise<Map<number, SeededSession>> {
  const keys = createUserKeys((await readFile(join(folder, 'user-key-secret'), 'utf8')).split('\n')[0] ?? '');
  const db = await openSqlite(join(folder, 'platform.db'));
  const now = Date.now();
  const sessions = new Map<number, SeededSession>();
  for (const length of lengths) {
    sessions.set(
      length,
      await db.write(async (tx) => {
        const bot = await tx.get<{ id: string; userId: string }>('SELECT id, user_id FROM bots');
        if (!bot) throw new Error('The server has not created a bot.');
        const [userId, conversationId] = [createId('user'), createId('conv')];
        const times = { createdAt: now - length * step, updatedAt: now };
        const nobody = { foreignId: null, name: null, pictureUrl: null, profile: null, keysValidAfter: null };
        await insertUser(tx, { id: userId, botId: bot.id, ...nobody, ...times });
        await insertConversation(tx, {
          id: conversationId,
          botId: bot.id,
          foreignId: null,
          ownerId: userId,
          seq: length,
          channel: 'channel',
          messageCount: 0,
          hasHandling: 0,
          ...times,
        });
        await insertParticipant(tx, conversationId, userId);
        for (let seq = 1; seq <= length; seq++) {
          const age = length - seq;
          const isBot = age % 2 === 0;
          const row = {
            id: createId('msg'),
            conversationId,
            seq,
            userId: isBot ? bot.userId : userId,
            userForeignId: null,
            isBot: Number(isBot),
            payload: JSON.stringify(message(age, isBot)),
            metadata: null,
            feedback: null,
            parts: null,
            createdAt: now - (age + 1) * step,
            updatedAt: null,
            isSynthetic: 0,
            supersedes: null,
            supersededBy: null,
            author: null,
          };
          await insertMessages(tx, [{ ...row, botId: bot.id, origin: null }]);
        }
        return { userKey: keys.sign(userId), userId, conversationId };
      }),
    );
  }
  await db.close();
  return sessions;
}
