// Converts values to JSON on pages that have changed how JSON is written.

/** Converts a request body to JSON. */
export const toJson = (value: unknown): string => JSON.stringify(value, keepPlain);

/** For JSON.stringify. A page may add a `toJSON` to all arrays or objects (Prototype.js); this keeps their values. */
function keepPlain(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const original = this[key] as { toJSON?: unknown } | undefined | null;
  const isPlain = Array.isArray(original) || original?.toJSON === ({} as { toJSON?: unknown }).toJSON;
  return isPlain ? original : value;
}
