// A table of things of the server: rows, "Show more", and what is shown while there are none. On a phone each row is a card.
import type { ComponentChildren } from 'preact';
import { Empty, Loading, Problem } from './Page.tsx';
import type { Paged } from './paged.ts';
import { t } from './texts.ts';
import './style/tables.css';

export interface Column<Row> {
  name: string;
  cell(row: Row): ComponentChildren;
  /** For figures, which end at the same side. */
  isNumber?: boolean;
  /** The column of buttons: its heading is for screen readers. */
  isActions?: boolean;
}

interface Props<Row> {
  /** The name of the table, for screen readers. */
  caption: string;
  columns: readonly Column<Row>[];
  list: Paged<Row>;
  keyOf(row: Row): string;
  /** Shown instead of an empty table. */
  empty: ComponentChildren;
}

export function Table<Row>({ caption, columns, list, keyOf, empty }: Props<Row>) {
  const { items, hasMore, isLoading, problem, more, reload } = list;
  if (!items) return problem ? <Problem text={problem} onRetry={reload} /> : <Loading />;
  if (items.length === 0) return <Empty>{empty}</Empty>;
  return (
    <>
      <table class="data-table">
        <caption class="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, isActions }) => (
              <th key={name} scope="col" data-number={isNumber}>
                <span class={isActions ? 'visually-hidden' : undefined}>{name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isNumber, isActions }) => (
                <td
                  key={name}
                  data-label={isActions ? undefined : name}
                  data-number={isNumber}
                  data-actions={isActions}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {problem && <Problem text={problem} onRetry={more} />}
      {hasMore && (
        <p class="more">
          <button type="button" aria-disabled={isLoading} onClick={more}>
            {isLoading ? t('Loading…') : t('Show more')}
          </button>
        </p>
      )}
    </>
  );
}
