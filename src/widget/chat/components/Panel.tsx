// The content of the window.
import { extras, home, people, preChatForm } from '../bundles.ts';
import { isHome } from '../home.ts';
import type { ViewProps } from '../view.ts';
import { Composer } from './Composer.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { Notice } from './Notice.tsx';
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
      <div class="panel" inert={!!(Dialog || isAtHome)}>
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
