// The strings of this bundle in the present language.
import type { Strings } from '../../i18n/catalogue.ts';
import { addStrings } from '../../i18n/current.ts';
import type { chat } from '../../i18n/en/chat.ts';
import type { extras } from '../../i18n/en/extras.ts';
import { ownData } from '../../i18n/en/own-data.ts';

/** Includes the strings of the chat and of the extras, which load this bundle. */
export const strings = addStrings(ownData) as Strings<typeof ownData & typeof chat & typeof extras>;
