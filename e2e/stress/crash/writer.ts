// A visitor in the crash test: sends messages sequentially, each until it is acknowledged, and records its event
// stream.
import { type ChatClient, NetworkError } from '../../../src/client/index.ts';
import { clientMessageIdKey, type Message } from '../../../src/protocol/message.ts';
import { pollUntil } from '../../support/poll.ts';

/** A message that the server has acknowledged with 201. */
interface Acknowledged {
  id: string;
  text: string;
}

export interface Writer {
  name: string;
  conversationId: string;
  acknowledged: Acknowledged[];
  /** The number of requests, including those without a response. */
  attempts: number;
  /** The number of messages that the killed server had stored but not acknowledged. */
  storedUnacknowledged: number;
  /** Ids of messages in the order in which the stream delivered them. */
  receivedIds: string[];
  /** Whether the stream was resumed, for each time it was opened. */
  streamOpenings: boolean[];
  /** The stored messages of the conversation, oldest first. */
  listMessages(): Promise<Message[]>;
  /** Reconnects the stream at once, because the server is running again. */
  wake(): void;
  /** Stops after the message in flight is acknowledged. Rejects if the server refused a message. */
  finish(): Promise<void>;
  /** Closes the stream. */
  close(): void;
}

interface ListenerOptions {
  client: ChatClient;
  conversationId: string;
  name: string;
}

interface WriterOptions extends ListenerOptions {
  /** Resolves when the server is running. */
  up(): Promise<void>;
  onAcknowledged(): void;
  /** Whether a message is sent again after this error; by default after one of the network. */
  mayRetry?(error: unknown): boolean;
  /** Awaited before each message. */
  beforeEach?(writer: Writer): Promise<void>;
}

/** A stream that only listens, as a writer without messages. */
export function startListener({ client, conversationId, name }: ListenerOptions): Writer {
  const receivedIds: string[] = [];
  const streamOpenings: boolean[] = [];
  const stream = client.listen(conversationId, {
    // Replay from the start, including messages from before the stream was opened.
    lastEventId: '0',
    onOpen: ({ resumed }) => streamOpenings.push(resumed),
    onSignal(signal) {
      if (signal.type === 'message_created') receivedIds.push(signal.data.id);
    },
  });
  return {
    name,
    conversationId,
    acknowledged: [],
    attempts: 0,
    storedUnacknowledged: 0,
    receivedIds,
    streamOpenings,
    listMessages: async () => (await client.list.messages({ conversationId }).collect()).reverse(),
    wake: () => stream.wake(),
    finish: async () => {},
    close: () => stream.close(),
  };
}

export function startWriter({
  up,
  onAcknowledged,
  mayRetry = (error) => error instanceof NetworkError,
  beforeEach,
  ...listener
}: WriterOptions): Writer {
  const { client, conversationId, name } = listener;
  let isOver = false;
  const writer: Writer = {
    ...startListener(listener),
    async finish() {
      isOver = true;
      await written;
    },
  };

  /** Retries with the same idempotency key, because the server may have stored the message before it was killed. */
  async function send(text: string): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      writer.attempts += 1;
      const at = Date.now();
      try {
        const { message } = await client.createMessage(
          { conversationId, payload: { type: 'text', text }, metadata: { [clientMessageIdKey]: text } },
          { idempotencyKey: text },
        );
        if (!isFirst && Date.parse(message.createdAt) < at) writer.storedUnacknowledged += 1;
        writer.acknowledged.push({ id: message.id, text });
        onAcknowledged();
        return;
      } catch (error) {
        if (!mayRetry(error)) throw error;
        await up();
      }
    }
  }

  const written = (async () => {
    for (let n = 0; !isOver; n += 1) {
      await beforeEach?.(writer);
      await send(`${name}-${n}`);
    }
  })();
  // `finish` handles the rejection.
  written.catch(() => {});
  return writer;
}

/** The writers and listeners of each conversation. */
export const byConversation = (writers: readonly Writer[]): Writer[][] =>
  [...new Set(writers.map(({ conversationId }) => conversationId))].map((id) =>
    writers.filter(({ conversationId }) => conversationId === id),
  );

/**
 * Waits until every stream has received everything, or nothing has arrived for `stallMs`: a lost message stops the progress, and the
 * invariants report it, not this wait. Each message has two answers (begin and end); so does the start of the conversation.
 */
export async function settled(conversations: readonly Writer[][], stallMs: number): Promise<void> {
  const isMissing = () =>
    conversations.some((here) => {
      const expected = here.reduce((sum, { acknowledged }) => sum + acknowledged.length * 3, 2);
      return here.some(({ receivedIds }) => receivedIds.length < expected);
    });
  const received = () => conversations.flat().reduce((sum, { receivedIds }) => sum + receivedIds.length, 0);
  let last = { count: received(), at: performance.now() };
  await pollUntil(
    'every stream has everything, or nothing arrives any more',
    () => {
      if (received() > last.count) last = { count: received(), at: performance.now() };
      return !isMissing() || performance.now() - last.at >= stallMs;
    },
    { timeoutMs: Number.POSITIVE_INFINITY, intervalMs: 100 },
  );
}

/** Sums of what the writers have done, for the figures of a run. */
export function totalsOf(writers: readonly Writer[]) {
  const sum = (of: (writer: Writer) => number) => writers.reduce((total, writer) => total + of(writer), 0);
  const acknowledged = sum((writer) => writer.acknowledged.length);
  return {
    acknowledged,
    resent: sum(({ attempts }) => attempts) - acknowledged,
    streamsOpened: sum(({ streamOpenings }) => streamOpenings.length),
    messagesReceived: sum(({ receivedIds }) => receivedIds.length),
  };
}

/** How many events the bot received, and how many of them again. */
export function eventsIn(delivered: readonly { id: string }[]) {
  const events = new Set(delivered.map(({ id }) => id)).size;
  return { events, eventsRedelivered: delivered.length - events };
}
