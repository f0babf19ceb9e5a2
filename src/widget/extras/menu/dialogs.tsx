// What is shown above the conversation, by the view of the window that asks for it.
import type { ComponentType } from 'preact';
import { lazyBundle } from '../../chat/lazy-bundle.ts';
import type { State } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { RestartDialog } from './RestartDialog.tsx';

const conversations = lazyBundle(() => import('../../conversations/main.tsx'));

/** The list of conversations, whose code is loaded with its first opening. */
function List(props: ViewProps) {
  if (conversations.module === null) props.store.setView('');
  conversations.request();
  const { ConversationList } = conversations.module ?? {};
  return ConversationList ? <ConversationList {...props} /> : null;
}

/** Without a prototype, to which the page may have added names. */
export const dialogs = {
  __proto__: null,
  restart: RestartDialog,
  list: List,
} as unknown as { [View in State['view']]?: ComponentType<ViewProps> };
