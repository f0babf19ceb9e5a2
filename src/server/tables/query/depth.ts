// Measures the nesting of a value without recursion, so that values which are too deep for recursion can be refused.

/** True when objects and arrays lie within each other in more than `levels` levels. */
export function isDeeper(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true;
    level = level.flatMap((part) => (typeof part === 'object' && part !== null ? Object.values(part) : []));
    level = level.filter((part) => typeof part === 'object' && part !== null);
  }
  return false;
}
