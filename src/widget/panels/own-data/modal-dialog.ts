// The frame of a dialog, which the menu gives to the dialogs of this folder. Types only.
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
