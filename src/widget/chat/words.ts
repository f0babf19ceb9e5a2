// The words of this bundle, as they are now.
import { addWords } from '../words/current.ts';
import { chat } from '../words/en/chat.ts';

export const words = addWords(chat);
