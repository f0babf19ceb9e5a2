// Sends the visitor's messages in order, and retries until the server has stored or refused each one. Unsent messages
// stay in the transcript and in the browser's storage, so they survive a reload.
import type { ChatClientBase } from '../../../../client/chat/caller.ts';
import { NetworkError } from '../../../../client/core/errors.ts';
import { platformError } from '../../../../protocol/error.ts';
import {
  clientMessageIdKey,
  isMessage,
  type Message,
  type Payload,
  type UnsentMessage,
} from '../../../../protocol/message.ts';
import type { SessionStorage } from '../../../launcher-chat-interface.ts';
import { answersKey } from '../../store/rows.ts';
import type { Store } from '../../store/store.ts';
import { isRefusal } from '../errors.ts';
import { newId } from '../ids.ts';
import { retryWithBackoff } from '../retry.ts';
import type { ConversationConnection } from './connection-interface.ts';

export interface Outbox {
  /**
   * Resolves when the server has stored the message. `answers`: the id of the question whose button was pressed;
   * `supersedes`: the id of the message whose place it takes.
   */
  send(payload: Payload, answers?: string, supersedes?: string): Promise<void>;
  /** Retries a message: ends its pause if it waits for the next attempt, or enqueues it again if it was refused. */
  retry(key: string): void;
  /** Removes a message that the server does not have from the transcript. */
  discard(key: string): void;
  /** Adds the unsent messages of an earlier page view to the transcript and sends them. Can be called repeatedly. */
  restore(): void;
}

export interface OutboxOptions {
  client: ChatClientBase;
  store: Store;
  storage: SessionStorage;
  /** Returns the key of the user of `init`, if the server was not reached as that user yet. */
  getInitialKey(): string | undefined;
  /** Returns the signal of the present scope. */
  getSignal(): AbortSignal;
  /** Resolves to the conversation when it is joined. */
  getConversation(): Promise<ConversationConnection>;
  /** Lists messages back to this time if the server would store a repeated message of then again, to find the first. */
  findStored(since: string): Promise<unknown>;
  onSent(message: Message): void;
  /** Reports a failed attempt to the page, and returns the error that `send` rejects with. */
  report(error: unknown): Error;
  /** Called when the server refuses the user or the conversation. */
  onRefused(): void;
}

/** A message that is sent, or waits for its turn. */
interface Sending {
  key: string;
  /** An earlier attempt may have stored it already. */
  mayBeStored: boolean | undefined;
  isRestored: boolean | undefined;
  /** Its row is stored, or was removed: if it is restored, that has its own turn. */
  isOver: boolean;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const {
    client,
    store,
    storage,
    getInitialKey,
    getSignal,
    getConversation,
    findStored,
    onSent,
    report,
    onRefused,
  } = options;
  let last: Promise<unknown> = Promise.resolve();
  /** Pending while unsent messages of the record are sent: those that were written here come after them. */
  let restored: Promise<unknown> = last;
  /** Ends the pause before the next attempt. */
  let wake = () => {};

  const find = (key: string) => store.state.rows.find((row) => row.key === key);
  /** The valid unsent messages of the browser's record, which other code on the page may have changed. */
  const readUnsent = (): UnsentMessage[] => {
    const unsent: unknown = storage.read().unsent;
    return Array.isArray(unsent) ? unsent.filter(isMessage) : [];
  };
  const saveUnsent = (key: string, ...message: UnsentMessage[]) => {
    const all = [...readUnsent().filter(({ id }) => id !== key), ...message];
    storage.write({ unsent: all.length > 0 ? all : undefined });
  };

