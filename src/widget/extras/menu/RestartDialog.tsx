// Asks the visitor before the conversation is replaced by a new one.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ViewProps } from '../../chat/view.ts';
import { trapFocus } from '../accessibility/focus-trap.ts';
import { strings } from '../strings.ts';

export function RestartDialog({ store, session, widget }: ViewProps) {
  const dialog = useRef<HTMLDivElement>(null);
  const cancel = useRef<HTMLButtonElement>(null);
  // Before the next event: an Escape that follows at once must not reach the window.
  useLayoutEffect(() => cancel.current?.focus(), []);
  /** False if the dialog ends with the window: the next opening moves the focus, maybe before this effect ends. */
  const restoresFocus = useRef(true);
  useEffect(() => {
    return () => {
      if (restoresFocus.current) widget.frame.querySelector<HTMLElement>('[part="restart"]')?.focus();
    };
  }, [widget]);
  const close = () => store.setView('');
  const { isOpen } = store.state;
  useEffect(() => {
    if (isOpen) return;
    restoresFocus.current = false;
    close();
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // Escape closes this dialog, and not the window behind it.
      event.preventDefault();
      event.stopPropagation();
      close();
    }
    if (dialog.current) trapFocus(event, dialog.current);
  };
  return (
    <div class="veil">
      <div
        ref={dialog}
        class="dialog"
        part="dialog"
        role="alertdialog"
        aria-modal="true"
        aria-labelledby="platform-restart"
        aria-describedby="platform-restart-explained"
        onKeyDown={onKeyDown}
      >
        <h2 id="platform-restart">{strings.restartQuestion}</h2>
        <p id="platform-restart-explained">{strings.restartExplained}</p>
        <div class="choices">
          <button ref={cancel} type="button" class="button" onClick={close}>
            {strings.cancel}
          </button>
          <button
            type="button"
            class="button go"
            onClick={() => {
              close();
              session.ask('restartConversation').catch(() => {});
            }}
          >
            {strings.restartConfirm}
          </button>
        </div>
      </div>
    </div>
  );
}
