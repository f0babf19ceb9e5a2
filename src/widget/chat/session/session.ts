// The session: who the visitor is, in which conversation, and what is being sent. It waits for the server, and after
// each wait checks that its scope has not ended. It renders nothing.
import { ChatClientBase } from '../../../client/chat/caller.ts';
import type { Payload } from '../../../protocol/message.ts';
import type { WebchatUserFields } from '../../../protocol/user.ts';
import type { Chat, ChatMethod, Widget } from '../../launcher-chat-interface.ts';
import { background, pageUser } from '../bundles.ts';
import type { Store } from '../store/store.ts';
import { createConnector } from './connector.ts';
import type { SessionContext, SessionInternals } from './context.ts';
import type { ConversationConnection } from './conversation-connection.ts';
import { createReporter } from './errors.ts';
import { createHistory } from './history.ts';
import { createIdentity } from './identity.ts';
import { createIncoming } from './incoming.ts';
import { createOutbox } from './outbox.ts';
import { createPageMethods } from './page-methods.ts';
import type { PageUser } from './page-user.ts';
import { retryWithBackoff } from './retry.ts';
import { createSessionScope } from './session-scope.ts';
import { createStateMachine } from './session-state.ts';
import { createTyping } from './typing.ts';

export interface Session {
  /** Creates or resumes; harmless when done already. Resolves when messages can be received. */
  start(): Promise<void>;
  /** `answers`: the id of the question whose button was pressed. */
  send(payload: Payload, answers?: string): Promise<void>;
  /** Tries a message again that was refused, or waits for its next attempt. */
  retry(key: string): void;
  /** Removes a message that the server does not have from the transcript. */
  discard(key: string): void;
  /** Sends the visitor's last message before this row again. */
  askAgain(key: string): void;
  /** Never rejects. */
  loadOlder(): Promise<void>;
  /** A method of `window.platform`. */
  ask: Chat['ask'];
  /** Whether the visitor is writing. */
  setTyping(isTyping: boolean): void;
  /** Ends the answer that the bot is writing; the part that was received stays. */
  stop(): void;
  /** The visitor sees the newest message. */
  markRead(): void;
  saveDraft(text: string): void;
  /** For the extras bundle. */
  readonly context: SessionContext;
}

