// Sends what the visitor writes, in the order it was written, until the server has it or refuses it. What is not there
// yet stays in the transcript and in the browser, also over a reload.
import type { ChatCaller } from '../../../client/caller.ts';
import { NetworkError } from '../../../client/errors.ts';
import { platformError } from '../../../protocol/error.ts';
import {
  clientMessageIdKey,
  isMessage,
  type Message,
  type Payload,
  type UnsentMessage,
} from '../../../protocol/message.ts';
import type { VisitStorage } from '../../launcher-chat-interface.ts';
import { answersKey } from '../store/rows.ts';
import type { Store } from '../store/store.ts';
import type { Room } from './conversation-connection.ts';
import { isRefusal } from './errors.ts';
import { newId } from './ids.ts';
import { persist } from './retry.ts';

export interface Outbox {
  /** Resolves when the server has the message. `answers`: the id of the question whose button was pressed. */
  send(payload: Payload, answers?: string): Promise<void>;
  /** Tries a message again: at once, if it waits for its next attempt; anew, if it was refused. */
  retry(key: string): void;
  /** Takes a message that the server does not have out of the transcript. */
  discard(key: string): void;
  /** Puts what an earlier page view could not send into the transcript, and sends it. Harmless when done already. */
  restore(): void;
}

export interface OutboxOptions {
  client: ChatCaller;
  store: Store;
  storage: VisitStorage;
  /** The present visit. */
  getSignal(): AbortSignal;
  /** Gives the conversation, once there is one. */
  getRoom(): Promise<Room>;
  /** Has a message listed that was written at this time, if the server has it and would store it twice. */
  seek(since: string): Promise<unknown>;
  onSent(message: Message): void;
  /** An attempt has failed: tells the page. Gives the error that `send` rejects with. */
  report(error: unknown): Error;
  /** The server does not let the visitor in any more. */
  onRefused(): void;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { client, store, storage, getSignal, getRoom, seek, onSent, report, onRefused } = options;
  let last: Promise<unknown> = Promise.resolve();
  /** Ends the pause before the next attempt. */
  let wake = () => {};

  const find = (key: string) => store.state.rows.find((row) => row.key === key);
  /** What the browser keeps. What else may stand there was not written by us. */
  const kept = () => [storage.read().unsent ?? []].flat().filter(isMessage) as UnsentMessage[];
  const keep = (key: string, ...message: UnsentMessage[]) => {
    const all = [...kept().filter(({ id }) => id !== key), ...message];
    storage.write({ unsent: all[0] && all });
  };

  /** Brings a message to the server. @param isDoubtful an earlier attempt may have brought it there already. */
  const deliver = async (
    key: string,
    isDoubtful: boolean | undefined,
    signal: AbortSignal,
  ): Promise<void> => {
    /** The page is told of the first failure, and not of every attempt's. */
    let isTold = false;
    const attempt = async () => {
      const room = await getRoom();
      signal.throwIfAborted();
      if (isDoubtful) await seek(find(key)?.createdAt ?? '');
      const row = find(key);
      if (!row) throw platformError('discarded', 'The message was discarded.');
      if (row.id) return;
      store.setStatus(key, 'sending');
      isDoubtful = true;
      const { payload, answers } = row;
      const metadata = { [clientMessageIdKey]: key, ...(answers && { [answersKey]: answers }) };
      const input = { conversationId: room.id, payload, metadata };
      // In another conversation it is another request.
      const call = client.createMessage(input, { signal, idempotencyKey: key + room.id });
      const { message } = await call.catch(async (error) => {
        // Is it the message that is refused, or the visitor?
        if (isRefusal(error) && (await room.refresh().then(() => 0, isRefusal))) onRefused();
        throw error;
      });
      signal.throwIfAborted();
      onSent(message);
      // A success without the message: a proxy or a captive portal spoke.
      if (!find(key)?.id) throw new NetworkError('The server could not be reached, or its answer was cut.');
    };
    const onFailure = (error: unknown) => {
      if (!isTold) report(error);
      isTold = true;
      for (const row of store.state.rows) if (row.status === 'sending') store.setStatus(row.key, 'queued');
    };
    const onPause = (resume: () => void) => {
      wake = resume;
    };
    try {
      await persist(attempt, { signal, onFailure, onPause });
    } catch (error) {
      const row = find(key);
      // The visit has begun afresh, and the message goes with it.
      if (row && signal.aborted && !getSignal().aborted) return deliver(key, isDoubtful, getSignal());
      // Its own signal may have come though the answer did not: then it is there.
      if (!row?.id) throw error;
    }
  };

  const enqueue = (key: string, isDoubtful?: boolean): Promise<void> => {
    const signal = getSignal();
    const work = last.then(() => deliver(key, isDoubtful, signal));
    last = work.catch(() => {});
    // Whichever comes first, the answer or its own signal: then it is there, and not sent again in another visit.
    const end = store.subscribe(() => {
      const row = find(key);
      if (row && !row.id) return;
      end();
      if (row) keep(key);
    });
    return work.catch((error) => {
      store.setStatus(key, 'failed');
      throw report(error);
    });
  };

  return {
    send(payload, answers) {
      const message = { id: newId(), payload, createdAt: new Date().toISOString(), answers };
      store.addOutgoing(message, 'sending');
      keep(message.id, message);
      return enqueue(message.id);
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
      keep(key);
      wake();
    },
    restore() {
      for (const message of kept()) {
        if (find(message.id)) continue;
        store.addOutgoing(message, 'queued');
        enqueue(message.id, true).catch(() => {});
      }
    },
  };
}
