// The words of this chunk and of the chat, as they are now.
import type { ChatTexts } from '../words/catalogue.ts';
import { addWords } from '../words/current.ts';
import { media } from '../words/en/media.ts';

export const words = addWords(media) as ReturnType<typeof addWords<typeof media>> & ChatTexts;
