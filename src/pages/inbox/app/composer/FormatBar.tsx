// The buttons that format a reply. Where there is little space, one button shows and hides them (style/composer.css).
import type { RefObject } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { Icon } from '../../../ui/Icon.tsx';
import { t } from '../../../ui/texts.ts';
import { applyEdit, type Format, formats, toggleFormat } from './formatting.ts';

const formatNames = (): Record<Format, string> => ({
  bold: t('Bold'),
  italic: t('Italic'),
  link: t('Link'),
  list: t('List'),
  code: t('Code'),
});
/** The letters that format with Control or Command. */
const keys: Partial<Record<Format, string>> = { bold: 'b', italic: 'i', link: 'k' };

/** Toggles a format of the selection of a text box. */
export function formatSelection(box: HTMLTextAreaElement | null, format: Format): void {
  if (!box || box.readOnly) return;
  const { value: text, selectionStart: from, selectionEnd: to } = box;
  applyEdit(box, toggleFormat(format, { text, from, to }));
}

/** The format of a key, if it has one. */
export function formatOfKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): Format | undefined {
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return undefined;
  return formats.find((format) => keys[format] === key.toLowerCase());
}

export function FormatBar({ box }: { box: RefObject<HTMLTextAreaElement | null> }) {
  const id = useId();
  const names = formatNames();
  const bar = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** The button that Tab reaches; the arrow keys lead to the others. */
  const [current, setCurrent] = useState(0);
  const move = (to: number) => {
    const index = (to + formats.length) % formats.length;
    setCurrent(index);
    bar.current?.querySelectorAll('button')[index]?.focus();
  };
  return (
    <>
      <button
        type="button"
        class="plain to-formats"
        aria-label={t('Formatting')}
        title={t('Formatting')}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="text" />
      </button>
      <div
        ref={bar}
        id={id}
        class="formats"
        data-open={isOpen}
        role="toolbar"
        aria-label={t('Formatting')}
        onKeyDown={(event) => {
          const { key } = event;
          if (key === 'ArrowRight') move(current + 1);
          else if (key === 'ArrowLeft') move(current - 1);
          else if (key === 'Home') move(0);
          else if (key === 'End') move(-1);
          else return;
          event.preventDefault();
        }}
      >
        {formats.map((format, index) => {
          const name = names[format];
          const letter = keys[format]?.toUpperCase();
          return (
            <button
              key={format}
              type="button"
              class="plain"
              aria-label={name}
              aria-keyshortcuts={letter && `Control+${letter} Meta+${letter}`}
              title={letter ? t('{name} (Ctrl+{letter})', { name, letter }) : name}
              tabIndex={index === current ? 0 : -1}
              // The box keeps its selection and the keyboard of a phone.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => {
                setCurrent(index);
                formatSelection(box.current, format);
              }}
            >
              <Icon name={format === 'link' ? 'chain' : format} />
            </button>
          );
        })}
      </div>
    </>
  );
}
