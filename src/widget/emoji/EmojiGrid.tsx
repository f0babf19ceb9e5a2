// The grid of emoji: the Tab key reaches one of them, and the arrow keys the others.
import { useState } from 'preact/hooks';
import { language } from '../i18n/current.ts';
import type { Emoji } from './emoji.ts';
import { columns, indexAfter } from './grid-keys.ts';

interface Props {
  title: string;
  shown: readonly Emoji[];
  /** @param isMore the Shift key was pressed, which keeps the list open. */
  onChoose(emoji: Emoji, isMore: boolean): void;
}

export function EmojiGrid({ title, shown, onChoose }: Props) {
  const [current, setCurrent] = useState(0);
  // In other languages there are no labels: screen readers have names of the characters in their language.
  const isEnglish = language.locale.startsWith('en');
  const rows: Emoji[][] = [];
  for (let i = 0; i < shown.length; i += columns) rows.push(shown.slice(i, i + columns));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the cells of a table are not controls
    <div
      role="grid"
      aria-label={title}
      onKeyDown={(event) => {
        const next = indexAfter(event, current, shown.length, columns);
        if (next === undefined) return;
        setCurrent(next);
        event.currentTarget.querySelector<HTMLElement>(`[data-index="${next}"]`)?.focus();
      }}
      onClick={(event) => {
        const index = Number((event.target as HTMLElement).dataset.index);
        const emoji = shown[index];
        if (!emoji) return;
        setCurrent(index);
        onChoose(emoji, event.shiftKey);
      }}
    >
      {rows.map((row, rowIndex) => (
        // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its cells take the focus
        <div key={row[0]?.char} role="row">
          {row.map(({ char, name }, column) => {
            const index = rowIndex * columns + column;
            return (
              // biome-ignore lint/a11y/useSemanticElements: the cells of a table are not controls
              <button
                key={char}
                type="button"
                role="gridcell"
                data-index={index}
                tabIndex={index === current ? 0 : -1}
                aria-label={isEnglish ? name : undefined}
                title={isEnglish ? name : undefined}
              >
                {char}
              </button>
            );
          })}
        </div>
      ))}
    </div>
  );
}
