// Sends what the visitor writes, in the order it was written, until the server has it or refuses it. What is not there
// yet stays in the transcript and in the browser, also over a reload.
import type { ChatClientBase } from '../../../client/caller.ts';
import { NetworkError } from '../../../client/errors.ts';
import { platformError } from '../../../protocol/error.ts';
import {
  clientMessageIdKey,
  isMessage,
  type Message,
  type Payload,
  type UnsentMessage,
} from '../../../protocol/message.ts';
import type { SessionStorage } from '../../launcher-chat-interface.ts';
import { answersKey } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { ConversationConnection } from './conversation-connection.ts';
import { isRefusal } from './errors.ts';
import { newId } from './ids.ts';
import { retryWithBackoff } from './retry.ts';

export interface Outbox {
  /** Resolves when the server has the message. `answers`: the id of the question whose button was pressed. */
  send(payload: Payload, answers?: string): Promise<void>;
  /** Tries a message again: at once, if it waits for its next attempt; anew, if it was refused. */
  retry(key: string): void;
  /** Sends the visitor's last message before this row again, as a new one. */
  sendAgain(key: string): void;
  /** Removes a message that the server does not have from the transcript. */
  discard(key: string): void;
  /** Puts what an earlier page view could not send into the transcript, and sends it. Harmless when done already. */
  restore(): void;
}

export interface OutboxOptions {
  client: ChatClientBase;
  store: Store;
  storage: SessionStorage;
  /** The present visit. */
  getSignal(): AbortSignal;
  /** Gives the conversation, once there is one. */
  getConversation(): Promise<ConversationConnection>;
  /** Has a message listed that was written at this time, if the server has it and would store it twice. */
  findStored(since: string): Promise<unknown>;
  onSent(message: Message): void;
  /** An attempt has failed: tells the page. Gives the error that `send` rejects with. */
  report(error: unknown): Error;
  /** The server does not let the visitor in any more. */
  onRefused(): void;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { client, store, storage, getSignal, getConversation, findStored, onSent, report, onRefused } =
    options;
  let last: Promise<unknown> = Promise.resolve();
  /** Ends the pause before the next attempt. */
  let wake = () => {};

  const find = (key: string) => store.state.rows.find((row) => row.key === key);
  /** What the browser keeps. What else may stand there was not written by us. */
  const readUnsent = () => [storage.read().unsent ?? []].flat().filter(isMessage) as UnsentMessage[];
  const saveUnsent = (key: string, ...message: UnsentMessage[]) => {
    const all = [...readUnsent().filter(({ id }) => id !== key), ...message];
    storage.write({ unsent: all[0] && all });
  };

  /** Brings a message to the server. @param isDoubtful an earlier attempt may have brought it there already. */
  const deliver = async (
    key: string,
    mayBeStored: boolean | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    /** The page is told of the first failure, and not of every attempt's. */
    let isReported = false;
    const attempt = async () => {
      const conversation = await getConversation();
      signal.throwIfAborted();
      if (mayBeStored) await findStored(find(key)?.createdAt ?? '');
      const row = find(key);
      if (!row) throw platformError('discarded', 'The message was discarded.');
      if (row.id) return;
      store.setStatus(key, 'sending');
      mayBeStored = true;
      const { payload, answers } = row;
      const metadata = { [clientMessageIdKey]: key, ...(answers && { [answersKey]: answers }) };
      const input = { conversationId: conversation.id, payload, metadata };
      // In another conversation it is another request.
      const call = client.createMessage(input, { signal, idempotencyKey: key + conversation.id });
      const { message } = await call.catch(async (error) => {
        // Is it the message that is refused, or the visitor?
        if (isRefusal(error) && (await conversation.refresh().then(() => 0, isRefusal))) onRefused();
        throw error;
      });
      signal.throwIfAborted();
      onSent(message);
      // A success without the message: a proxy or a captive portal spoke.
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
      const row = find(key);
      // The visit has begun afresh, and the message goes with it.
      if (row && signal.aborted && !getSignal().aborted) return deliver(key, mayBeStored, getSignal());
      // Its own signal may have come though the answer did not: then it is there.
      if (!row?.id) throw error;
    }
  };

  const enqueue = (key: string, mayBeStored?: boolean): Promise<void> => {
    const signal = getSignal();
    const work = last.then(() => deliver(key, mayBeStored, signal));
    last = work.catch(() => {});
    // Whichever comes first, the answer or its own signal: then it is there, and not sent again in another visit.
    let isSettled = false;
    const end = store.observe(() => {
      const row = find(key);
      if (isSettled || (row && !row.id)) return;
      isSettled = true;
      if (row) saveUnsent(key);
      // Not before the first call has returned.
      queueMicrotask(() => end());
    });
    return work.catch((error) => {
      store.setStatus(key, 'failed');
      throw report(error);
    });
  };

  const send: Outbox['send'] = (payload, answers) => {
    const message = { id: newId(), payload, createdAt: new Date().toISOString(), answers };
    store.addOutgoing(message, 'sending');
    saveUnsent(message.id, message);
    return enqueue(message.id);
  };

  return {
    send,
    sendAgain(key) {
      const { rows } = store.state;
      const end = rows.findIndex((row) => row.key === key);
      const last = rows.slice(0, Math.max(0, end)).findLast(({ side }) => side === 'visitor');
      if (last) send(last.payload, last.answers).catch(() => {});
    },
    retry(key) {
      if (find(key)?.status === 'queued') wake();
      if (find(key)?.status !== 'failed') return;
      store.setStatus(key, 'sending');
      // It may be there: what failed for good may have been doubtful before.
      enqueue(key, true).catch(() => {});
    },
    discard(key) {
      store.remove(key);
      saveUnsent(key);
      wake();
    },
    restore() {
      for (const message of readUnsent()) {
        if (find(message.id)) continue;
        store.addOutgoing(message, 'queued');
        enqueue(message.id, true).catch(() => {});
      }
    },
  };
}
