// A box for a text with its button. It grows with the text; Control and Enter send.
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  label: string;
  placeholder: string;
  /** Who sees it, if that has to be said. */
  hint?: string;
  text: string;
  isBusy: boolean;
  button: string;
  onText(text: string): void;
  onSend(): void;
}

export function WritingBox({ label, placeholder, hint, text, isBusy, button, onText, onSend }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    current.style.height = 'auto';
    current.style.height = `${current.scrollHeight + 2}px`;
  }, [text]);
  const send = () => {
    if (!isBusy && text.trim()) onSend();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <textarea
        ref={box}
        rows={2}
        aria-label={label}
        aria-describedby={hint ? 'writing-hint' : undefined}
        placeholder={placeholder}
        value={text}
        readOnly={isBusy}
        dir="auto"
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <div class="send">
        {hint && (
          <p id="writing-hint" class="hint">
            {hint}
          </p>
        )}
        <span class="grow" />
        <button
          type="submit"
          class="main"
          aria-disabled={isBusy || !text.trim()}
          aria-keyshortcuts="Control+Enter"
        >
          {isBusy ? 'Sending…' : button}
        </button>
      </div>
    </form>
  );
}
