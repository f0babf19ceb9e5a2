// Tests that a stream of the inbox leaves nothing behind when it cannot be opened.
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { Database } from '../storage/database.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { createInboxStreams } from './streams.ts';

test('a stream that the database does not let open keeps no subscription of its workspace', async () => {
  const end = vi.fn();
  const streams = createInboxStreams({
    db: {
      read: () => Promise.reject(new DatabaseUnavailable('The database does not answer.')),
    } as unknown as Database,
    team: { publish: () => {}, subscribe: () => end },
    logger: pino({ level: 'silent' }),
    now: Date.now,
    onSeen: () => {},
  });
  const viewer = { workspaceId: 'ws', memberId: 'member', seesAllTeams: true };
  await expect(streams.open(viewer, async () => {})).rejects.toThrow(DatabaseUnavailable);
  expect(end).toHaveBeenCalledTimes(1);
});
