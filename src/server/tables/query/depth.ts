// Measures the nesting of a value without recursion, so that values that are too deep for recursion can be rejected.

/** True when objects and arrays are nested more than `levels` deep. */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
    level = level.filter((part) => typeof part === 'object' && part !== null);
  }
  return false;
}
