// Tests of who can have streams of the inbox open, how many, and of streams that cannot be opened or are closed meanwhile.
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import { ping } from '../../protocol/signal.ts';
import { ApiError } from '../api/errors.ts';
import { createSharedTeamBus } from '../cluster/fan-out/shared-realtime.ts';
import { createMemoryRelayHub } from '../cluster/relay/memory-relay.testing.ts';
import type { TeamBus } from '../realtime/team-bus.ts';
import { type Database, DatabaseUnavailable } from '../storage/database.ts';
import { pollOptions, readStream } from '../testing.ts';
import { createInboxStreams } from './streams.ts';
import { type Inbox, useInbox } from './testing.ts';

const start = useInbox();
type Member = Awaited<ReturnType<Inbox['member']>>;

const listen = ({ server }: Inbox, { headers }: Member): Promise<Response> =>
  server.fetch('/v1/inbox/stream', { headers });

const createStreams = (
  read: () => Promise<unknown>,
  team: TeamBus = { publish: () => {}, subscribe: () => () => {}, isWatched: () => false },
) =>
  createInboxStreams({
    db: { read } as unknown as Database,
    team,
    logger: pino({ level: 'silent' }),
    now: Date.now,
    onSeen: () => {},
  });
const viewer = { workspaceId: 'ws', memberId: 'member', seesAllTeams: true };
const release = vi.fn();
const grant = { check: async () => {}, acquireSlot: async () => release };
afterEach(() => {
  vi.useRealTimers();
  release.mockClear();
});

test('a stream that the database does not let open keeps no subscription of its workspace, no slot, and no bytes', async () => {
  const end = vi.fn();
  const streams = createStreams(
    () => Promise.reject(new DatabaseUnavailable('The database does not answer.')),
    { publish: () => {}, subscribe: () => end, isWatched: () => false },
  );
  await expect(streams.open(viewer, grant)).rejects.toThrow(DatabaseUnavailable);
  expect(release).toHaveBeenCalledTimes(1);
  expect(end).toHaveBeenCalledTimes(1);
  expect(streams.backlog.bytes).toBe(0);
});

test('a stream that is closed while the counts are read is told a time after which to reconnect', async () => {
  const streams = createStreams(async () => {
    await streams.closeInSteps(0);
    return {};
  });
  const response = await streams.open(viewer, grant);
  expect(await response.text()).toMatch(/^: open\n\nretry: \d+\n\n$/);
  expect(release).toHaveBeenCalledTimes(1);
  expect(streams.backlog.bytes).toBe(0);
});

test('a stream that is closed while the counts cannot be read leaves no bytes', async () => {
  const streams = createStreams(async () => {
    await streams.closeInSteps(0);
    throw new DatabaseUnavailable('The database does not answer.');
  });
  await expect(streams.open(viewer, grant)).rejects.toThrow(DatabaseUnavailable);
  expect(release).toHaveBeenCalledTimes(1);
  expect(streams.backlog.bytes).toBe(0);
});

test('a member has as many streams open as a user of a bot, and one that ends makes room', async () => {
  const inbox = await start(undefined, { streamsPerUser: 2, MAX_STREAMS_PER_ADDRESS: 100 });
  const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
  const open = [await listen(inbox, ada), await listen(inbox, ada), await listen(inbox, ben)];
  expect(open.map(({ status }) => status)).toEqual([200, 200, 200]);
  const refused = await listen(inbox, ada);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(await refused.json()).toMatchObject({
    type: 'RateLimited',
    message: 'This member has 2 streams open. Close one, such as a tab with the inbox.',
    metadata: { retryAfter: 60 },
  });
  await open[0]?.body?.cancel();
  await expect
    .poll(async () => {
      const response = await listen(inbox, ada);
      open.push(response);
      return response.status;
    }, pollOptions)
    .toBe(200);
  for (const { body } of open.slice(1)) if (body && !body.locked) await body.cancel();
});

test('who sees conversations of other teams than before is disconnected, and has to list the conversations again', async () => {
  const inbox = await start();
  const [mia, ada, ben, cy] = [
    await inbox.member('Mia', 'manager'),
    await inbox.member('Ada'),
    await inbox.member('Ben'),
    await inbox.member('Cy'),
  ];
  await inbox.runtime('POST', '/handoff', {});
  const teamId = await mia.restrict(ada.id, ben.id);
  const all = [mia, ada, ben, cy];
  const cursorOf = async (member: Member): Promise<string> =>
    (await member.call('GET', '/changes')).body.cursor;
  const cursors = await Promise.all(all.map(cursorOf));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const streams = await Promise.all(all.map((member) => member.listen()));
  /** The clients that keep their stream and their cursor. */
  const names = async (): Promise<string[]> => {
    vi.advanceTimersByTime(15_000);
    vi.useRealTimers();
    const found = all.map(async ({ call }, n) => {
      const stream = streams[n];
      const isKept = await stream
        ?.until(({ data }) => data === ping)
        .then(
          () => true,
          () => false,
        );
      const { status, body } = await call('GET', `/changes?since=${cursors[n]}`);
      if (isKept) expect(status).toBe(200);
      else expect([status, body.type]).toEqual([410, 'TooOld']);
      return isKept ? [['Mia', 'Ada', 'Ben', 'Cy'][n] ?? ''] : [];
    });
    return (await Promise.all(found)).flat();
  };
  // Ada does not belong to it any more, and Cy does now.
  await mia.call('PUT', `/teams/${teamId}`, { memberIds: [ben.id, cy.id] });
  expect(await names()).toEqual(['Mia', 'Ben']);
  expect((await ada.act('GET', '')).status).toBe(404);
  expect((await cy.act('GET', '')).status).toBe(200);
  await Promise.all([streams[0]?.cancel(), streams[2]?.cancel()]);
});

