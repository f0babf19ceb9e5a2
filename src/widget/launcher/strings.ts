// The words of the launcher as they are now: English, until the language chunk puts others in their place.
import { shell } from '../i18n/en/launcher.ts';

export const words = {
  ...shell,
  unread: (count: number) => `Open chat, ${count} unread message${count === 1 ? '' : 's'}`,
};
