// Creates ids for messages and for requests that may be repeated. Pure except for randomness.

/** 128 random bits as hex. (crypto.randomUUID is missing on http pages.) */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}
