// Reads the text format of Prometheus in tests.
import { expect } from 'vitest';

export interface Figures {
  /** Value by name and labels, as written: `a{b="c"}`. */
  samples: Map<string, number>;
  /** Type by the name of the metric. */
  types: Map<string, string>;
  text: string;
}

/** Parses the text format of Prometheus and fails for anything else. */
export function parse(text: string): Figures {
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  const helps = new Set<string>();
  for (const line of text.split('\n').filter(Boolean)) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) ([a-z0-9_]+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') helps.add(name);
    else if (kind === 'TYPE') types.set(name, rest);
    else {
      const sample = /^([a-z0-9_]+)(\{(?:[a-z_]+="[^"\\]*",?)+\})? (-?[\d.e+-]+|Na[Nn]|\+Inf)$/.exec(line);
      if (!sample) throw new Error(`This is not a sample: ${line}`);
      const [, metric = '', labels = '', value] = sample;
      const base = metric.replace(/_(?:bucket|sum|count)$/, '');
      expect([metric, types.has(metric) || types.get(base) === 'histogram' || types.has(base)]).toEqual([
        metric,
        true,
      ]);
      expect(samples.has(metric + labels), line).toBe(false);
      samples.set(metric + labels, Number(value));
    }
  }
  for (const name of types.keys()) expect(helps).toContain(name);
  return { samples, types, text };
}
