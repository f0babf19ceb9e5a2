// The session: connects visitor, conversation and messages with the server. After each wait it checks its scope.
import { ChatClientBase } from '../../../client/chat/caller.ts';
import type { VisitorLocale } from '../../../protocol/headers.ts';
import { reportedTimeZone } from '../../../protocol/locale/time-zones.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { background } from '../bundles.ts';
import type { Store } from '../store/store.ts';
import { createConnector } from './connector.ts';
import type { SessionContext, SessionInternals } from './context.ts';
import type { ConversationConnection } from './conversation/connection-interface.ts';
import { createIncoming } from './conversation/incoming.ts';
import { createOutbox } from './conversation/outbox.ts';
import type { Typing } from './conversation/typing.ts';
import { createReporter } from './errors.ts';
import { createPageCalls } from './page-calls.ts';
import { createFetch } from './retry.ts';
import type { Session } from './session-interface.ts';
import { createScopes } from './session-scope.ts';
import { createStateMachine } from './session-state.ts';
import { createStart } from './start.ts';
import { useHooks } from './use-hooks.ts';
import { applyRecord, followStorage } from './user/follow-storage.ts';
import { createIdentity } from './user/identity.ts';

/** @param announce announces a text to screen readers. */
export function createSession(widget: Widget, store: Store, announce: SessionContext['announce']): Session {
  const { storage } = widget;
  const fetch = createFetch(
    () => scopes.current.connection?.reached(),
    (...request) => (widget.getUserKey ? pageCalls.sendAgain(...request) : request[0]),
  );
  const options = { chatUrl: widget.chatUrl, fetch, locale: () => visitorLocale(widget, store) };
  const client = new ChatClientBase(options);
  const state = createStateMachine();
  const report = createReporter(widget);
  // Why these are no states: session-state.ts.
  const scopes = createScopes({
    ...{ store, state },
    connect: (scope) => connect(scope),
    onEnd: () => incoming.reset(),
  });
  /** Pending while another conversation is being created: then nothing is sent to the present one. */
  let replacing: Promise<unknown> | undefined;
  /** Resolves to the conversation when it is joined. Callers check afterwards that their scope has not ended. */
  const joined = async (): Promise<ConversationConnection> => {
    await replacing;
    await useHooks(internals);
    await scopes.start();
    return scopes.current.connection as ConversationConnection; // Set before `start` resolves.
  };

  const identity = createIdentity(widget, client, () => pageCalls.prepareUser());
  const incoming = createIncoming(widget, store, () => identity.userId);
  const connector = createConnector({
    client,
    widget,
    store,
    identity,
    incoming,
    report,
    onUser: () => outbox.restore(),
    onRefused: scopes.recover,
  });
  const internals: SessionInternals = {
    widget,
    client,
    store,
    report,
    announce,
    getSignal: () => scopes.current.signal,
    getConversationId: async () => (await joined())?.id,
    identity,
    incoming,
    getConversation: () => scopes.current.connection,
    start: scopes.start,
    isRequested: () => scopes.isRequested,
    createConversation: connector.createConversation,
    deferSending(next) {
      replacing = next.catch(() => {});
    },
    discard: (key) => outbox.discard(key),
    restoreUnsent: () => outbox.restore(),
    endScope: scopes.end,
    syncFromStorage: (isLogout) =>
      applyRecord(internals, pageCalls, isLogout, () => {
        scopes.isRequested = false;
      }),
  };
  const connect = createStart(internals, connector, state);
  const later = createLaterParts(internals);
  const outbox = createOutbox({
    client,
    store,
    storage,
    getInitialKey: () => pageCalls.initialKey,
    getSignal: internals.getSignal,
    getConversation: joined,
    // A server with idempotency keys remembers them for a day: in half of it, it cannot store a message twice.
    findStored: async (since) =>
      (store.has('idempotency') && Date.now() - Date.parse(since) < 43_200_000) ||
      (await later.getHistory()).findStored(since),
    onSent: (message) => incoming.handleMessages([message], true),
    report,
    onRefused: scopes.recover,
  });
  const pageCalls = createPageCalls(internals, outbox.send);
  store.setWebchat(widget.webchat);
  followStorage(internals);
  followNetwork(widget, store);
  widget.signal.addEventListener('abort', () => {
    state.enter('ended');
    scopes.current.end(widget.signal.reason);
  });

  return {
    start: scopes.start,
    context: internals,
    send: outbox.send,
    retry: outbox.retry,
    discard: outbox.discard,
    loadOlder: later.loadOlder,
    methods: pageCalls.methods,
    setTyping: later.setTyping,
    stop: later.stop,
    markRead: incoming.markRead,
    useHooks: () => useHooks(internals),
    saveDraft(text) {
      storage.write({ draft: text || undefined });
    },
  };
}

function followNetwork({ signal }: Widget, store: Store): void {
  const onNetwork = () => store.setOffline(!navigator.onLine);
  onNetwork();
  for (const type of ['online', 'offline']) addEventListener(type, onNetwork, { signal });
}

/** The parts whose bundle is loaded with their first use. */
function createLaterParts(internals: SessionInternals) {
  let typing: Typing | undefined;
  const useTyping = (use: (typing: Typing) => void) =>
    background.load(({ createTyping }) => {
      typing ??= createTyping(internals);
      use(typing);
    });
  const getHistory = async () => (await background.get()).createHistory(internals);
  return {
    getHistory,
    loadOlder: () =>
      getHistory()
        .then((history) => history.loadOlder())
        .catch(() => {}),
    setTyping: (isTyping: boolean) => useTyping((typing) => typing.setTyping(isTyping)),
    stop: () => useTyping((typing) => typing.stop()),
  };
}

/**
 * Returns the current languages and time zone of the visitor, which requests send to the bot; undefined if the server does not ask
 * for them.
 */
function visitorLocale({ language, configuration }: Widget, { has }: Store): VisitorLocale | undefined {
  const { lang } = document.documentElement;
  return has('locale')
    ? {
        timeZone: reportedTimeZone(),
        // Without strings of another language: the one that is requested now. They may arrive later than the chat is ready,
        // and the bot should not greet in English because of that.
        chat: language.translate ? language.locale : configuration.locale || lang || navigator.language,
        // Last, because the client cuts what is too long, and a page can write anything there.
        page: lang,
      }
    : undefined;
}
