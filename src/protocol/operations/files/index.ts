// All operations of the Files API, in the order of the documentation.
import { files } from './files.ts';
import { knowledgeBases } from './knowledge-bases.ts';
import { lists } from './lists.ts';
import { search } from './search.ts';

/** Those with a fixed word in the path come first: `/{id}` would take the word for a key. */
export const filesOperations = {
  ...lists,
  ...knowledgeBases,
  ...search,
  ...files,
};
