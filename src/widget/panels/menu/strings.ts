// The strings of this bundle in the present language.
import type { Strings } from '../../i18n/catalogue.ts';
import { addStrings } from '../../i18n/current.ts';
import type { chat } from '../../i18n/en/chat.ts';
import { extras } from '../../i18n/en/extras.ts';

/** Includes the strings of the chat: one object contains the strings of all bundles. */
export const strings = addStrings(extras) as Strings<typeof extras & typeof chat>;
