// The order of all values that a row can contain.

/** Types in ascending order. */
const ranks = ['null', 'boolean', 'number', 'string', 'array', 'object'] as const;

/** Returns the JSON type of a value; a missing value is null. */
export function typeOf(value: unknown): (typeof ranks)[number] {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'boolean' || type === 'number' || type === 'string' ? type : 'object';
}

/**
 * Returns less than 0 when `a` sorts before `b`, and 0 when they are equal. Order of types: null, booleans, numbers,
 * texts, arrays, objects. False sorts before true; texts by UTF-16 code unit, so case matters; arrays item by item;
 * objects by their JSON with sorted keys, so the order of keys does not matter.
 */
export function compare(a: unknown, b: unknown): number {
  const type = typeOf(a);
  const other = typeOf(b);
  if (type !== other) return ranks.indexOf(type) - ranks.indexOf(other);
  switch (type) {
    case 'null':
      return 0;
    case 'boolean':
    case 'number':
      return Number(a) - Number(b);
    case 'string':
      return order(a as string, b as string);
    case 'array':
      return compareItems(a as unknown[], b as unknown[]);
    case 'object':
      return order(cachedText(a as object), cachedText(b as object));
  }
}

const texts = new WeakMap<object, string>();

/** Returns the canonical text of an immutable object or list, which is computed once for all comparisons. */
export function cachedText(value: object): string {
  const cached = texts.get(value);
  if (cached !== undefined) return cached;
  const text = canonicalText(value);
  texts.set(value, text);
  return text;
}

/** Returns JSON with sorted keys: equal values have equal texts. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  if (typeOf(value) !== 'object') return JSON.stringify(value ?? null);
  const object = value as Record<string, unknown>;
  const fields = Object.keys(object).sort();
  return `{${fields.map((key) => `${JSON.stringify(key)}:${canonicalText(object[key])}`).join(',')}}`;
}

function compareItems(a: unknown[], b: unknown[]): number {
  for (const [index, item] of a.entries()) {
    if (index >= b.length) return 1;
    const difference = compare(item, b[index]);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function order(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
