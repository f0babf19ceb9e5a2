// The part of the names of the buttons of a message that says which message it is.

/** The beginning of a message, which distinguishes its buttons for screen readers. */
export const messageLabel = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 40);
