// The strings of this bundle in the present language.
import { addStrings } from '../i18n/current.ts';
import { chat } from '../i18n/en/chat.ts';

export const strings = addStrings(chat);
