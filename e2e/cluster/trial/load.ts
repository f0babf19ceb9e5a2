// The load of a trial: visitors who write until they are acknowledged, others who only listen, a visitor who is removed, and
// uploads of files.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, ChatClient, upload } from '../../../src/client/index.ts';
import { startListener, startWriter, type Writer } from '../../stress/crash/writer.ts';
import { pollUntil } from '../../support/poll.ts';
import { isTemporary, retry } from './retry.ts';

export interface LoadOptions {
  chatUrl: string;
  conversations: number;
  writersPerConversation: number;
  /** How many messages of a writer may be without an answer: then it waits. */
  window: number;
  /** Messages in a second that all writers send together at most; 0 for as many as they can. */
  rate: number;
  /** Further streams, which only listen. */
  listeners: number;
  onAcknowledged(): void;
}

export interface Guest {
  name: string;
  /** When the removal was acknowledged, and when the last signal arrived: times of `performance.now()`. */
  removedAt: number;
  heardAt: number;
  close(): void;
}

export interface Load {
  writers: Writer[];
  /** Uploads that were acknowledged. */
  files: { url: string; content: Buffer }[];
  /** Visitors who were removed while they listened. */
  guests: Guest[];
  /** Stops when everything in flight is acknowledged. */
  finish(): Promise<void>;
  close(): void;
}

/** Streams of one user who only listens. */
const streamsPerListener = 15;

export async function startLoad({
  chatUrl,
  conversations,
  writersPerConversation,
  window,
  rate,
  listeners,
  onAcknowledged,
}: LoadOptions): Promise<Load> {
  const writers: Writer[] = [];
  let isOver = false;
  const up = () => pause(50);
  const spaces: { id: string; owner: ChatClient }[] = [];

  async function createVisitor(): Promise<{ client: ChatClient; userId: string }> {
    const client = new ChatClient({ chatUrl });
    const options = { idempotencyKey: randomUUID() };
    const { user, key } = await retry(() => client.createUser({}, options));
    client.userKey = key;
    return { client, userId: user.id };
  }

  async function join(id: string, owner: ChatClient) {
    const visitor = await createVisitor();
    const options = () => ({ idempotencyKey: randomUUID() });
    const [adding, accepting] = [options(), options()];
    await retry(() => owner.addParticipant({ conversationId: id, userId: visitor.userId }, adding));
    await retry(() => visitor.client.acceptInvitation({ conversationId: id }, accepting));
    return visitor;
  }

  for (let n = 0; n < conversations; n += 1) {
    const { client: owner } = await createVisitor();
    const options = { idempotencyKey: randomUUID() };
    const { conversation } = await retry(() => owner.createConversation({}, options));
    const { id } = conversation;
    spaces.push({ id, owner });
    const clients = [owner];
    while (clients.length < writersPerConversation) clients.push((await join(id, owner)).client);
    for (const [index, client] of clients.entries()) {
      const name = `conversation${n}writer${index}`;
      /** Milliseconds between two messages of a writer, and when the next one is due. */
      const interval = rate > 0 ? (conversations * writersPerConversation * 1_000) / rate : 0;
      let due = performance.now() + Math.random() * interval;
      writers.push(
        startWriter({
          client,
          conversationId: id,
          name,
          up,
          onAcknowledged,
          mayRetry: isTemporary,
          beforeEach: async (writer) => {
            // A message and its two answers, and those of the others.
            const answered = () => writer.receivedIds.length / (3 * clients.length);
            await pollUntil(
              `${name} has its answers`,
              () => isOver || writer.acknowledged.length - answered() <= window,
              { timeoutMs: Number.POSITIVE_INFINITY },
            );
            // In short parts, because the load may be over meanwhile. Who was late does not make up for it.
            while (!isOver && performance.now() < due) await pause(Math.min(due - performance.now(), 1_000));
            due = Math.max(performance.now(), due) + interval;
          },
        }),
      );
    }
  }
  /** A user may have 20 streams. */
  const listening: ChatClient[] = [];
  for (let n = 0; n < listeners; n += 1) {
    const space = n % spaces.length;
    const { id, owner } = spaces[space] as (typeof spaces)[number];
    if (Math.floor(n / spaces.length) % streamsPerListener === 0) {
      listening[space] = (await join(id, owner)).client;
    }
    writers.push(
      startListener({ client: listening[space] ?? owner, conversationId: id, name: `listener${n}` }),
    );
  }

  const files: Load['files'] = [];
  const uploader = (async () => {
    const { client } = await createVisitor();
    for (let n = 0; !isOver; n += 1) {
      const content = Buffer.alloc(20_000 + n, `file ${n} `);
      // A new file after an upload that failed for good: only what was acknowledged counts.
      const url = await retry(async () => {
        const { file } = await client.createFile({ key: `file-${n}.txt`, size: content.length });
        await upload({ uploadUrl: file.uploadUrl, blob: new Blob([new Uint8Array(content)]) });
        return file.url;
      });
      files.push({ url, content });
      await pause(50);
    }
  })();
  uploader.catch(() => {});

  const guests: Guest[] = [];
  const removals = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const { id, owner } = spaces[n % spaces.length] as (typeof spaces)[number];
      await removeOne(id, owner, `guest${n}`);
      await pause(2_000);
    }
  })();
  removals.catch(() => {});

  /** Removes a guest who listens, and goes on listening as this guest. */
  async function removeOne(id: string, owner: ChatClient, name: string): Promise<void> {
    const { client, userId } = await join(id, owner);
    const guest: Guest = {
      name,
      removedAt: Number.POSITIVE_INFINITY,
      heardAt: 0,
      close: () => stream.close(),
    };
    const stream = client.listen(id, {
      onSignal: () => {
        guest.heardAt = performance.now();
      },
    });
    guests.push(guest);
    await pollUntil(`${name} listens`, () => guest.heardAt > 0 || isOver, { timeoutMs: 300_000 });
    await retry(() =>
      owner.removeParticipant({ conversationId: id, userId }).catch((error: unknown) => {
        // The request before has done it, and its response was lost.
        if (!(error instanceof ApiError && error.code === 404)) throw error;
      }),
    );
    guest.removedAt = performance.now();
  }

  return {
    writers,
    files,
    guests,
    async finish() {
      isOver = true;
      await Promise.all([...writers.map((writer) => writer.finish()), uploader, removals]);
    },
    close() {
      for (const { close } of [...writers, ...guests]) close();
    },
  };
}