/** @param announce announces a sentence to screen readers. */
export function createSession(widget: Widget, store: Store, announce: SessionContext['announce']): Session {
  const { storage } = widget;
  const client = new ChatClientBase({ chatUrl: widget.chatUrl });
  const state = createStateMachine();
  let scope = createSessionScope();
  /** While another conversation is being created, nothing is sent into the present one. */
  let replacing: Promise<unknown> | undefined;
  let isRequested = false;
  /** The page has reported something about the user that is not applied yet. */
  let hasPendingUser = false;
  let loadedPageUser: PageUser | undefined;
  const report = createReporter(widget);

  const endScope = (options?: Parameters<Store['reset']>[0]) => {
    scope.end();
    scope = createSessionScope();
    if (state.current !== 'recovering') state.enter('idle');
    incoming.reset();
    store.reset(options);
  };

  /** The server refuses user or conversation (deleted): begins another one, with the unsent messages. */
  const recover = () => {
    state.enter('recovering');
    endScope({ keepUnsent: true });
    store.setConnection('connecting');
    start().catch(() => {});
  };

  const start = (): Promise<void> => {
    isRequested = true;
    scope.ready ??= run(scope);
    return scope.ready;
  };

  const run = async (current: typeof scope): Promise<void> => {
    const { signal } = current;
    state.enter('connecting');
    try {
      await connector.loadFeatures();
      const onFailure = (error: unknown) => {
        const { code } = Object(error) as { code?: unknown };
        store.setConnection(code === 429 || code === 507 ? 'busy' : 'unreachable');
        connector.reportUnreachable(error);
      };
      await retryWithBackoff(() => connector.connect(current), { signal, onFailure });
    } catch (error) {
      if (!signal.aborted) {
        current.ready = undefined;
        state.enter('idle');
        store.setConnection('refused');
      }
      throw report(error);
    }
    state.enter('ready');
    widget.onStarted();
    incoming.flushPending();
    (window.requestIdleCallback ?? setTimeout)(() => {
      background.load(({ loadParticipants, shareStream, renewUserKey }) => {
        if (signal.aborted || !current.connection) return;
        shareStream(internals, current.connection, signal);
        renewUserKey(internals, signal);
        loadParticipants(internals, signal);
      });
    });
  };

  /** The conversation, once messages can be sent there. Callers check afterwards that their scope has not ended. */
  const joined = async (): Promise<ConversationConnection> => {
    await replacing;
    await start();
    // `start` resolves after the connection was set; a scope that ended meanwhile is the caller's to check.
    return scope.connection as ConversationConnection;
  };

  const getPageUser = async (isPending = false): Promise<PageUser> => {
    hasPendingUser ||= isPending;
    const { createPageUser } = await pageUser.get();
    loadedPageUser ??= createPageUser(internals);
    return loadedPageUser;
  };

  const syncFromStorage = (isLogout?: boolean) => {
    const before = identity.userId;
    identity.syncFromStorage();
    const { isNamed, conversationId } = storage.read();
    // A user that another tab has created is this visitor too; one that the page has named there is not.
    const isOtherVisitor = isLogout || (before ? before !== identity.userId : isNamed === true);
    if (isOtherVisitor) identity.reset();
    const isElsewhere = scope.connection && scope.connection.id !== conversationId;
    if (isOtherVisitor || isElsewhere) endScope({ isOtherVisitor });
    if (identity.userId) {
      if (isRequested) start().catch(() => {});
    } else if (isLogout || before) {
      isRequested = false;
      widget.close();
    }
  };

  /** Applies what the page has reported about the user, before anybody is created or resumed. */
  const prepareUser = async () => {
    if (hasPendingUser || Object.keys(widget.user).length > 0) await (await getPageUser()).prepare();
  };
  const identity = createIdentity(widget, client, prepareUser);
  const incoming = createIncoming(widget, store, () => identity.userId);
  const context: SessionContext = {
    client,
    store,
    getSignal: () => scope.signal,
    getConversationId: async () => (await joined())?.id,
    report,
    announce,
  };
  const connector = createConnector({
    client,
    widget,
    store,
    identity,
    incoming,
    report,
    onUser: () => outbox.restore(),
    onRefused: recover,
  });
  const internals: SessionInternals = {
    ...context,
    widget,
    identity,
    incoming,
    getConversation: () => scope.connection,
    start,
    isRequested: () => isRequested,
    createConversation: connector.createConversation,
    deferSending(next) {
      replacing = next.catch(() => {});
    },
    discard: (key) => outbox.discard(key),
    endScope,
    syncFromStorage,
  };
  const history = createHistory(internals);
  const outbox = createOutbox({
    client,
    store,
    storage,
    getSignal: context.getSignal,
    getConversation: joined,
    // Only a server that would store it twice has to be asked whether it has it.
    findStored: async (since) => store.has('idempotency') || history.findStored(since),
    onSent: (message) => incoming.handleMessages([message], true),
    report,
    onRefused: recover,
  });
  const typing = createTyping(internals);
  const methods: { [Method in ChatMethod]: (input: never) => Promise<unknown> } = {
    getUser: async () => (await getPageUser()).getUser(),
    updateUser: async (fields: WebchatUserFields) => (await getPageUser(true)).updateUser(fields),
    identify: async (userKey: string) => (await getPageUser(true)).identify(userKey),
    logout: async () => (await getPageUser()).logout(),
    ...createPageMethods(internals),
    sendMessage: (text: string) => outbox.send({ type: 'text', text }),
  };

  store.setWebchat(widget.webchat);
  const onStorage = ({ key, newValue }: StorageEvent) => {
    // A record that was cleared by others than the widget changes nothing here.
    if (newValue && key === `platform-webchat:${widget.chatUrl}`) syncFromStorage();
  };
  addEventListener('storage', onStorage, { signal: widget.signal });
  const onNetwork = () => store.setOffline(!navigator.onLine);
  onNetwork();
  for (const type of ['online', 'offline']) addEventListener(type, onNetwork, { signal: widget.signal });
  widget.signal.addEventListener('abort', () => {
    state.enter('ended');
    scope.end(widget.signal.reason);
  });

  return {
    start,
    context,
    send: outbox.send,
    retry: outbox.retry,
    discard: outbox.discard,
    askAgain: outbox.sendAgain,
    loadOlder: () => history.loadOlder().catch(() => {}),
    ask: (async (method: ChatMethod, input?: unknown) => {
      try {
        return await methods[method](input as never);
      } catch (error) {
        throw report(error);
      }
    }) as Chat['ask'],
    setTyping: typing.setTyping,
    stop: typing.stop,
    markRead: incoming.markRead,
    saveDraft(text) {
      storage.write({ draft: text || undefined });
    },
  };
}
