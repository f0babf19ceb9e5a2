// The English words of the launcher; few, because every page view loads them.

export const shell = {
  openChat: 'Open chat',
  closeChat: 'Close chat',
  loading: 'The chat is loading',
  loadFailed: 'The chat could not be loaded. Click to try again.',
};

/** The same, for the language chunk, which knows how to choose a form; the launcher's own way is in shell/words.ts. */
export const unread = {
  one: 'Open chat, {count} unread message',
  other: 'Open chat, {count} unread messages',
};
