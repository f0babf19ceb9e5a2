// Operations of the Files API: files.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { fileSchemas } from '../../schemas/files.ts';
import { mutation, operations, query } from '../operation.ts';

const response = v.object({ file: fileSchemas.platformFile });
export const destinationBot = 'x-destination-bot-id';

export const files = operations({
  upsertFile: mutation({
    route: 'PUT /',
    summary:
      'Creates the file of a key, or replaces it. Send the bytes to `uploadUrl`, which needs no token: all of ' +
      'them with PUT, or a part with PATCH from the position in Upload-Offset. The previous bytes are deleted ' +
      'immediately; the id does not change.',
    auth: 'bot',
    permission: 'files.create',
    errors: ['LimitExceeded'],
    input: fileSchemas.fields,
    output: v.object({ file: fileSchemas.announcedFile }),
    sample: {
      key: 'help/returns.md',
      size: 2_048,
      contentType: 'text/markdown',
      index: true,
      tags: { topic: 'returns' },
    },
    examples: [
      {
        key: 'fuzz/<<user>>.md',
        size: 10,
        index: true,
        tags: { a: 'b' },
        metadata: { a: [1, { b: null }] },
        accessPolicies: ['public_content', 'integrations'],
        contentType: 'text/markdown',
      },
    ],
  }),

  getFile: query({
    route: 'GET /{id}',
    summary: 'Returns a file, by its id or its key.',
    auth: 'bot',
    permission: 'files.read',
    errors: ['ResourceNotFound'],
    output: response,
    examples: [{ id: '<<file>>' }],
  }),

  updateFileMetadata: mutation({
    route: 'PUT /{id}',
    summary:
      'Changes the properties of a file. Tags and metadata are merged (null removes a key), policies are ' +
      'replaced, and null removes the expiry. `index` indexes the file or removes its index. Omitted fields are ' +
      'unchanged.',
    auth: 'bot',
    permission: 'files.update',
    errors: ['ResourceNotFound'],
    input: fileSchemas.changes,
    output: response,
    sample: { id: '<<file>>', tags: { topic: 'returns', draft: null } },
    examples: [
      {
        id: '<<file>>',
        tags: { a: null, b: 'c' },
        metadata: { a: null },
        accessPolicies: [],
        expiresAt: null,
      },
    ],
  }),

  deleteFile: mutation({
    route: 'DELETE /{id}',
    summary: 'Deletes a file, by its id or its key.',
    auth: 'bot',
    permission: 'files.delete',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: 'fuzz/<<user>>.md' }],
  }),

  copyFile: mutation({
    route: 'POST /{idOrKey}/{destinationKey}',
    summary:
      'Copies a complete file to another key, of this bot or of another bot of the workspace. The copy belongs ' +
      'to the caller, is private and does not expire.',
    auth: 'bot',
    permission: 'files.create',
    errors: ['ResourceNotFound', 'AlreadyExists', 'RelationConflict'],
    headers: [
      {
        name: destinationBot,
        description: 'The bot that receives the copy, if it is another one. Only for members.',
      },
    ],
    input: v.object({ overwrite: maybe(v.boolean()) }),
    output: response,
    sample: { idOrKey: '<<file>>', destinationKey: 'help/returns-copy.md' },
    examples: [{ idOrKey: '<<file>>', destinationKey: 'copy-<<user>>', overwrite: true }],
  }),
});
