// The strings of the launcher in the present language: English, until the i18n bundle replaces them in place.
import { launcher } from '../i18n/en/launcher.ts';

export const strings = {
  ...launcher,
  unread: (count: number) => `Open chat, ${count} unread message${count === 1 ? '' : 's'}`,
};
