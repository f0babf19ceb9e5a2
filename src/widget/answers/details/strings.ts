// The strings of this folder in the present language.
import en from '../../../locales/en.json' with { type: 'json' };
import { addStrings } from '../../i18n/current.ts';

/** Includes the strings of the chat, the answers and the questions: one object contains the strings of all bundles. */
export const strings = addStrings(en.widget.details) as typeof en.widget.details &
  typeof en.widget.interrupt &
  typeof en.widget.chat &
  typeof en.widget.parts;
