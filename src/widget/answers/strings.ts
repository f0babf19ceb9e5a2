// The strings of this bundle in the present language.
import type { Strings } from '../i18n/catalogue.ts';
import { addStrings } from '../i18n/current.ts';
import type { chat } from '../i18n/en/chat.ts';
import { parts } from '../i18n/en/parts.ts';

/** Includes the strings of the chat: one object contains the strings of all bundles. */
export const strings = addStrings(parts) as Strings<typeof parts & typeof chat>;
