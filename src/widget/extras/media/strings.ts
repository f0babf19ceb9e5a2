// The words of this chunk and of the chat, as they are now.
import type { ChatTexts } from '../../i18n/catalogue.ts';
import { addWords } from '../../i18n/current.ts';
import { media } from '../../i18n/en/media.ts';
import { kinds } from '../../i18n/en/media-kinds.ts';

const section = { ...kinds, ...media };

export const words = addWords(section) as ReturnType<typeof addWords<typeof section>> & ChatTexts;
