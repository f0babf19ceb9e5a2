// The visit: who is here, in which conversation, what is being sent. It waits for the server, and after each wait asks
// whether the visit is still the same. It draws nothing.
import { ChatCaller } from '../../client/caller.ts';
import { NetworkError } from '../../client/errors.ts';
import type { PlatformError } from '../../protocol/error.ts';
import type { Payload } from '../../protocol/message.ts';
import type { WebchatUser, WebchatUserFields } from '../../protocol/user.ts';
import type { Shell } from '../seam.ts';
import { isRefusal, toPlatformError } from './errors.ts';
import type { Hands } from './hands.ts';
import { createIdentity } from './identity.ts';
import { newId } from './ids.ts';
import { createNews } from './news.ts';
import { createOutbox } from './outbox.ts';
import { persist } from './patience.ts';
import { createPresence, type Presence } from './presence.ts';
import { enterRoom, type Room } from './room.ts';
import type { Store } from './store.ts';

export interface Session extends Presence {
  /** Creates or resumes; harmless when done already. Resolves when messages can be received. */
  start(): Promise<void>;
  /** `answers`: the id of the question whose button was pressed. */
  send(payload: Payload, answers?: string): Promise<void>;
  /** Tries a failed message again. */
  retry(key: string): void;
  /** Takes a failed message out of the transcript. */
  discard(key: string): void;
  sendEvent(event: Record<string, unknown>): Promise<void>;
  restart(): Promise<void>;
  loadOlder(): Promise<void>;
  getUser(): Promise<WebchatUser>;
  updateUser(fields: WebchatUserFields): Promise<void>;
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
  const identity = createIdentity(shell, client);
  const news = createNews(shell, store, () => identity.userId);
  store.setWebchat(shell.webchat);
  /** Who is here in which conversation. Another user, another conversation, or destroy end it with all it has under way. */
  let visit = new AbortController();
  let starting: Promise<void> | undefined;
  let restarting: Promise<void> | undefined;
  let learning: Promise<void> | undefined;
  let room: Room | undefined;
  let conversationCreationId = newId();
  /** Just created and not entered yet: nothing in it was ever shown. */
  let newConversationId: string | undefined;
  let isUnreachable = false;
  const reported = new WeakSet<PlatformError>();

  /** Tells the page of an error, once; leaving is no error. */
  const report = (error: unknown): PlatformError => {
    const platformError = toPlatformError(error);
    if (platformError.code !== 'destroyed' && !shell.signal.aborted && !reported.has(platformError)) {
      reported.add(platformError);
      emit('error', platformError);
    }
    return platformError;
  };

  const leaveVisit = () => {
    visit.abort(new DOMException('The conversation was left.', 'AbortError'));
    visit = new AbortController();
    room = starting = undefined;
    news.forget();
  };

  /** Asks once what the server can do; a plain Chat API server says 404, and all goes on without. */
  const learn = () => {
    learning ??= client.getWebchat({ signal: shell.signal }).then(
      (answer) => {
        store.setWebchat(answer);
        if (answer) shell.onDashboard(answer.configuration);
      },
      () => {},
    );
    return learning;
  };

  const createConversation = async (signal: AbortSignal): Promise<string> => {
    const options = { signal, idempotencyKey: conversationCreationId };
    const { conversation } = await client.createConversation({}, options);
    signal.throwIfAborted();
    conversationCreationId = newId();
    newConversationId = conversation.id;
    storage.write({ conversationId: conversation.id, readAt: undefined });
    emit('conversation', conversation.id);
    signal.throwIfAborted();
    return conversation.id;
  };

  const enter = async (id: string, signal: AbortSignal) => {
    const isNew = id === newConversationId;
    const onUnreachable = () => tellUnreachable(new NetworkError('The stream was cut.'));
    const onRefused = (error: unknown) => void heal(error);
    room = await enterRoom({ client, store, news, id, isNew, signal, onUnreachable, onRefused });
    newConversationId = undefined;
    isUnreachable = false;
  };

  /** Finds or makes user and conversation, and enters it. What the server refuses to resume is forgotten. */
  const begin = async (signal: AbortSignal): Promise<void> => {
    const stored = storage.read();
    try {
      await identity.ensure();
      signal.throwIfAborted();
      await enter(storage.read().conversationId ?? (await createConversation(signal)), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (!isRefusal(error) || !stored.userKey) throw error;
      // 401 is about the user; 403 and 404 are about the conversation.
      if (error.code === 401 && !identity.forget()) throw error;
      if (error.code !== 401 && !stored.conversationId) throw error;
      storage.write({ conversationId: undefined, readAt: undefined });
      return begin(signal);
    }
  };

  const tellUnreachable = (error: unknown) => {
    if (!isUnreachable) report(error);
    isUnreachable = true;
  };

  const start = (): Promise<void> => {
    if (starting) return starting;
    const { signal } = visit;
    const mine = (async () => {
      if (!store.state.webchat) await learn();
      const onFailure = (error: unknown) => {
        store.setConnection('unreachable');
        tellUnreachable(error);
      };
      await persist(() => begin(signal), { signal, onFailure });
      shell.onStarted();
      news.release();
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
  const heal = async (error: unknown) => {
    report(error);
    leaveVisit();
    store.reset({ keepUnsent: true });
    store.setConnection('connecting');
    await start().catch(() => {});
  };

  /** The id of the conversation, once messages can be received there. */
  const getConversation = async (): Promise<string> => {
    await start();
    return room?.id ?? '';
  };

  const outbox = createOutbox({
    client,
    store,
    getSignal: () => visit.signal,
    getConversation,
    canRepeat: () => store.has('idempotency'),
    onSent: (message) => news.accept([message], true),
    onFailed: report,
  });

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

  const hands: Hands = { client, store, getSignal: () => visit.signal, getConversation, report, say };
  return {
    start,
    hands,
    send: outbox.send,
    ...createPresence(hands, () => room?.id),
    retry: outbox.retry,
    discard: (key) => store.remove(key),
    sendEvent: (payload) =>
      attempt(async () => {
        const { signal } = visit;
        const conversationId = await getConversation();
        await client.createEvent({ conversationId, payload }, { signal, idempotencyKey: newId() });
      }),
    restart() {
      restarting ??= attempt(async () => {
        await start();
        // Created first: when that fails, the conversation there is goes on.
        await createConversation(visit.signal);
        leaveVisit();
        store.reset();
        await start();
      }).finally(() => {
        restarting = undefined;
      });
      return restarting;
    },
    loadOlder: () => attempt(async () => room?.loadOlder()).catch(() => {}),
    getUser: () =>
      attempt(async () => {
        await persist(identity.ensure, { signal: shell.signal, attempts: 3 });
        return identity.get();
      }),
    updateUser: (fields) =>
      attempt(async () => {
        identity.remember(fields);
        const { userKey } = fields;
        const wasStarted = starting !== undefined;
        if (userKey && userKey !== storage.read().userKey) {
          await identity.become(userKey);
          leaveVisit();
          store.reset({ isOtherVisitor: true });
        }
        if (wasStarted) await start();
        else await identity.ensure();
        await identity.flush();
      }),
    markRead: news.markRead,
    saveDraft(text) {
      storage.write({ draft: text || undefined });
    },
  };
}
