// The English strings of the launcher. There are few, because every page view loads them.

export const launcher = {
  openChat: 'Open chat',
  closeChat: 'Close chat',
  loading: 'The chat is loading',
  loadFailed: 'The chat could not be loaded. Click to try again.',
};

/** The plural forms, for the i18n bundle. The launcher has its own function in launcher/strings.ts. */
export const unread = {
  one: 'Open chat, {count} unread message',
  other: 'Open chat, {count} unread messages',
};
