// The properties of the tools below the text box. Types only.
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
