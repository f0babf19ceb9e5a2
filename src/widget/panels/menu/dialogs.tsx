// Dialogs above the conversation, by the view of the window that asks for them.
import type { ComponentType } from 'preact';
import { lazyBundle } from '../../chat/lazy-bundle.ts';
import type { State } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { ModalDialog } from './ModalDialog.tsx';
import { strings } from './strings.ts';

// One bundle. A failure of one of the two does not prevent another attempt of the other.
const conversations = lazyBundle(() => import('../main.ts'));
const ownData = lazyBundle(() => import('../main.ts'));

/** Another visitor gets another dialog: what one has found, read or entered is not for the next. */
function visitorOf({ store, session, widget }: ViewProps): string | undefined {
  // Subscribes to the change of the visitor. It is also another number for a draft, which concerns no dialog.
  void store.state.visitor;
  // The record already names a returning visitor while the session connects.
  return session.context.identity.userId ?? widget.storage.read().userId;
}

/** The list of conversations, whose code is loaded with its first opening. */
function List(props: ViewProps) {
  if (conversations.module === null) props.store.setView('');
  conversations.request();
  const { ConversationList } = conversations.module ?? {};
  return ConversationList ? <ConversationList key={visitorOf(props)} {...props} /> : null;
}

/** The question before the visitor's data is deleted. The menu loads its code. */
function Deletion(props: ViewProps) {
  const { DeletionDialog } = ownData.module ?? {};
  return DeletionDialog ? <DeletionDialog {...props} ModalDialog={ModalDialog} /> : null;
}

/** The address to which the conversation is sent. The menu loads its code. */
function Mail(props: ViewProps) {
  const { MailDialog } = ownData.module ?? {};
  return MailDialog ? <MailDialog key={visitorOf(props)} {...props} ModalDialog={ModalDialog} /> : null;
}

/** The code for the visitor's own data. */
export const loadOwnData = ownData.get;

/** Opens a dialog about the visitor's own data when its code is loaded. */
export const openOwnData = ({ store }: ViewProps, view: 'delete' | 'mail'): void =>
  ownData.load(() => store.setView(view));

/** Without a prototype, to which the page may have added names. To the compiler, `__proto__` is another property. */
export const dialogs = {
  __proto__: null,
  restart: RestartDialog,
  list: List,
  delete: Deletion,
  mail: Mail,
} as unknown as { [View in State['view']]?: ComponentType<ViewProps> };

/** Asks the visitor before the conversation is replaced by a new one. */
function RestartDialog(props: ViewProps) {
  const { store, session } = props;
  const close = () => store.setView('');
  return (
    <ModalDialog
      {...props}
      title={strings.restartQuestion}
      text={strings.restartExplained}
      opener="restart"
      onClose={close}
    >
      <div class="choices">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button
          type="button"
          class="button go"
          onClick={() => {
            close();
            session.methods.restartConversation().catch(() => {});
          }}
        >
          {strings.restartConfirm}
        </button>
      </div>
    </ModalDialog>
  );
}
