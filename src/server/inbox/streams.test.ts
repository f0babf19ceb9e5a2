// Tests of a stream of the inbox that cannot be opened, or that the server closes while it is being opened.
import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import type { Database } from '../storage/database.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { createInboxStreams } from './streams.ts';

const createStreams = (read: () => Promise<unknown>, end = () => {}) =>
  createInboxStreams({
    db: { read } as unknown as Database,
    team: { publish: () => {}, subscribe: () => end },
    logger: pino({ level: 'silent' }),
    now: Date.now,
    onSeen: () => {},
  });
const viewer = { workspaceId: 'ws', memberId: 'member', seesAllTeams: true };

test('a stream that the database does not let open keeps no subscription of its workspace, and no bytes', async () => {
  const end = vi.fn();
  const streams = createStreams(
    () => Promise.reject(new DatabaseUnavailable('The database does not answer.')),
    end,
  );
  await expect(streams.open(viewer, async () => {})).rejects.toThrow(DatabaseUnavailable);
  expect(end).toHaveBeenCalledTimes(1);
  expect(streams.backlog.bytes).toBe(0);
});

test('a stream that is closed while the counts are read is told a time after which to reconnect', async () => {
  const streams = createStreams(async () => {
    await streams.closeInSteps(0);
    return {};
  });
  const response = await streams.open(viewer, async () => {});
  expect(await response.text()).toMatch(/^: open\n\nretry: \d+\n\n$/);
  expect(streams.backlog.bytes).toBe(0);
});

test('a stream that is closed while the counts cannot be read leaves no bytes', async () => {
  const streams = createStreams(async () => {
    await streams.closeInSteps(0);
    throw new DatabaseUnavailable('The database does not answer.');
  });
  await expect(streams.open(viewer, async () => {})).rejects.toThrow(DatabaseUnavailable);
  expect(streams.backlog.bytes).toBe(0);
});
