// The strings of this folder in the present language.
import en from '../../locales/en.json' with { type: 'json' };
import { addStrings } from '../i18n/current.ts';

/** Includes the strings of the chat: one object contains the strings of all bundles. */
export const strings = addStrings(en.widget.people) as typeof en.widget.people & typeof en.widget.chat;
