// Converts a payload to the canonical form that is stored and sent. Must run before the validation by schemas.ts.

/**
 * A payload in canonical form. Existing clients send two variants: carousel items with and without `type: 'card'`, bloc
 * items flat and nested as `{type, payload}`. Any other value is returned unchanged.
 */
export function canonicalPayload(payload: unknown): unknown {
  if (!isObject(payload) || !Array.isArray(payload.items)) return payload;
  if (payload.type === 'carousel') {
    return {
      ...payload,
      items: payload.items.map((item) => (isObject(item) ? { type: 'card', ...item } : item)),
    };
  }
  if (payload.type === 'bloc') {
    return {
      ...payload,
      items: payload.items.map((item) =>
        isObject(item) && isObject(item.payload) ? { ...item.payload, type: item.type } : item,
      ),
    };
  }
  return payload;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
