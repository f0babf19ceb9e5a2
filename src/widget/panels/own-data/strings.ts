// The strings of this folder in the present language.
import en from '../../../locales/en.json' with { type: 'json' };
import { addStrings } from '../../i18n/current.ts';

/** Includes the strings of the chat and the extras: one object contains the strings of all bundles. */
export const strings = addStrings(en.widget.ownData) as typeof en.widget.ownData &
  typeof en.widget.chat &
  typeof en.widget.extras;