  /** Sends a message until it is stored. */
  const deliver = async (sending: Sending, signal: AbortSignal): Promise<void> => {
    const { key } = sending;
    /** Only the first failure of a message is reported to the page. */
    let isReported = false;
    const throwIfRemoved = () => {
      if (sending.isOver && !find(key)?.id) throw platformError('discarded', 'The message was discarded.');
    };
    const attempt = async () => {
      // Before the conversation: after a logout, it would start the chat again.
      throwIfRemoved();
      const conversation = await getConversation();
      if (!sending.isRestored) await restored;
      signal.throwIfAborted();
      if (sending.mayBeStored) {
        await findStored(find(key)?.createdAt ?? '').catch((error) => {
          if (!signal.aborted && isRefusal(error)) onRefused();
          throw error;
        });
      }
      throwIfRemoved();
      const row = find(key);
      if (!row || row.id) return;
      store.setStatus(key, 'sending');
      sending.mayBeStored = true;
      const { payload, answers, supersedes } = row;
      const metadata = { [clientMessageIdKey]: key, ...(answers && { [answersKey]: answers }) };
      const input = { conversationId: conversation.id, payload, metadata, ...(supersedes && { supersedes }) };
      // In another conversation the same message needs another idempotency key.
      const call = client.createMessage(input, { signal, idempotencyKey: key + conversation.id });
      const { message } = await call.catch(async (error) => {
        // Distinguishes a refusal of the message from a refusal of the user or the conversation.
        if (isRefusal(error) && (await conversation.refresh().then(() => 0, isRefusal))) onRefused();
        throw error;
      });
      signal.throwIfAborted();
      // Its signal has come before, and then that it was deleted, or that another message has taken its place.
      if (!find(key)) return;
      onSent(message);
      // A success without the message is from a proxy or a captive portal.
      if (!find(key)?.id) throw new NetworkError('The server could not be reached, or its answer was cut.');
    };
    const onFailure = (error: unknown) => {
      if (!isReported) report(error);
      isReported = true;
      for (const row of store.state.rows) if (row.status === 'sending') store.setStatus(row.key, 'queued');
    };
    const onPause = (resume: () => void) => {
      wake = resume;
    };
    try {
      await retryWithBackoff(attempt, { signal, onFailure, onPause });
    } catch (error) {
      // Another scope has started and is responsible for the message.
      if (!sending.isOver && signal.aborted && !getSignal().aborted) return deliver(sending, getSignal());
      // If its signal has arrived without the response, the message is stored.
      if (!find(key)?.id) throw error;
    }
  };

  const enqueue = (key: string, mayBeStored?: boolean, isRestored?: boolean): Promise<void> => {
    const signal = getSignal();
    const sending: Sending = { key, mayBeStored, isRestored, isOver: false };
    const work = (isRestored ? restored : last).then(() => deliver(sending, signal));
    const ended = work.catch(() => {});
    if (isRestored) restored = ended;
    else last = ended;
    // The response or the message's own signal, whichever arrives first, confirms that the message is stored.
    const end = store.observe(() => {
      const row = find(key);
      if (sending.isOver || (row && !row.id)) return;
      sending.isOver = true;
      if (row) saveUnsent(key);
      // Deferred until the first call has returned and `end` is assigned.
      void Promise.resolve().then(() => end());
    });
    return work.catch((error) => {
      if (!sending.isOver) store.setStatus(key, 'failed');
      throw report(error);
    });
  };

  const send: Outbox['send'] = (payload, answers, supersedes) => {
    const now = new Date().toISOString();
    // The clock of this device may be behind: if the message fails, it stays below those that it follows.
    const newest = store.state.rows.findLast(({ id }) => id)?.createdAt ?? now;
    const createdAt = now > newest ? now : newest;
    const initialKey = getInitialKey();
    // After a reload, it is sent as nobody else.
    const userKey = initialKey === storage.read().userKey ? undefined : initialKey;
    const message = { id: newId(), payload, createdAt, answers, supersedes, userKey };
    store.addOutgoing(message, 'sending');
    saveUnsent(message.id, message);
    return enqueue(message.id);
  };

  return {
    send,
    retry(key) {
      if (find(key)?.status === 'queued') wake();
      if (find(key)?.status !== 'failed') return;
      store.setStatus(key, 'sending');
      // An earlier attempt without a response may have stored it.
      enqueue(key, true).catch(() => {});
    },
    discard(key) {
      store.remove(key);
      saveUnsent(key);
      wake();
    },
    restore() {
      for (const message of readUnsent()) {
        // With a key, it waits for the login of its writer (recordAfterLogin).
        if (find(message.id) || message.userKey) continue;
        store.addOutgoing(message, 'queued');
        enqueue(message.id, true, true).catch(() => {});
      }
    },
  };
}
