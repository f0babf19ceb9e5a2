// The strings of this bundle in the present language.
import { addStrings } from '../../i18n/current.ts';
import { voice } from '../../i18n/en/voice.ts';

export const strings = addStrings(voice);
