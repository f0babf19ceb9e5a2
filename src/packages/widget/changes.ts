// Compares the options of a component by value, because components create new objects with the same fields.

type Texts = Record<string, string | undefined>;

/** Each field as text, to compare it later. */
export function textsOf(fields: object | undefined): Texts {
  return Object.fromEntries(
    Object.entries(fields ?? {}).map(([name, value]) => [name, JSON.stringify(value)]),
  );
}

/** The fields that differ by value, with undefined for removed ones; undefined without a difference. */
export function changes<T extends object>(before: Texts, now: Texts, fields: T | undefined): T | undefined {
  const names = Object.keys({ ...before, ...now }).filter((name) => before[name] !== now[name]);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map((name) => [name, (fields as Record<string, unknown>)?.[name]])) as T;
}
