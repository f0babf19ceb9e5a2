// Puts hostile pages that do not influence each other on one page, so that a test loads it once for all of them.
import type { HostilePage } from './hostile-page.ts';

const separators = { name: '; ', css: '\n', before: '', after: '', head: '', body: '', html: ' ', csp: '; ' };

/** The pages of the table: those with the same `together` as one, at the place of the first. */
export function combinePages(pages: readonly HostilePage[]): HostilePage[] {
  const groups = new Map<string, HostilePage[]>();
  for (const page of pages) {
    const group = page.together ?? page.name;
    groups.set(group, [...(groups.get(group) ?? []), page]);
  }
  return [...groups.values()].map(([first, ...others]) => others.reduce(combine, first as HostilePage));
}

function combine(one: HostilePage, other: HostilePage): HostilePage {
  const both = { ...one, ...other };
  for (const [field, separator] of Object.entries(separators) as [keyof typeof separators, string][]) {
    const parts = [one[field], other[field]].filter((part) => part !== undefined);
    if (parts.length === 0) continue;
    // Each script has names of its own.
    const isScript = field === 'before' || field === 'after';
    both[field] = (isScript ? parts.map((part) => `{${part}}`) : parts).join(separator);
  }
  return both;
}
