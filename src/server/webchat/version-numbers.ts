// Version numbers of the widget: which names are versions, their order, and the newest of the last minor versions.

/** True for a version such as `0.3.0` or `0.3.0-beta.1`. */
export const isVersion = (name: string): boolean =>
  /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z][0-9A-Za-z.-]{0,30})?$/.test(name) && !name.includes('..');

/** Sorts by number; a version with a suffix comes before the one without. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  for (const i of [0, 1, 2] as const)
    if (left.numbers[i] !== right.numbers[i]) return (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
  if (left.suffix === right.suffix) return 0;
  if (left.suffix === '' || right.suffix === '') return left.suffix === '' ? 1 : -1;
  return left.suffix.localeCompare(right.suffix, 'en', { numeric: true });
}

/** The versions of the last `count` minor versions (0.3.x, 0.2.x, …) of a list. */
export function minorsOf(versions: readonly string[], count: number): Set<string> {
  const minor = (version: string) => parse(version).numbers.slice(0, 2).join('.');
  const newest = [...versions].sort(compareVersions).reverse();
  const last = [...new Set(newest.map(minor))].slice(0, count);
  return new Set(versions.filter((version) => last.includes(minor(version))));
}

function parse(version: string): { numbers: number[]; suffix: string } {
  const [, core = '', suffix = ''] = /^([\d.]+)-?(.*)$/.exec(version) ?? [];
  return { numbers: core.split('.').map(Number), suffix };
}
