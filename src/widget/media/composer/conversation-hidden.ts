// Whether the visitor sees the conversation: what listens to the microphone ends otherwise.
import { isHome } from '../../chat/home.ts';
import type { Store } from '../../chat/store/store.ts';

/** Also true behind the home screen, the list of conversations and dialogs, where the text box stays. */
export function isConversationHidden(store: Store): boolean {
  const { isOpen, view } = store.state;
  // Without a home screen, `home` is the conversation.
  return !isOpen || isHome(store) || !['', 'home'].includes(view);
}
