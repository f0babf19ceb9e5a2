// The strings of media and of the extras, which are one bundle, in the present language.
import en from '../../locales/en.json' with { type: 'json' };
import { addStrings } from '../i18n/current.ts';

/** Includes the strings of the chat: one object contains the strings of all bundles. */
export const strings = addStrings(en.widget.extras) as typeof en.widget.extras & typeof en.widget.chat;
