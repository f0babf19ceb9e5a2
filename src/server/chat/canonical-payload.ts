// Brings a payload into the one spelling that is stored and sent. It checks nothing: schemas.ts does.

/**
 * A payload in the one spelling that is stored and sent. Both spellings of the wild come in: carousel items with
 * and without `type: 'card'`, bloc items flat and nested as `{type, payload}`. Anything else stays as it is.
 */
export function canonicalPayload(given: unknown): unknown {
  if (!isObject(given) || !Array.isArray(given.items)) return given;
  if (given.type === 'carousel') {
    return {
      ...given,
      items: given.items.map((item) => (isObject(item) ? { type: 'card', ...item } : item)),
    };
  }
  if (given.type === 'bloc') {
    return {
      ...given,
      items: given.items.map((item) =>
        isObject(item) && isObject(item.payload) ? { ...item.payload, type: item.type } : item,
      ),
    };
  }
  return given;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
