// Sends what the visitor writes, in the order it was written. What fails stays in the transcript with its text.
import type { ChatCaller } from '../../client/caller.ts';
import { clientMessageIdKey, type Message, type Payload } from '../../protocol/message.ts';
import { newId } from './ids.ts';
import { persist } from './patience.ts';
import { answersKey } from './rows.ts';
import type { Store } from './store.ts';

export interface Outbox {
  /** Resolves when the server has the message. `answers`: the id of the question whose button was pressed. */
  send(payload: Payload, answers?: string): Promise<void>;
  /** Tries a failed message again. */
  retry(key: string): void;
}

export interface OutboxOptions {
  client: ChatCaller;
  store: Store;
  /** The present visit; what was written in one goes out in it, or not at all. */
  getSignal(): AbortSignal;
  /** Gives the conversation, once there is one. */
  getConversation(): Promise<string>;
  /** Whether the server knows a message again that is sent twice. */
  canRepeat(): boolean;
  onSent(message: Message): void;
  /** Gives the error that `send` rejects with. */
  onFailed(error: unknown): Error;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { client, store, getSignal, getConversation, canRepeat, onSent, onFailed } = options;
  let last: Promise<unknown> = Promise.resolve();

  const post = (key: string, payload: Payload, answers?: string): Promise<void> => {
    const signal = getSignal();
    const work = last.then(async () => {
      signal.throwIfAborted();
      const conversationId = await getConversation();
      signal.throwIfAborted();
      const metadata = { [clientMessageIdKey]: key, ...(answers && { [answersKey]: answers }) };
      const input = { conversationId, payload, metadata };
      const attempt = () => client.createMessage(input, { signal, idempotencyKey: key });
      // A server that would store it twice is not asked twice without the visitor.
      const { message } = await persist(attempt, { signal, attempts: canRepeat() ? 3 : 1 });
      signal.throwIfAborted();
      onSent(message);
    });
    last = work.catch(() => {});
    return work.catch((error) => {
      // Its own signal may have come though the answer did not: then it is there.
      if (store.state.rows.some((row) => row.key === key && row.id)) return;
      store.setStatus(key, 'failed');
      throw onFailed(error);
    });
  };

  return {
    async send(payload, answers) {
      const key = newId();
      store.addOutgoing(key, payload, answers);
      await post(key, payload, answers);
    },
    retry(key) {
      const row = store.state.rows.find((candidate) => candidate.key === key);
      if (row?.status !== 'failed') return;
      store.setStatus(key, 'sending');
      post(key, row.payload, row.answers).catch(() => {});
    },
  };
}
