// The grid of emoji: the Tab key reaches one of them, and the arrow keys the others.
import { Component } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { language } from '../../i18n/current.ts';
import type { Emoji } from './emoji.ts';
import { columns, indexAfter } from './grid-keys.ts';

interface Props {
  title: string;
  shown: readonly Emoji[];
  /** @param isMore the Shift key was pressed, which keeps the list open. */
  onChoose(emoji: Emoji, isMore: boolean): void;
}

/** Emoji that are rendered in one task: the visible ones. All 317 of a group took 148 ms on a slow phone. */
const slice = 6 * columns;

export function EmojiGrid({ title, shown, onChoose }: Props) {
  const [current, setCurrent] = useState(0);
  const [limit, setLimit] = useState(slice);
  useEffect(() => {
    if (limit >= shown.length) return;
    const timer = setTimeout(() => setLimit(limit + slice));
    return () => clearTimeout(timer);
  }, [limit, shown]);
  const rows = useMemo(() => {
    const all: Emoji[][] = [];
    for (let i = 0; i < shown.length; i += columns) all.push(shown.slice(i, i + columns));
    return all;
  }, [shown]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the cells of a table are not controls
    <div
      role="grid"
      aria-label={title}
      aria-rowcount={Math.ceil(shown.length / columns)}
      onKeyDown={(event) => {
        const next = indexAfter(event, current, Math.min(limit, shown.length), columns);
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
      {rows.slice(0, limit / columns).map((row, index) => (
        <Row
          key={row[0]?.char}
          row={row}
          start={index * columns}
          current={Math.floor(current / columns) === index ? current : -1}
        />
      ))}
    </div>
  );
}

interface RowProps {
  row: readonly Emoji[];
  start: number;
  /** The index of the emoji that the Tab key reaches, if it is in this row. */
  current: number;
}

class Row extends Component<RowProps> {
  // A new slice renders only its own rows.
  override shouldComponentUpdate({ row, current }: RowProps) {
    return row !== this.props.row || current !== this.props.current;
  }

  override render({ row, start, current }: RowProps) {
    // In other languages there are no labels: screen readers have names of the characters in their language.
    const isEnglish = language.locale.startsWith('en');
    return (
      // biome-ignore lint/a11y/useSemanticElements lint/a11y/useFocusableInteractive: its cells take the focus
      <div role="row" aria-rowindex={start / columns + 1}>
        {row.map(({ char, name }, column) => (
          // biome-ignore lint/a11y/useSemanticElements: the cells of a table are not controls
          <button
            key={char}
            type="button"
            role="gridcell"
            data-index={start + column}
            tabIndex={start + column === current ? 0 : -1}
            aria-label={isEnglish ? name : undefined}
            title={isEnglish ? name : undefined}
          >
            {char}
          </button>
        ))}
      </div>
    );
  }
}
