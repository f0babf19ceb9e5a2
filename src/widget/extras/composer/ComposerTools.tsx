// The row of buttons below the text box: files and emoji.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ViewProps } from '../../chat/view.ts';
import type * as EmojiBundle from '../../emoji/main.tsx';
import { Icon } from '../../icon.tsx';
import { AttachButton } from '../attachments/AttachButton.tsx';
import { icons } from '../icons.ts';
import { strings } from '../strings.ts';

export interface ComposerToolProps extends ViewProps {
  /** The text box. */
  box: { readonly current: HTMLTextAreaElement | null };
  /** The visitor must answer with a button. */
  isOff: boolean;
}

/** The component of the row; undefined if a single row of text box and buttons is enough. */
export const composerTools = ({ store }: ViewProps) =>
  store.state.configuration.emojiPicker ? ComposerTools : undefined;

let emojiBundle: typeof EmojiBundle | undefined;

function ComposerTools(props: ComposerToolProps) {
  const { store, widget, isOff } = props;
  const { isOpen } = store.state;
  const button = useRef<HTMLButtonElement>(null);
  const [hasPicker, setHasPicker] = useState(false);
  useEffect(() => {
    if (isOff || !isOpen) setHasPicker(false);
  }, [isOff, isOpen]);

  const toggle = async () => {
    if (hasPicker) return setHasPicker(false);
    try {
      emojiBundle ??= await import('../../emoji/main.tsx');
      widget.adopt('emoji', emojiBundle.css);
      setHasPicker(true);
    } catch {
      // Not loaded: another click tries again.
    }
  };
  const Picker = hasPicker && emojiBundle?.EmojiPicker;
  return (
    <>
      {Picker && (
        <Picker {...props} onClose={() => setHasPicker(false)} focusButton={() => button.current?.focus()} />
      )}
      {store.canAttach() && <AttachButton {...props} />}
      <button
        ref={button}
        type="button"
        class="tool"
        part="emoji"
        aria-label={strings.emoji}
        title={strings.emoji}
        aria-expanded={!!Picker}
        disabled={isOff}
        onClick={toggle}
      >
        <Icon path={icons.emoji} />
      </button>
    </>
  );
}
