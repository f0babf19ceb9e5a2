// The session: connects visitor, conversation and messages with the server. After each wait it checks its scope.
import { ChatClientBase } from '../../../client/chat/caller.ts';
import { isRetryable } from '../../../client/core/errors.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { background, people, preChatForm } from '../bundles.ts';
import type { LazyBundle } from '../lazy-bundle.ts';
import type { Store } from '../store/store.ts';
import { createConnector } from './connector.ts';
import type { SessionContext, SessionInternals } from './context.ts';
import type { ConversationConnection } from './conversation/connection-interface.ts';
import { createIncoming } from './conversation/incoming.ts';
import { createOutbox } from './conversation/outbox.ts';
import type { Typing } from './conversation/typing.ts';
import { createReporter } from './errors.ts';
import { createPageCalls } from './page-calls.ts';
import { createFetch, pause, retryWithBackoff } from './retry.ts';
import type { Session } from './session-interface.ts';
import { createSessionScope } from './session-scope.ts';
import { createStateMachine } from './session-state.ts';
import { forgetTools, useHooks } from './use-hooks.ts';
import { createIdentity } from './user/identity.ts';
import { isLogoutElsewhere } from './user/parse-record.ts';
import { visitorLocale } from './visitor-locale.ts';

/** Milliseconds until a refused user or conversation is replaced. */
const recoveryMs = 1_000;

