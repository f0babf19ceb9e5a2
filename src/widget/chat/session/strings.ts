// The words of this chunk, as they are now.
import { addWords } from '../../i18n/current.ts';
import { visit } from '../../i18n/en/session.ts';

export const words = addWords(visit);
