// The entry point of the voice bundle, which the first click on its button loads.
import { addStrings } from '../i18n/current.ts';
import { voice } from '../i18n/en/voice.ts';

export { startDictation } from './dictation.ts';
export const strings = addStrings(voice);
