// The words of this chunk and of the chat, as they are now.
import type { ChatTexts } from '../words/catalogue.ts';
import { addWords } from '../words/current.ts';
import { kinds } from '../words/en/kinds.ts';
import { media } from '../words/en/media.ts';

const section = { ...kinds, ...media };

export const words = addWords(section) as ReturnType<typeof addWords<typeof section>> & ChatTexts;