/** @param announce announces a text to screen readers. */
export function createSession(widget: Widget, store: Store, announce: SessionContext['announce']): Session {
  const { storage } = widget;
  const fetch = createFetch(
    () => scope.connection?.reached(),
    (...request) => (widget.getUserKey ? pageCalls.sendAgain(...request) : request[0]),
  );
  const options = { chatUrl: widget.chatUrl, fetch, locale: () => visitorLocale(widget, store) };
  const client = new ChatClientBase(options);
  const state = createStateMachine();
  // Why these are no states: session-state.ts.
  let scope = createSessionScope();
  /** Pending while another conversation is being created: then nothing is sent to the present one. */
  let replacing: Promise<unknown> | undefined;
  let isRequested = false;
  const report = createReporter(widget);
  const endScope = (options?: Parameters<Store['reset']>[0]) => {
    scope.end();
    scope = createSessionScope();
    if (state.current !== 'recovering') state.enter('idle');
    incoming.reset();
    store.reset(options);
  };
  /** The server refuses user or conversation (deleted): starts another one, with the unsent messages. */
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

  /** A returning visitor may have other tabs, one of which has a stream already. Never takes more than a second. */
  const askTabs = (current: typeof scope) => {
    const { signal } = current;
    const { conversationId } = storage.read();
    const ask = async (id: string) => {
      const { joinTabs } = await background.get();
      if (!signal.aborted) current.tabs = joinTabs(internals, id, signal);
      await current.tabs?.asked;
    };
    return conversationId && Promise.race([ask(conversationId), pause(1_000, signal)]).catch(() => {});
  };

  const run = async (current: typeof scope): Promise<void> => {
    const { signal } = current;
    // A session that recovers stays in that state.
    state.enter('connecting');
    // No request is made in the task of a click, which draws the window. What the server refuses may have been deleted by another
    // tab, which tells this one when it has the response.
    const pauseMs = state.current === 'recovering' ? recoveryMs : 0;
    let loading: Promise<unknown> | undefined = connector.loadFeatures();
    try {
      await Promise.all([loading, askTabs(current), useHooks(internals), pause(pauseMs, signal)]);
      const begin = async () => {
        const failure = await (loading ?? connector.loadFeatures());
        loading = undefined;
        const { preChatForm: form } = store.state.configuration;
        // Without the form nothing begins: it may ask for consent. Only the features say whether the server takes its answers.
        if (form && isRetryable(failure)) throw failure;
        if (form) (await preChatForm.get()).installPreChatForm(internals);
        await connector.connect(current);
      };
      const onFailure = (error: unknown) => {
        const { code } = Object(error) as { code?: unknown };
        store.setConnection(code === 429 || code === 507 ? 'busy' : 'unreachable');
        connector.reportUnreachable(error);
      };
      await retryWithBackoff(begin, { signal, onFailure });
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
    // Without a connection they are loaded when it is back.
    const load = <Module>({ get }: LazyBundle<Module>, use: (module: Module) => void) => {
      retryWithBackoff(get, { signal }).then(use, () => {});
    };
    (window.requestIdleCallback ?? setTimeout)(() => {
      load(background, ({ followRecord, loadParticipants, shareStream, renewUserKey }) => {
        if (signal.aborted || !current.connection) return;
        followRecord(internals, signal);
        if (signal.aborted) return;
        shareStream(internals, current, signal);
        renewUserKey(internals, signal);
        loadParticipants(internals, signal);
      });
      if (store.has('handoff')) load(people, ({ followHandling }) => followHandling(internals, signal));
    });
  };

  /** Resolves to the conversation when it is joined. Callers check afterwards that their scope has not ended. */
  const joined = async (): Promise<ConversationConnection> => {
    await replacing;
    await useHooks(internals);
    await start();
    return scope.connection as ConversationConnection; // Set before `start` resolves.
  };

  const syncFromStorage = (isLogout?: boolean) => {
    if (isLogout) pageCalls.left();
    const before = identity.userId;
    identity.syncFromStorage();
    const { isNamed, conversationId } = storage.read();
    // A user that another tab has created is the same visitor; a user that the page has identified there is not.
    const isOtherVisitor = isLogout || (before ? before !== identity.userId : isNamed === true);
    if (isOtherVisitor) identity.reset();
    // Before a user is resumed, the key that the page sets is mostly of the one in the record.
    if (isOtherVisitor && (isLogout || before)) forgetTools(widget);
    const isElsewhere = scope.connection && scope.connection.id !== conversationId;
    if (isOtherVisitor || isElsewhere) endScope({ isOtherVisitor });
    if (identity.userId) {
      if (isRequested) start().catch(() => {});
    } else if (isLogout || before) {
      isRequested = false;
      widget.close();
    }
  };

  const identity = createIdentity(widget, client, () => pageCalls.prepareUser());
  const incoming = createIncoming(widget, store, () => identity.userId);
  const context: SessionContext = {
    widget,
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
    restoreUnsent: () => outbox.restore(),
    endScope,
    syncFromStorage,
  };
  const getHistory = async () => (await background.get()).createHistory(internals);
  const outbox = createOutbox({
    client,
    store,
    storage,
    getInitialKey: () => pageCalls.initialKey,
    getSignal: context.getSignal,
    getConversation: joined,
    // A server with idempotency keys remembers them for a day: in half of it, it cannot store a message twice.
    findStored: async (since) =>
      (store.has('idempotency') && Date.now() - Date.parse(since) < 43_200_000) ||
      (await getHistory()).findStored(since),
    onSent: (message) => incoming.handleMessages([message], true),
    report,
    onRefused: recover,
  });
  let typing: Typing | undefined;
  const useTyping = (use: (typing: Typing) => void) =>
    background.load(({ createTyping }) => {
      typing ??= createTyping(internals);
      use(typing);
    });
  const pageCalls = createPageCalls(internals, outbox.send);
  store.setWebchat(widget.webchat);
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    // If other code has cleared the record, nothing changes here.
    if (newValue && key === widget.storageKey) syncFromStorage(isLogoutElsewhere(oldValue, newValue));
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
    context: internals,
    send: outbox.send,
    retry: outbox.retry,
    discard: outbox.discard,
    loadOlder: () =>
      getHistory()
        .then((history) => history.loadOlder())
        .catch(() => {}),
    methods: pageCalls.methods,
    setTyping: (isTyping) => useTyping((typing) => typing.setTyping(isTyping)),
    stop: () => useTyping((typing) => typing.stop()),
    markRead: incoming.markRead,
    useHooks: () => useHooks(internals),
    saveDraft(text) {
      storage.write({ draft: text || undefined });
    },
  };
}
