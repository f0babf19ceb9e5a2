// Whether the visitor sees the conversation: what listens to the microphone ends otherwise.
import { isHome } from '../../chat/home.ts';
import type { Store } from '../../chat/store/store.ts';

/** Also true behind the home screen and the question before a restart, where the text box stays. */
export function isConversationHidden(store: Store): boolean {
  return !store.state.isOpen || store.state.view === 'restart' || isHome(store);
}
