// The strings of this folder in the present language.
import en from '../../../locales/en.json' with { type: 'json' };
import { addStrings } from '../../i18n/current.ts';

export const strings = addStrings(en.widget.voice);