test('a stream stays open while the database does not answer, and ends at its first answer and when the member has lost access', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const answers: (() => Promise<void>)[] = [];
  const check = async () => answers.shift()?.();
  const streams = createStreams(async () => ({}));
  const stream = readStream(await streams.open(viewer, { check, acquireSlot: async () => release }));
  const pings = () => stream.frames.filter(({ data }) => data === ping).length;
  const lost = async () => {
    throw new DatabaseUnavailable('The database does not answer.');
  };
  const broken = async () => {
    throw new Error('disk I/O error');
  };
  for (const [n, answer] of [async () => {}, lost, broken].entries()) {
    answers.push(answer);
    vi.advanceTimersByTime(15_000);
    await expect.poll(pings, pollOptions).toBe(n + 1);
  }
  expect(release).not.toHaveBeenCalled();
  // The page connects again, and asks for the changes that were not sent.
  vi.advanceTimersByTime(15_000);
  await expect.poll(() => release.mock.calls.length, pollOptions).toBe(1);
  await stream.ended;
  expect(pings()).toBe(3);

  const other = readStream(await streams.open(viewer, { check, acquireSlot: async () => release }));
  answers.push(async () => {
    throw new ApiError('Unauthorized', 'The session has ended.');
  });
  vi.advanceTimersByTime(15_000);
  await expect.poll(() => release.mock.calls.length, pollOptions).toBe(2);
  vi.useRealTimers();
  await other.ended;
});

test('a stream ends at its next ping after changes of other processes may have been lost', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const hub = createMemoryRelayHub();
  const [ownRelay, otherRelay] = [hub.connect(), hub.connect()];
  const streams = createStreams(
    async () => ({}),
    createSharedTeamBus(ownRelay, (error) => {
      throw error;
    }),
  );
  const other = createSharedTeamBus(otherRelay, (error) => {
    throw error;
  });
  const open = async () => readStream(await streams.open(viewer, grant));
  const stream = await open();
  const pings = () => stream.frames.filter(({ data }) => data === ping).length;
  vi.advanceTimersByTime(15_000);
  await expect.poll(pings, pollOptions).toBe(1);

  // The relay is interrupted, and loses a change.
  hub.fate = () => 'lost';
  other.publish(viewer.workspaceId, { kind: 'deleted', conversationId: 'c' });
  hub.fate = () => 'arrives';
  hub.gap();
  expect(release).not.toHaveBeenCalled();
  vi.advanceTimersByTime(15_000);
  await stream.ended;
  expect([pings(), release.mock.calls.length]).toEqual([1, 1]);

  // Changes before a stream was opened do not end it.
  const next = await open();
  vi.advanceTimersByTime(15_000);
  other.publish(viewer.workspaceId, { kind: 'deleted', conversationId: 'd' });
  await expect.poll(() => next.frames.map(({ data }) => data).join(), pollOptions).toContain('"d"');
  expect(release).toHaveBeenCalledTimes(1);
  await next.cancel();
});

test('a stream ends at its next ping after a change that could not be read', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const read = vi.fn(async (): Promise<unknown> => ({}));
  const team = createSharedTeamBus(createMemoryRelayHub().connect(), (error) => {
    throw error;
  });
  const stream = readStream(await createStreams(read, team).open(viewer, grant));
  read.mockRejectedValueOnce(new DatabaseUnavailable('The database does not answer.'));
  team.publish(viewer.workspaceId, { kind: 'row', conversationId: 'c' });
  await Promise.resolve();
  vi.advanceTimersByTime(15_000);
  await expect.poll(() => release.mock.calls.length, pollOptions).toBe(1);
  await stream.ended;
});

test('counts whose reads end in another order are sent in the order of the changes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const team = createSharedTeamBus(createMemoryRelayHub().connect(), (error) => {
    throw error;
  });
  const read = vi.fn(async (): Promise<unknown> => ({ mine: 0 }));
  const stream = readStream(await createStreams(read, team).open(viewer, grant));
  const change = async () => {
    team.publish(viewer.workspaceId, { kind: 'deleted', conversationId: 'c' });
    await vi.advanceTimersByTimeAsync(1_000);
  };
  let endFirst = () => {};
  read.mockImplementationOnce(() => new Promise((resolve) => (endFirst = () => resolve({ mine: 1 }))));
  read.mockImplementationOnce(async () => ({ mine: 2 }));
  await change();
  await change();
  endFirst();
  vi.useRealTimers();
  const counts = () =>
    stream.frames
      .filter(({ data }) => data.includes('inbox_counts'))
      .map(({ data }) => JSON.parse(data).data.mine);
  await expect.poll(counts, pollOptions).toEqual([0, 1, 2]);
  await stream.cancel();
});

test('a cursor of an earlier version, which does not say what its member saw, is too old', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  const { cursor } = (await ada.call('GET', '/changes')).body;
  const [kind, key] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  const earlier = Buffer.from(JSON.stringify([kind, key.slice(0, 2)])).toString('base64url');
  expect((await ada.call('GET', `/changes?since=${earlier}`)).body.type).toBe('TooOld');
  expect((await ada.call('GET', `/changes?since=${cursor}`)).status).toBe(200);
});
