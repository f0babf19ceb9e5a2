// Long conversations, put straight into the server's database while no server holds it: ten thousand messages through
// the API would take minutes. Refuses to invent SQL: the server's own functions write the rows.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUserKeys } from '../src/server/auth/user-keys.ts';
import { insertConversation } from '../src/server/storage/chat/conversations.ts';
import { insertMessage } from '../src/server/storage/chat/messages.ts';
import { insertParticipant } from '../src/server/storage/chat/participants.ts';
import { insertUser } from '../src/server/storage/chat/users.ts';
import { createId } from '../src/server/storage/ids.ts';
import { openSqlite } from '../src/server/storage/sqlite.ts';
import { message } from './texts.ts';

/** What a browser keeps about a visit (`StoredVisit`). */
export interface Visit {
  userKey: string;
  userId: string;
  conversationId: string;
}

/** Milliseconds between two messages: some stand in one group, and a day has its separator. */
const step = 3 * 60_000;

/** One conversation of each length. The newest messages are the same in all of them, so that they can be compared. */
export async function fill(folder: string, lengths: readonly number[]): Promise<Map<number, Visit>> {
  const keys = createUserKeys((await readFile(join(folder, 'user-key-secret'), 'utf8')).split('\n')[0] ?? '');
  const db = await openSqlite(join(folder, 'platform.db'));
  const now = Date.now();
  const visits = new Map<number, Visit>();
  for (const length of lengths) {
    visits.set(
      length,
      await db.write(async (tx) => {
        const bot = await tx.get<{ id: string; userId: string }>('SELECT id, user_id AS "userId" FROM bots');
        if (!bot) throw new Error('The server has made no bot.');
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
            createdAt: now - (age + 1) * step,
          };
          await insertMessage(tx, row, null);
        }
        return { userKey: keys.sign(userId), userId, conversationId };
      }),
    );
  }
  await db.close();
  return visits;
}
