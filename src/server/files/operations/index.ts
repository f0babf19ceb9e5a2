// The table of all operations of the Files API.
import type { Operation } from '../../operations/operation.ts';
import { files } from './files.ts';
import { knowledgeBases } from './knowledge-bases.ts';
import { lists } from './lists.ts';
import { search } from './search.ts';

/** Those with a word of their own in the path come first: `/{id}` would take them for keys. */
export const fileOperations: readonly Operation[] = [...lists, ...knowledgeBases, ...search, ...files];
