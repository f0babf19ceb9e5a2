// The content of the window.
import { extras } from '../bundles.ts';
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
  const RestartDialog = state.isRestarting && module?.RestartDialog;
  return (
    <>
      <div class="panel" inert={!!RestartDialog}>
        <Header {...props} />
        <Notice {...props} />
        <Transcript {...props} />
        {Starters && <Starters {...props} />}
        <Composer key={state.visitor} {...props} />
        <Footer {...props} />
      </div>
      {RestartDialog && <RestartDialog {...props} />}
    </>
  );
}
