// What the dialogs of this bundle use of the extras, which load it: the frame of a dialog. Types only.
import type { ComponentChildren, ComponentType } from 'preact';
import type { ViewProps } from '../../chat/view.ts';

export interface ModalDialogProps extends ViewProps {
  title: string;
  text?: string | undefined;
  /** The part of the button that has opened it: it gets the focus when the dialog has ended. */
  opener: string;
  /** Cannot be closed now. */
  isBusy?: boolean;
  /** Called when the visitor leaves the dialog with Escape, or closes the window. */
  onClose(): void;
  children: ComponentChildren;
}

export interface DialogProps extends ViewProps {
  ModalDialog: ComponentType<ModalDialogProps>;
}
