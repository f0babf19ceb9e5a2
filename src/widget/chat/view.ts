// The properties of every component of the window. A separate file, so that components need not import each other.
import type { Widget } from '../launcher-chat-interface.ts';
import type { Session } from './session/session-interface.ts';
import type { Store } from './store/store.ts';

/** A component reads the store and calls the session. */
export interface ViewProps {
  store: Store;
  session: Session;
  widget: Widget;
}
