// A visitor of `npm run test:stress crash`: says one thing after the other, each until it is acknowledged, and hears everything. It
// judges nothing.
import { type ChatClient, NetworkError } from '../../../src/client/index.ts';
import { clientMessageIdKey, type Message } from '../../../src/protocol/message.ts';

/** A message that the server has answered with 201. */
interface Acknowledged {
  id: string;
  text: string;
}

export interface Writer {
  name: string;
  conversationId: string;
  acknowledged: Acknowledged[];
  /** Requests for messages: more than messages, where no answer came. */
  attempts: number;
  /** Messages that had been stored when the server was killed before it could say so. */
  unsaid: number;
  /** Ids of messages as the stream brought them. */
  heard: string[];
  /** What the stream said each time it was opened: whether it goes on where it was. */
  openings: boolean[];
  /** The messages of the conversation as the server has them, oldest first. */
  listed(): Promise<Message[]>;
  /** The server is there again: the stream need not wait for its next attempt. */
  wake(): void;
  /** Says no more, when what is being said is acknowledged. Rejects when the server refused something. */
  finish(): Promise<void>;
  /** Ends the stream. */
  close(): void;
}

interface WriterOptions {
  client: ChatClient;
  conversationId: string;
  name: string;
  /** Resolves when the server is there, at once when it is there already. */
  up(): Promise<void>;
  onAcknowledged(): void;
}

export function startWriter({ client, conversationId, name, up, onAcknowledged }: WriterOptions): Writer {
  let isOver = false;
  const acknowledged: Acknowledged[] = [];
  const heard: string[] = [];
  const openings: boolean[] = [];
  const stream = client.listen(conversationId, {
    // From the beginning: also what was said before the stream was there.
    lastEventId: '0',
    onOpen: ({ resumed }) => openings.push(resumed),
    onSignal(signal) {
      if (signal.type === 'message_created') heard.push(signal.data.id);
    },
  });
  const writer: Writer = {
    name,
    conversationId,
    acknowledged,
    attempts: 0,
    unsaid: 0,
    heard,
    openings,
    listed: async () => (await client.list.messages({ conversationId }).collect()).reverse(),
    wake: () => stream.wake(),
    async finish() {
      isOver = true;
      await written;
    },
    close: () => stream.close(),
  };

  /** The same key each time: the server may have stored what it did not live to acknowledge. */
  async function say(text: string): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      writer.attempts += 1;
      const at = Date.now();
      try {
        const { message } = await client.createMessage(
          { conversationId, payload: { type: 'text', text }, metadata: { [clientMessageIdKey]: text } },
          { idempotencyKey: text },
        );
        if (!isFirst && Date.parse(message.createdAt) < at) writer.unsaid += 1;
        acknowledged.push({ id: message.id, text });
        onAcknowledged();
        return;
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        await up();
      }
    }
  }

  const written = (async () => {
    for (let n = 0; !isOver; n += 1) await say(`${name}-${n}`);
  })();
  // Seen by `finish`.
  written.catch(() => {});
  return writer;
}
