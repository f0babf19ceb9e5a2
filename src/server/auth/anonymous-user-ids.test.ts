// Tests of the warning about anonymous callers that choose user ids.
import { expect, test } from 'vitest';
import { createBot } from '../admin/first-start.ts';
import { createLogger } from '../startup/log.ts';
import { startTestServer } from '../testing.ts';
import { warnOfAnonymousUserIds } from './anonymous-user-ids.ts';

test('anonymous user ids: the warning is logged once if an application knows a secret of user keys, and not otherwise', async () => {
  const server = await startTestServer();
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => void lines.push(line) });
  await warnOfAnonymousUserIds(server.db, logger, false);
  expect(lines).toEqual([]);
  await warnOfAnonymousUserIds(server.db, logger, true);
  expect(lines).toEqual([expect.stringContaining('ANONYMOUS_USER_IDS')]);

  const bot = await server.db.write((tx) =>
    createBot(tx, {
      workspaceId: server.composition.workspaceId,
      webhookId: 'shop',
      name: 'Shop',
      ownKeys: 1,
      now: 1,
    }),
  );
  await warnOfAnonymousUserIds(server.db, logger, false);
  expect(lines).toHaveLength(2);
  await server.db.write((tx) => tx.run('UPDATE bots SET deleted_at = 1 WHERE id = ?', bot.id));
  await warnOfAnonymousUserIds(server.db, logger, false);
  expect(lines).toHaveLength(2);
  await server.close();
});
