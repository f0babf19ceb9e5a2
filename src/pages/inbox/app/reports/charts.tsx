// Charts of reports: bars in SVG with patterns and colors. A text and a table next to them contain the same data.
// Why not a library for charts: 40 KB for rectangles, and most draw on a canvas (decision 126).
import type { ComponentChildren } from 'preact';
import { numberText, topOf } from './figure-texts.ts';

/** How a bar is filled: plain, or with stripes. */
export type Fill = 'plain' | 'striped';

/** The pattern of stripes, once in the page; its lines have the width of the screen, however wide a bar is. */
export function Patterns() {
  return (
    <svg class="patterns" aria-hidden="true">
      <defs>
        <pattern
          id="stripes"
          width="6"
          height="6"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect class="stripe-ground" width="6" height="6" />
          <rect class="stripe" width="3" height="6" />
        </pattern>
      </defs>
    </svg>
  );
}

export function Legend({ entries }: { entries: readonly (readonly [Fill, string])[] }) {
  return (
    <ul class="legend">
      {entries.map(([fill, name]) => (
        <li key={name}>
          <svg aria-hidden="true">
            <rect class={fill} width="100%" height="100%" />
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
}

interface Column {
  label: string;
  /** From the bottom to the top. */
  parts: readonly (readonly [Fill, number])[];
}

/** Upright bars side by side. `label`: what the chart shows. */
export function ColumnChart({ label, columns }: { label: string; columns: readonly Column[] }) {
  const totals = columns.map(({ parts }) => parts.map(([, value]) => value).reduce((a, b) => a + b, 0));
  const top = topOf(Math.max(0, ...totals));
  const width = 100 / columns.length;
  const shown = [...new Set([0, Math.floor((columns.length - 1) / 2), columns.length - 1])];
  return (
    <div class="columns">
      <div class="axis" aria-hidden="true">
        <span>{numberText(top)}</span>
        {top > 1 && <span>{numberText(top / 2)}</span>}
        <span>0</span>
      </div>
      <svg role="img" aria-label={label}>
        <line class="grid" x1="0" x2="100%" y1="0.5" y2="0.5" />
        {top > 1 && <line class="grid" x1="0" x2="100%" y1="50%" y2="50%" />}
        {columns.map(({ label: name, parts }, index) => {
          let below = 0;
          return (
            <g key={name}>
              <title>{`${name}: ${numberText(totals[index] ?? 0)}`}</title>
              {parts.map(([fill, value]) => {
                below += value;
                return (
                  <rect
                    key={fill}
                    class={fill}
                    x={`${(index + 0.1) * width}%`}
                    width={`${width * 0.8}%`}
                    y={`${100 - (below / top) * 100}%`}
                    height={`${(value / top) * 100}%`}
                  />
                );
              })}
            </g>
          );
        })}
        <line class="base" x1="0" x2="100%" y1="100%" y2="100%" />
      </svg>
      <div class="dates" aria-hidden="true">
        {shown.map((index) => (
          <span key={index}>{columns[index]?.label.split(' – ')[0]}</span>
        ))}
      </div>
    </div>
  );
}

export interface BarRow {
  name: string;
  bars: readonly { fill: Fill; share: number; text: string }[];
}

interface BarListProps {
  label: string;
  rows: readonly BarRow[];
  /** The names are next to the bars, not above them. */
  hasShortNames?: boolean;
}

/** Bars below each other, with a name before and a value behind them. */
export function BarList({ label, rows, hasShortNames = false }: BarListProps) {
  return (
    <div class="bar-list" role="img" aria-label={label} data-short={hasShortNames}>
      {rows.map(({ name, bars }) => (
        <div class="bar-row" key={name} aria-hidden="true">
          <span class="name" dir="auto">
            {name}
          </span>
          {bars.map(({ fill, share, text }) => (
            <div class="bar-value" key={fill}>
              <svg aria-hidden="true">
                <rect class={fill} width={`${Math.min(1, share) * 100}%`} height="100%" />
              </svg>
              <span>{text}</span>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

export function Chart({ children }: { children: ComponentChildren }) {
  return <div class="chart">{children}</div>;
}
