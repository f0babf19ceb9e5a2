// The strings of this bundle in the present language.
import type { Strings } from '../../i18n/catalogue.ts';
import { addStrings } from '../../i18n/current.ts';
import type { chat } from '../../i18n/en/chat.ts';
import { conversations } from '../../i18n/en/conversations.ts';
import type { extras } from '../../i18n/en/extras.ts';

/** Includes the strings of the chat and of the extras, which load this bundle. */
export const strings = addStrings(conversations) as Strings<
  typeof conversations & typeof chat & typeof extras
>;
