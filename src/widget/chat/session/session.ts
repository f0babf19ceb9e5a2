// The visit: who is here, in which conversation, what is being sent. It waits for the server, and after each wait asks
// whether the visit is still the same. It draws nothing.
import { ChatCaller } from '../../../client/caller.ts';
import { NetworkError } from '../../../client/errors.ts';
import type { PlatformError } from '../../../protocol/error.ts';
import type { Payload } from '../../../protocol/message.ts';
import type { Chat, Shell } from '../../launcher-chat-interface.ts';
import { visit as visits } from '../bundles.ts';
import type { Store } from '../store/store.ts';
import type { Visit } from './actions.ts';
import type { Hands } from './context.ts';
import { enterRoom, type Room } from './conversation-connection.ts';
import { isRefusal, toPlatformError } from './errors.ts';
import { newId } from './ids.ts';
import { createNews } from './incoming.ts';
import { createOutbox } from './outbox.ts';
import { persist } from './retry.ts';
import { createIdentity } from './user.ts';

export interface Session {
  /** Creates or resumes; harmless when done already. Resolves when messages can be received. */
  start(): Promise<void>;
  /** `answers`: the id of the question whose button was pressed. */
  send(payload: Payload, answers?: string): Promise<void>;
  /** Tries a message again that was refused, or waits for its next attempt. */
  retry(key: string): void;
  /** Takes a message that the server does not have out of the transcript. */
  discard(key: string): void;
  loadOlder(): void;
  /** What the visit chunk can do, once it is there. */
  readonly visit: Visit | undefined;
  /** What `window.platform` asks for. */
  ask: Chat['ask'];
  /** Ends the answer that the bot is writing; what there is of it stays. */
  stop(): void;
  /** The visitor has the newest message before their eyes. */
  markRead(): void;
  saveDraft(text: string): void;
  /** What the lazily loaded tools work with. */
  readonly hands: Hands;
}

