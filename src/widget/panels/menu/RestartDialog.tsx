// Asks the visitor before the conversation is replaced by a new one.
import type { ViewProps } from '../../chat/view.ts';
import { ModalDialog } from './ModalDialog.tsx';
import { strings } from './strings.ts';

export function RestartDialog(props: ViewProps) {
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
