// Whether the visitor sees the conversation: what listens to the microphone ends otherwise.
import type { Store } from '../../chat/store/store.ts';

/** Also true behind the home screen and the question before a restart, where the text box stays. */
export function isConversationHidden({ state }: Store): boolean {
  const { isOpen, view, configuration } = state;
  // Without a home screen, the view `home` is the conversation. (isHome is in the chat's bundle, not in this one.)
  return !isOpen || view === 'restart' || (view === 'home' && !!configuration.home);
}
