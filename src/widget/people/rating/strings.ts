// The strings of this bundle in the present language.
import type { Strings } from '../../i18n/catalogue.ts';
import { addStrings } from '../../i18n/current.ts';
import type { handling } from '../../i18n/en/people.ts';
import { rating } from '../../i18n/en/rating.ts';

/** Includes the strings of the people bundle, which loads this one. */
export const strings = addStrings(rating) as Strings<typeof rating & typeof handling>;
