// The strings of this folder in the present language.
import en from '../../../locales/en.json' with { type: 'json' };
import { addStrings } from '../../i18n/current.ts';

/** Includes the strings of the people bundle: one object contains the strings of all bundles. */
export const strings = addStrings(en.widget.push) as typeof en.widget.push & typeof en.widget.people;
