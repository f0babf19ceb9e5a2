// Formats the results of methods and the payloads of events as text, including errors of another window.

/** The name, code and message of an error of any window; undefined for any other value. */
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

/** A value as JSON, or as a string if JSON cannot represent it. */
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
