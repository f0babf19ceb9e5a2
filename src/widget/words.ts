// All words a visitor reads or hears, in one catalogue. Words with a number or a name are functions.

/** The words of the launcher; small, because every page view loads them. */
export const shellWords = {
  launcher: 'Open chat',
  launcherOpen: 'Close chat',
  unread: (count: number) => `Open chat, ${count} unread ${count === 1 ? 'message' : 'messages'}`,
  loading: 'The chat is loading',
  chunkFailed: 'The chat could not be loaded. Click to try again.',
};

/** The words inside the window. */
export const chatWords = {
  window: (botName: string) => `Chat with ${botName}`,
  close: 'Close chat',
  restart: 'Start a new conversation',
  messages: 'Messages',
  older: 'Loading earlier messages',
  beginning: 'This is the beginning of your conversation.',
  composer: 'Message',
  send: 'Send message',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Not sent',
  stopped: 'Stopped',
  retry: 'Try again',
  discard: 'Discard',
  typing: (name: string) => `${name} is typing`,
  newMessages: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
  toBottom: 'Go to the newest message',
  today: 'Today',
  yesterday: 'Yesterday',
  you: 'You',
  said: (name: string, text: string) => `${name}: ${text}`,
  connecting: 'Connecting…',
  reconnecting: 'The connection is interrupted. Trying again…',
  offline: 'You are offline. Messages will go out when you are back.',
  unreachable: 'The chat cannot be reached right now. Trying again…',
  refused: 'This chat is not available.',
  unsupported: 'This message cannot be shown here.',
  chooseFirst: 'Please choose an answer above',
  stop: 'Stop the answer',
  more: 'More',
  contactCard: 'Contact and legal',
  kinds: { image: 'Picture', audio: 'Audio', video: 'Video', file: 'File', location: 'Place' },
  chunkFailed: 'A part of the chat could not be loaded. Please try again.',
  noAnswer: 'Sorry, no answer came. Please try again.',
  newTab: 'opens in a new tab',
};
