// A visitor in the crash test: sends messages sequentially, each until it is acknowledged, and records its event
// stream.
import { type ChatClient, NetworkError } from '../../../src/client/index.ts';
import { clientMessageIdKey, type Message } from '../../../src/protocol/message.ts';

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

interface WriterOptions {
  client: ChatClient;
  conversationId: string;
  name: string;
  /** Resolves when the server is running. */
  up(): Promise<void>;
  onAcknowledged(): void;
  /** Whether a message is sent again after this error; by default after one of the network. */
  mayRetry?(error: unknown): boolean;
  /** Awaited before each message. */
  beforeEach?(writer: Writer): Promise<void>;
}

export function startWriter({
  client,
  conversationId,
  name,
  up,
  onAcknowledged,
  mayRetry = (error) => error instanceof NetworkError,
  beforeEach,
}: WriterOptions): Writer {
  let isOver = false;
  const acknowledged: Acknowledged[] = [];
  const received: string[] = [];
  const openings: boolean[] = [];
  const stream = client.listen(conversationId, {
    // Replay from the start, including messages from before the stream was opened.
    lastEventId: '0',
    onOpen: ({ resumed }) => openings.push(resumed),
    onSignal(signal) {
      if (signal.type === 'message_created') received.push(signal.data.id);
    },
  });
  const writer: Writer = {
    name,
    conversationId,
    acknowledged,
    attempts: 0,
    storedUnacknowledged: 0,
    receivedIds: received,
    streamOpenings: openings,
    listMessages: async () => (await client.list.messages({ conversationId }).collect()).reverse(),
    wake: () => stream.wake(),
    async finish() {
      isOver = true;
      await written;
    },
    close: () => stream.close(),
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
        acknowledged.push({ id: message.id, text });
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
