// The English strings of the app bundle: apps of the bot, which run in a frame of an answer.

export const app = {
  skipApp: 'Skip the app',
  appAddress: 'Open this address?',
  openAddress: 'Open',
  notOpened: 'Do not open',
  appDraft: 'The app has written a text into the message box',
};
