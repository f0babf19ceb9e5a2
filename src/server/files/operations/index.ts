// The handlers of all operations of the Files API.
import type { Handler } from '../../api/handler.ts';
import { fileHandlers } from './files.ts';
import { knowledgeBaseHandlers } from './knowledge-bases.ts';
import { listHandlers } from './lists.ts';
import { searchHandlers } from './search.ts';
import type { FilesServices } from './services.ts';

export const filesHandlers: readonly Handler<FilesServices>[] = [
  ...listHandlers,
  ...knowledgeBaseHandlers,
  ...searchHandlers,
  ...fileHandlers,
];
