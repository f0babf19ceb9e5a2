// The properties of the tools below the text box, and whether the conversation is hidden.
import { isHome } from '../../chat/home.ts';
import type { Store } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';

export interface ComposerToolProps extends ViewProps {
  /** The text box. */
  box: { readonly current: HTMLTextAreaElement | null };
  /** The visitor must answer with a button. */
  isOff: boolean;
  /** The text box is not empty. */
  hasText: boolean;
}

/** A note of a tool above the buttons. */
export interface ToolNote {
  /** In the present language. */
  text(): string;
  isProblem: boolean;
}

/**
 * Whether the conversation is hidden, which ends all use of the microphone. Also true behind the home screen, the list of conversations and dialogs, where the text box stays.
 */
export function isConversationHidden(store: Store): boolean {
  const { isOpen, view } = store.state;
  // Without a home screen, `home` is the conversation.
  return !isOpen || isHome(store) || !['', 'home'].includes(view);
}
