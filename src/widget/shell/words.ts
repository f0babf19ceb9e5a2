// The words of the launcher as they are now: English, until the language chunk puts others in their place.
import { shell } from '../words/en/shell.ts';

export const words = {
  ...shell,
  unread: (count: number) => `Open chat, ${count} unread message${count === 1 ? '' : 's'}`,
};
