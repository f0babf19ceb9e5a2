// The words of this chunk and of the chat, as they are now.
import type { ChatTexts } from '../words/catalogue.ts';
import { addWords } from '../words/current.ts';
import { kinds } from '../words/en/kinds.ts';
import { tools } from '../words/en/tools.ts';

const section = { ...kinds, ...tools };

export const words = addWords(section) as ReturnType<typeof addWords<typeof section>> & ChatTexts;
