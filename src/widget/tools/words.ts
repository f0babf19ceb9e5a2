// The words of this chunk and of the chat, as they are now.
import type { ChatTexts } from '../words/catalogue.ts';
import { addWords } from '../words/current.ts';
import { tools } from '../words/en/tools.ts';

export const words = addWords(tools) as ReturnType<typeof addWords<typeof tools>> & ChatTexts;
