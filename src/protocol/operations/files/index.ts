// All operations of the Files API, in the order of the documentation.
import { files } from './files.ts';
import { knowledgeBases } from './knowledge-bases.ts';
import { lists } from './lists.ts';
import { search } from './search.ts';

/** Routes with a literal segment come first: `/{id}` would match the segment as a key. */
export const filesOperations = {
  ...lists,
  ...knowledgeBases,
  ...search,
  ...files,
};
