// A table of a report that scrolls by itself, and the button that saves it as a file.
import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { Report, ReportTable as TableName } from '../../../../protocol/inbox.ts';
import { t } from '../../../ui/texts.ts';
import { describeError } from '../api/describe-error.ts';

interface Props {
  caption: string;
  columns: readonly string[];
  rows: readonly (readonly (string | preact.JSX.Element)[])[];
}

/** The first cell of a row is its name. */
export function ReportTable({ caption, columns, rows }: Props) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys (WCAG 2.1.1)
    <section class="table-box" aria-labelledby={id} tabIndex={0}>
      <table>
        <caption id={id}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, index) =>
                index === 0 ? (
                  <th key={index} scope="row" dir="auto">
                    {cell}
                  </th>
                ) : (
                  <td key={index}>{cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Asks the server for a table as CSV. */
export type ExportTable = (table: TableName) => Promise<{ name: string; csv: string }>;

/** Saves a table as a file. `what` completes the name of the button: "Save as CSV: days". */
export function SaveButton({ table, what, save }: { table: TableName; what: string; save: ExportTable }) {
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState('');
  return (
    <p class="buttons">
      <button
        type="button"
        aria-disabled={isBusy}
        aria-label={t('Save as CSV: {what}', { what })}
        onClick={() => {
          if (isBusy) return;
          setIsBusy(true);
          void save(table)
            .then(saveFile, (error) => describeError(error, true))
            .then(setMessage)
            .finally(() => setIsBusy(false));
        }}
      >
        {t('Save as CSV')}
      </button>
      <span class="hint" role="status">
        {message}
      </span>
    </p>
  );
}

/** Milliseconds after which the browser has read the file. */
const keptFor = 60_000;

/** Returns what to tell the member. */
function saveFile({ name, csv }: { name: string; csv: string }): string {
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), keptFor);
  return t('Saved as {name}.', { name });
}

export interface SectionProps {
  report: Report;
  save: ExportTable;
}

export function Section({
  name,
  summary,
  children,
}: {
  name: string;
  /** Names and texts of visitors in it are in `bdi`. */
  summary: ComponentChildren;
  children?: ComponentChildren;
}) {
  return (
    <section class="section report-section">
      <h2>{name}</h2>
      <p class="intro summary">{summary}</p>
      {children && <div class="beside">{children}</div>}
    </section>
  );
}