/** @param say says a sentence to screen readers. */
export function createSession(shell: Shell, store: Store, say: Hands['say']): Session {
  const { storage, emit } = shell;
  const client = new ChatCaller({ chatUrl: shell.chatUrl });
  const identity = createIdentity(shell, client, async () => {
    if (isSpokenOf || Object.keys(shell.user)[0]) await (await getVisit()).prepare();
  });
  const news = createNews(shell, store, () => identity.userId);
  store.setWebchat(shell.webchat);
  /** Who is here in which conversation. Another user, another conversation, or destroy end it with all it has under way. */
  let visit = new AbortController();
  let starting: Promise<void> | undefined;
  let loaded: Visit | undefined;
  let learning: Promise<void> | undefined;
  let room: Room | undefined;
  /** While another conversation is being made nothing is sent into this one. */
  let turning: Promise<unknown> | undefined;
  /** Just created and not entered yet: nothing in it was ever shown. */
  let newConversationId: string | undefined;
  let isUnreachable = false;
  /** The page has said something of the user: that is heard before anybody is made. */
  let isSpokenOf = false;
  /** Somebody has asked for a conversation. */
  let isWanted = false;
  const reported = new WeakSet<PlatformError>();

  /** Tells the page of an error, once; leaving is no error. */
  const report = (error: unknown): PlatformError => {
    const platformError = toPlatformError(error);
    // Destroyed and discarded.
    if (!/^d/.test(platformError.code) && !shell.signal.aborted && !reported.has(platformError)) {
      reported.add(platformError);
      emit('error', platformError);
    }
    return platformError;
  };

  const leaveVisit = (options?: Parameters<Store['reset']>[0]) => {
    visit.abort(new DOMException('The conversation was left.', 'AbortError'));
    visit = new AbortController();
    room = starting = undefined;
    news.forget();
    store.reset(options);
  };

  /** Asks once what the server can do; a plain Chat API server says 404, and all goes on without. */
  const learn = () => {
    learning ??= client.getWebchat({ signal: shell.signal }).then(
      (answer) => {
        store.setWebchat(answer);
        if (answer) shell.onDashboard(answer.configuration);
      },
      () => {
        learning = undefined;
      },
    );
    return learning;
  };

  /** @param idempotencyKey two tabs that begin at once, or after the same conversation, make one and not two. */
  const createConversation = async (
    signal: AbortSignal,
    idempotencyKey = `after ${storage.read().lostConversationId}`,
  ): Promise<string> => {
    const { conversation } = await client.createConversation({}, { signal, idempotencyKey });
    signal.throwIfAborted();
    newConversationId = conversation.id;
    storage.write({ conversationId: conversation.id, readAt: undefined });
    emit('conversation', conversation.id);
    signal.throwIfAborted();
    return conversation.id;
  };

  const enter = async (id: string, signal: AbortSignal) => {
    const isNew = id === newConversationId;
    const onUnreachable = () => tellUnreachable(new NetworkError('The stream was cut.'));
    room = await enterRoom({ client, store, news, id, isNew, visit: signal, onUnreachable, onRefused: heal });
    newConversationId = undefined;
    isUnreachable = false;
  };

  /**
   * Finds or makes user and conversation, and enters it. What the server refuses to resume is forgotten, unless another
   * tab has replaced it already.
   */
  const begin = async (signal: AbortSignal, tries = 3): Promise<void> => {
    let id: string | undefined;
    try {
      await identity.ensure();
      signal.throwIfAborted();
      outbox.restore();
      id = storage.read().conversationId;
      await enter(id ?? (await createConversation(signal)), signal);
    } catch (error) {
      signal.throwIfAborted();
      // 401 is about the user; 403 and 404 are about the conversation.
      if (!isRefusal(error) || !tries || (error.code === 401 && !identity.forget())) throw error;
      const { conversationId } = storage.read();
      if (error.code === 401 || conversationId === id) {
        // Where there was none, one that was made before has been deleted since (410).
        const lostConversationId = conversationId ?? newId();
        storage.write({ conversationId: undefined, lostConversationId, readAt: undefined });
      }
      // What was listed before it was refused.
      store.reset({ keepUnsent: true });
      await begin(signal, tries - 1);
      if (!id) return;
      report(error);
      store.setRenewed(true);
    }
  };

  const tellUnreachable = (error: unknown) => {
    if (!isUnreachable) report(error);
    isUnreachable = true;
  };

  const start = (): Promise<void> => {
    isWanted = true;
    if (starting) return starting;
    const { signal } = visit;
    const mine = (async () => {
      if (!store.state.webchat) await learn();
      const onFailure = (error: unknown) => {
        store.setConnection(/429|507/.test(Object(error).code) ? 'busy' : 'unreachable');
        tellUnreachable(error);
      };
      await persist(() => begin(signal), { signal, onFailure });
      shell.onStarted();
      news.release();
      // The other tabs are no haste.
      (window.requestIdleCallback ?? setTimeout)(() => {
        getVisit()
          .then(({ enter }) => signal.aborted || enter())
          .catch(() => {});
      });
    })().catch((error) => {
      if (!signal.aborted) {
        starting = undefined;
        store.setConnection('refused');
      }
      throw report(error);
    });
    starting = mine;
    return mine;
  };

  /** The server no longer lets us in (user or conversation deleted): begin afresh, and lose nothing unsent. */
  const heal = () => {
    leaveVisit({ keepUnsent: true });
    store.setConnection('connecting');
    start().catch(() => {});
  };

  /** The conversation, once messages can be received there. Whoever has waited asks whether the visit is the same. */
  const getRoom = async () => {
    await turning;
    await start();
    return room as Room;
  };
  const getConversation = async () => (await getRoom())?.id;

  const outbox = createOutbox({
    client,
    store,
    storage,
    getSignal: () => visit.signal,
    getRoom,
    // A server that would store it twice is asked first whether it has it.
    seek: async (since) => store.has('idempotency') || (await getVisit()).seek(since),
    onSent: (message) => news.accept([message], true),
    report(error) {
      // What the visitor can do about it.
      visits.ask(true);
      return report(error);
    },
    onRefused: heal,
  });
  const follow = (isLogout?: boolean) => {
    const before = identity.userId;
    identity.follow();
    const { isNamed, conversationId } = storage.read();
    // Whom another tab has made is this visitor too; whom the page has named there is not who has typed here.
    const isOtherVisitor = isLogout || (before ? before !== identity.userId : isNamed === true);
    if (isOtherVisitor) identity.reset();
    if (isOtherVisitor || (room && room.id !== conversationId)) leaveVisit({ isOtherVisitor });
    if (identity.userId) {
      if (isWanted) start().catch(() => {});
    } else if (isLogout || before) {
      isWanted = false;
      shell.close();
    }
  };

  const onRecord = ({ key, newValue }: StorageEvent) => {
    // What was cleared by others than us changes nothing here.
    if (newValue && key === `platform-webchat:${shell.chatUrl}`) follow();
  };
  addEventListener('storage', onRecord, { signal: shell.signal });
  const online = () => store.setOffline(!navigator.onLine);
  online();
  for (const type of ['online', 'offline']) addEventListener(type, online, { signal: shell.signal });
  shell.signal.addEventListener('abort', () => visit.abort(shell.signal.reason));

  /** Runs a task of the page; what goes wrong is reported and rejects with the same error. */
  const attempt = async <T>(task: () => Promise<T>): Promise<T> => {
    try {
      return await task();
    } catch (error) {
      throw report(error);
    }
  };

  const getSignal = () => visit.signal;
  const hands: Hands = { client, store, getSignal, getConversation, report, say };
  const getVisit = async () => {
    const { createVisit } = await visits.get();
    loaded ??= createVisit({
      ...hands,
      shell,
      identity,
      news,
      getRoom: () => room,
      persist,
      start,
      isWanted: () => isWanted,
      createConversation,
      newId,
      discard: outbox.discard,
      turn(next) {
        turning = next.catch(() => {});
      },
      leave: leaveVisit,
      follow,
    });
    return loaded;
  };
  const ask = (method: keyof Visit | 'sendMessage', input?: unknown) =>
    attempt(async () => {
      isSpokenOf ||= method === 'updateUser' || method === 'identify';
      if (method === 'sendMessage') return outbox.send({ type: 'text', text: input as string });
      return ((await getVisit())[method] as (argument: unknown) => unknown)(input);
    });

  return {
    start,
    hands,
    get visit() {
      return loaded;
    },
    send: outbox.send,
    retry: outbox.retry,
    discard: outbox.discard,
    loadOlder: () => ask('loadOlder').catch(() => {}),
    ask: ask as Session['ask'],
    stop: () => ask('stop').catch(() => {}),
    markRead: news.markRead,
    saveDraft(text) {
      storage.write({ draft: text || undefined });
    },
  };
}
