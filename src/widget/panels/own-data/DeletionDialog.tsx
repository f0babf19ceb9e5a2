// Asks the visitor before all their data is deleted, deletes it, and says what came of it.
import { Component } from 'preact';
import { deleteData } from './delete-data.ts';
import type { DialogProps } from './modal-dialog.ts';
import { strings } from './strings.ts';

interface DeletionState {
  phase?: 'asking' | 'deleting' | 'failed' | 'deleted';
}

export class DeletionDialog extends Component<DialogProps, DeletionState> {
  readonly first = { current: null as HTMLButtonElement | null };

  override componentDidUpdate(_: DialogProps, { phase: before }: DeletionState) {
    const { phase } = this.state;
    // A second press on the button must not press the one that has taken its place.
    if (phase === 'deleted' && before !== phase) this.first.current?.focus();
  }

  async #delete() {
    if (this.state.phase === 'deleting') return;
    const { session, store } = this.props;
    const { announce, report, start } = session.context;
    this.setState({ phase: 'deleting' });
    announce(strings.deleting);
    try {
      await deleteData(session);
      this.setState({ phase: 'deleted' });
      announce(strings.deleted);
    } catch (error) {
      if (session.context.widget.signal.aborted) return;
      report(error);
      this.setState({ phase: 'failed' });
      announce(strings.deleteFailed);
      // The conversation is shown again behind the dialog.
      if (store.state.history === 'unknown') start().catch(() => {});
    }
  }

  /** Shows what comes first in a new chat. */
  #leave(begins: boolean) {
    const { store, session, widget } = this.props;
    store.setView('home');
    if (!begins) widget.close();
    else if (!store.state.configuration.home) session.start().catch(() => {});
  }

  #renderDeleted() {
    const { ModalDialog, ...props } = this.props;
    // An embedded chat cannot be closed.
    const canClose = props.widget.frame.getAttribute('role') === 'dialog';
    return (
      <ModalDialog
        {...props}
        title={strings.deleted}
        text={strings.deletedExplained}
        opener="more"
        onClose={() => this.#leave(!canClose)}
      >
        <div class="choices">
          {canClose && (
            <button
              key="close"
              ref={this.first}
              type="button"
              class="button"
              onClick={() => this.#leave(false)}
            >
              {strings.close}
            </button>
          )}
          <button
            key="new"
            {...(!canClose && { ref: this.first })}
            type="button"
            class="button go"
            onClick={() => this.#leave(true)}
          >
            {strings.restartConfirm}
          </button>
        </div>
      </ModalDialog>
    );
  }

  override render({ ModalDialog, ...props }: DialogProps, { phase = 'asking' }: DeletionState) {
    if (phase === 'deleted') return this.#renderDeleted();
    const isBusy = phase === 'deleting';
    const close = () => props.store.setView('');
    return (
      <ModalDialog
        {...props}
        title={strings.deleteQuestion}
        text={strings.deleteExplained}
        opener="more"
        isBusy={isBusy}
        onClose={close}
      >
        {phase === 'failed' && <p class="dialog-problem">{strings.deleteFailed}</p>}
        <div class="choices">
          <button
            key="cancel"
            type="button"
            class="button"
            aria-disabled={isBusy}
            onClick={() => isBusy || close()}
          >
            {strings.cancel}
          </button>
          <button
            key="delete"
            type="button"
            class="button go"
            part="delete-data"
            aria-disabled={isBusy}
            onClick={() => void this.#delete()}
          >
            {isBusy ? strings.deleting : strings.deleteConfirm}
          </button>
        </div>
      </ModalDialog>
    );
  }
}
