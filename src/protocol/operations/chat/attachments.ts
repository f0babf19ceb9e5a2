// Operations of the Chat API: attachments.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { mutation, operations } from '../operation.ts';

export const attachments = operations({
  createFile: mutation({
    route: 'POST /files',
    summary:
      'Announces a file. Send its bytes to `uploadUrl`, which needs no key: all of them with PUT, or a part ' +
      'with PATCH from the position in Upload-Offset. HEAD returns the offset (a subset of tus 1.0.0).',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    status: 201,
    errors: ['LimitExceeded', 'UnsupportedMediaType', 'QuotaExceeded'],
    input: schemas.fileFields,
    output: v.object({ file: schemas.newFile }),
    sample: { key: 'receipt.pdf', size: 48_213, contentType: 'application/pdf' },
    examples: [{ key: 'a.txt', size: 10, contentType: 'text/plain' }],
  }),
});
