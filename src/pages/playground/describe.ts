// Values for people to read: what a method gave back or threw, what an event carried. Another window's errors count too.

/** The name, code and words of an error of any window; undefined for what is no error. */
function errorParts(value: unknown): Record<string, unknown> | undefined {
  if (
    typeof value !== 'object' ||
    value === null ||
    !('message' in value && 'name' in value && 'stack' in value)
  ) {
    return undefined;
  }
  const { name, code, message, retryable } = value as Record<string, unknown>;
  return { name, code, message, retryable };
}

/** A value as text: JSON, or what it is where JSON has no word for it. */
export function show(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(errorParts(value) ?? value, undefined, indent) ?? String(value);
  } catch {
    return String(value);
  }
}

/** An error in one line: `InvalidStateError not_ready: sendMessage() works after …`. */
export function showError(error: unknown): string {
  const { name, code, message } = errorParts(error) ?? { name: 'Thrown', message: show(error) };
  return `${[name, code].filter(Boolean).join(' ')}: ${message}`;
}
