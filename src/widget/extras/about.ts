// How the buttons of a message name it.

/** The beginning of a message, which distinguishes its buttons for screen readers. */
export const about = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 40);
