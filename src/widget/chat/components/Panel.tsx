// The content of the window.
import { extras, home, people, preChatForm } from '../bundles.ts';
import { isHome } from '../home.ts';
import { Markdown } from '../payloads/Markdown.tsx';
import { Text } from '../payloads/Text.tsx';
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';
import { Composer } from './Composer.tsx';
import { moveFocus } from './focus.ts';
import { Header } from './Header.tsx';
import { Transcript } from './Transcript.tsx';

export function Panel(props: ViewProps) {
  const { state } = props.store;
  const { module } = extras;
  // Unknown until the history is loaded.
  const isFresh = state.history !== 'unknown' && !state.outline.some(({ side }) => side === 'visitor');
  const Starters = state.configuration.starters && isFresh && module?.Starters;
  const isAtHome = isHome(props.store);
  const { Home } = home.module ?? {};
  const { HandlingBar } = people.module ?? {};
  const { Form } = (state.configuration.preChatForm && preChatForm.module) || {};
  if (isAtHome && !Home) {
    // The window shows that it is loading.
    return void home.request();
  }
  // The same: the session loads it.
  const { conversationId } = props.widget.storage.read();
  if (state.configuration.preChatForm && !isAtHome && !conversationId && preChatForm.module === undefined)
    return;
  // Asked for by the home screen, which needs no extras.
  if (state.view === 'list') extras.request();
  const Dialog = module?.dialogs[state.view];
  return (
    <>
      {Home && <Home {...props} />}
      <div class="panel" inert={!!Dialog}>
        {/* Before the header, so that the menu of the header covers it. */}
        <Notice {...props} />
        <Header {...props} />
        {Form && <Form {...props} />}
        <Transcript {...props} />
        {HandlingBar && <HandlingBar {...props} />}
        {Starters && <Starters {...props} />}
        <Composer key={state.visitor} {...props} />
        <Footer {...props} />
      </div>
      {Dialog && <Dialog {...props} />}
    </>
  );
}

/** Shows connection problems in one bar. It is empty if there are none. Only a refusal is not repeated by itself. */
function Notice({ store, session, widget }: ViewProps) {
  const { state } = store;
  // The string of a problem has the name of the status; `connecting` is shown in the transcript.
  const isNew = state.isRenewed && state.connection === 'online';
  const key = state.isOffline ? 'offline' : isNew ? 'renewed' : state.connection;
  const text = key !== 'connecting' && key !== 'online' && strings[key];
  // A problem that prevents sending is announced at once. (A region cannot change its role, so it is replaced.)
  const role = ['unreachable', 'refused'].includes(key) ? 'alert' : 'status';
  return (
    <div key={role} class="notice" part="notice" role={role}>
      {text && (
        <p>
          {text}{' '}
          {key === 'refused' && (
            <button
              type="button"
              class="again"
              onClick={() => {
                moveFocus(widget.frame);
                session.start().catch(() => {});
              }}
            >
              {strings.retry}
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** The lines below the composer: the AI notice, and Markdown of the site owner. Plain text does not load the Markdown bundle. */
function Footer({ store }: ViewProps) {
  const { configuration, handling } = store.state;
  const { aiNotice, footer } = configuration;
  return (
    <>
      {aiNotice && !handling?.person && (
        <p class="footer" id="ai-notice" part="ai-notice">
          {strings.aiNotice}
        </p>
      )}
      {footer && (
        <div class="footer" part="footer">
          {/[*_`[\]<\\]/.test(footer) ? <Markdown text={footer} inlineOnly /> : <Text text={footer} />}
        </div>
      )}
    </>
  );
}
