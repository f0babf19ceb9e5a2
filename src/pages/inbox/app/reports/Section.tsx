// A section of a report: a text with the result, then a chart and a table next to it.
import type { ComponentChildren } from 'preact';
import type { Report } from '../../../../protocol/handling/report.ts';
import type { ExportTable } from './ReportTable.tsx';

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
    <section class="report-section">
      <h3>{name}</h3>
      <p class="summary">{summary}</p>
      {children && <div class="beside">{children}</div>}
    </section>
  );
}
