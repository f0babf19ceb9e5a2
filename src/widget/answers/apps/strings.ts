// The strings of this bundle in the present language.
import type { Strings } from '../../i18n/catalogue.ts';
import { addStrings } from '../../i18n/current.ts';
import { app } from '../../i18n/en/app.ts';

export const strings = addStrings(app) as Strings<typeof app>;
