// The start of a conversation: user, conversation and messages, then what can wait until the browser is idle.
import { isRetryable } from '../../../client/core/errors.ts';
import { background, people, preChatForm, sharedPage } from '../bundles.ts';
import type { LazyBundle } from '../lazy-bundle.ts';
import type { Connector } from './connector.ts';
import type { SessionInternals } from './context.ts';
import { pause, retryWithBackoff } from './retry.ts';
import type { SessionScope } from './session-scope.ts';
import type { StateMachine } from './session-state.ts';
import { useHooks } from './use-hooks.ts';

/** Milliseconds until a refused user or conversation is replaced. */
const recoveryMs = 1_000;

/** Returns a function that connects a scope. It rejects when the server refuses the visitor, or the scope ends. */
export function createStart(internals: SessionInternals, connector: Connector, state: StateMachine) {
  const { widget, store, incoming, report } = internals;

  return async (scope: SessionScope): Promise<void> => {
    const { signal } = scope;
    // A session that recovers stays in that state.
    state.enter('connecting');
    // Again, after a refusal.
    store.setConnection('connecting');
    // No request is made in the task of a click, which draws the window. What the server refuses may have been deleted by another
    // tab, which tells this one when it has the response.
    const pauseMs = state.current === 'recovering' ? recoveryMs : 0;
    let loading: Promise<unknown> | undefined = connector.loadFeatures();
    try {
      await Promise.all([loading, askTabs(internals, scope), useHooks(internals), pause(pauseMs, signal)]);
      const begin = async () => {
        const failure = await (loading ?? connector.loadFeatures());
        loading = undefined;
        const { preChatForm: form } = store.state.configuration;
        // Without the form nothing begins: it may ask for consent. Only the features say whether the server takes its answers.
        if (form && isRetryable(failure)) throw failure;
        if (form) (await preChatForm.get()).installPreChatForm(internals);
        await connector.connect(scope);
      };
      const onFailure = (error: unknown) => {
        const { code } = Object(error) as { code?: unknown };
        store.setConnection(code === 429 || code === 507 ? 'busy' : 'unreachable');
        connector.reportUnreachable(error);
        // Messages of the page wait for the connection as those of the visitor do.
        widget.onStarted();
      };
      await retryWithBackoff(begin, { signal, onFailure });
    } catch (error) {
      if (!signal.aborted) {
        scope.ready = undefined;
        state.enter('idle');
        store.setConnection('refused');
      }
      throw report(error);
    }
    state.enter('ready');
    widget.onStarted();
    incoming.flushPending();
    (window.requestIdleCallback ?? setTimeout)(() => loadInBackground(internals, scope));
  };
}

/** A returning visitor may have other tabs, one of which has a stream already. Never takes more than a second. */
function askTabs(internals: SessionInternals, scope: SessionScope): Promise<unknown> | undefined {
  const { signal } = scope;
  const { conversationId } = internals.widget.storage.read();
  if (!conversationId) return undefined;
  const ask = async () => {
    const { joinTabs } = await background.get();
    if (!signal.aborted) scope.tabs = joinTabs(internals, conversationId, signal);
    await scope.tabs?.asked;
  };
  return Promise.race([ask(), pause(1_000, signal)]).catch(() => {});
}

/** Loads code that the conversation needs besides its messages. Without a connection it is loaded when that is back. */
function loadInBackground(internals: SessionInternals, scope: SessionScope): void {
  const { signal } = scope;
  const load = <Module>({ get }: LazyBundle<Module>, use: (module: Module) => void) => {
    retryWithBackoff(get, { signal }).then(use, () => {});
  };
  load(background, ({ followRecord, loadParticipants, shareStream, renewUserKey }) => {
    if (signal.aborted || !scope.connection) return;
    followRecord(internals, signal);
    if (signal.aborted) return;
    shareStream(internals, scope, signal);
    renewUserKey(internals, signal);
    loadParticipants(internals, signal);
  });
  if (internals.store.state.configuration.sharePage)
    load(sharedPage, ({ sharePage }) => sharePage(internals, signal));
  if (internals.store.has('handoff')) load(people, ({ followHandling }) => followHandling(internals, signal));
}
