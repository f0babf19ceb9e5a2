// The words of this bundle, as they are now.
import { addWords } from '../i18n/current.ts';
import { chat } from '../i18n/en/chat.ts';

export const words = addWords(chat);
