// The inside of the window, put together. It holds no state of its own.
import type { Shell } from '../../launcher-chat-interface.ts';
import { tools } from '../bundles.ts';
import type { Session } from '../session/session.ts';
import type { Store } from '../store/store.ts';
import { Composer } from './Composer.tsx';
import { Footer } from './Footer.tsx';
import { Header } from './Header.tsx';
import { Notice } from './Notice.tsx';
import { Transcript } from './Transcript.tsx';

/** What every part of the view gets: it reads the store and calls the session. */
export interface ViewProps {
  store: Store;
  session: Session;
  shell: Shell;
}

export function Panel(props: ViewProps) {
  const { store } = props;
  const { configuration, history, rows } = store.state;
  // Once it is known what there is already.
  const isFresh = history !== 'unknown' && !rows.some(({ side }) => side === 'visitor');
  const Starters = configuration.starters && isFresh && tools.module?.Starters;
  const Restart = store.state.isRestarting && tools.module?.Restart;
  return (
    <>
      <div class="panel" inert={!!Restart}>
        <Header {...props} />
        <Notice {...props} />
        <Transcript {...props} />
        {Starters && <Starters {...props} />}
        <Composer key={store.state.visitor} {...props} />
        <Footer {...props} />
      </div>
      {Restart && <Restart {...props} />}
    </>
  );
}
