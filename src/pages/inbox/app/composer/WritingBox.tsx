// A box for a text with its button. It grows with the text; Control and Enter send.
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../../ui/texts.ts';
import type { Colleague } from '../api/inbox-api.ts';
import { emptyVariables } from '../state/canned-answers.ts';
import { fileDrop } from './Attachments.tsx';
import { FormatBar, formatOfKey, formatSelection } from './FormatBar.tsx';
import { useFocusWithin } from './focus-within.ts';
import { MentionBox } from './MentionBox.tsx';
import type { Chosen } from './mentions.ts';

interface Props {
  label: string;
  placeholder: string;
  /** Readers of the text, if that has to be said. */
  hint?: string;
  text: string;
  isBusy: boolean;
  button: string;
  /** Empty variables of canned answers prevent sending. */
  hasVariables?: boolean;
  /** The text is Markdown, with buttons and keys for its formats. */
  hasFormats?: boolean;
  /** Colleagues that can be mentioned. */
  colleagues?: readonly Colleague[];
  /** The members that the user has chosen for the names in the text. */
  chosen?: readonly Chosen[];
  /** A slash in an empty box. */
  onSlash?(): void;
  /** Buttons before the one that sends. */
  tools?: ComponentChildren;
  /** Content that is sent with the text, above it. */
  attachments?: ComponentChildren;
  /** Something is attached, so that the text can be empty. */
  hasAttachments?: boolean;
  /** The text of the button while sending has to wait for an upload. */
  waiting?: string | undefined;
  /** Files are pasted and dropped here. */
  onFiles?(files: File[]): void;
  onText(text: string, chosen: readonly Chosen[]): void;
  onSend(): void;
}

export function WritingBox({
  label,
  placeholder,
  hint,
  text,
  isBusy,
  button,
  hasVariables = false,
  hasFormats = false,
  colleagues = [],
  chosen = [],
  tools,
  attachments,
  hasAttachments = false,
  waiting,
  onFiles,
  onSlash,
  onText,
  onSend,
}: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const isOpen = useFocusWithin(form);
  useLayoutEffect(() => {
    const resize = () => {
      const { current } = box;
      if (!current) return;
      current.style.height = 'auto';
      current.style.height = `${current.scrollHeight}px`;
    };
    resize();
    addEventListener('resize', resize);
    return () => removeEventListener('resize', resize);
  }, [text]);
  const blanks = hasVariables ? emptyVariables(text) : [];
  const select = ({ from, to }: { from: number; to: number }) => {
    box.current?.focus();
    box.current?.setSelectionRange(from, to);
  };
  const isEmpty = !text.trim() && !hasAttachments;
  const send = () => {
    if (isBusy || waiting || isEmpty) return;
    if (blanks[0]) select(blanks[0]);
    else onSend();
  };
  const described = [hint && 'writing-hint', blanks.length > 0 && 'writing-blanks'].filter(Boolean).join(' ');
  return (
    <form
      ref={form}
      class="writing-form"
      data-open={isOpen}
      data-filled={!isEmpty}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
      {...(onFiles && fileDrop(onFiles))}
    >
      {attachments}
      <MentionBox
        box={box}
        colleagues={colleagues}
        chosen={chosen}
        rows={1}
        aria-label={label}
        aria-describedby={described || undefined}
        aria-invalid={blanks.length > 0}
        placeholder={placeholder}
        text={text}
        readOnly={isBusy}
        dir="auto"
        onText={onText}
        onKeyDown={(event) => {
          const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
          if (event.key === '/' && onSlash && isPlain && text === '') {
            event.preventDefault();
            onSlash();
          }
          const format = hasFormats ? formatOfKey(event) : undefined;
          if (format) {
            event.preventDefault();
            formatSelection(event.currentTarget, format);
          }
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send();
        }}
      />
      {hasVariables && (
        <p id="writing-blanks" class="blanks" role="status">
          {blanks.length > 0 && `${t('Fill in or remove before sending:')} `}
          {blanks.map((blank) => (
            <button
              key={`${blank.from} ${blank.text}`}
              type="button"
              class="tag"
              onClick={() => select(blank)}
            >
              {blank.text}
            </button>
          ))}
        </p>
      )}
      {hint && (
        <p id="writing-hint" class="hint">
          {hint}
        </p>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the box keeps the focus, and with it the buttons stay where they are */}
      <div class="send" onMouseDown={(event) => event.preventDefault()}>
        {hasFormats && <FormatBar box={box} />}
        <span class="grow" />
        {tools}
        <button
          type="submit"
          class="main"
          aria-disabled={isBusy || waiting !== undefined || isEmpty || blanks.length > 0}
          aria-keyshortcuts="Control+Enter"
        >
          {isBusy ? t('Sending…') : (waiting ?? button)}
        </button>
      </div>
    </form>
  );
}
