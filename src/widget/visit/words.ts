// The words of this chunk, as they are now.
import { addWords } from '../words/current.ts';
import { visit } from '../words/en/visit.ts';

export const words = addWords(visit);
