// A dialog above the conversation that must be answered first: its title, its text, and the focus inside of it.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { mayMoveFocus } from '../../chat/components/focus.ts';
import { trapFocus } from '../../dialog-keys.ts';
import type { ModalDialogProps } from '../own-data/modal-dialog.ts';

export function ModalDialog(props: ModalDialogProps) {
  const { store, widget, title, text, opener, isBusy, onClose, children } = props;
  const dialog = useRef<HTMLDivElement>(null);
  // Before the next event: an Escape that follows at once must not reach the window.
  useLayoutEffect(() => {
    // The dialog of another visitor replaces the one that was open: then the focus may be in the page.
    if (mayMoveFocus(widget.frame)) dialog.current?.querySelector<HTMLElement>('button, input')?.focus();
  }, []);
  /** False if the dialog ends with the window: the next opening moves the focus, maybe before this effect ends. */
  const restoresFocus = useRef(true);
  // Not an effect that runs after drawing: the dialog may be answered before.
  useLayoutEffect(() => {
    return () => {
      if (!restoresFocus.current) return;
      // The conversation is inert until this change of the DOM is complete.
      void Promise.resolve().then(() =>
        widget.frame.querySelector<HTMLElement>(`[part="${opener}"]`)?.focus(),
      );
    };
  }, [widget]);
  const { isOpen } = store.state;
  useEffect(() => {
    restoresFocus.current = isOpen;
    if (!isOpen && !isBusy) onClose();
  }, [isOpen, isBusy]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.isComposing) {
      // Escape closes this dialog, and not the window behind it.
      event.preventDefault();
      event.stopPropagation();
      if (!isBusy) onClose();
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
        aria-labelledby="platform-dialog"
        aria-describedby={text && 'platform-dialog-text'}
        onKeyDown={onKeyDown}
      >
        <h2 id="platform-dialog">{title}</h2>
        {text && <p id="platform-dialog-text">{text}</p>}
        {children}
      </div>
    </div>
  );
}
