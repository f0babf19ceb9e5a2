// Schemas of the files that visitors send.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { described, describedObject, maybe } from '../base/described.ts';
import { filledStorableText, timestamp } from '../base/values.ts';

const status = described(
  v.picklist(['upload_pending', 'upload_completed']),
  '`upload_pending` until all its bytes have arrived.',
);

const file = describedObject('A file as the server describes it.', {
  id: v.string(),
  key: described(v.string(), 'The file name that the visitor sees. Never a path.'),
  size: described(v.number(), 'Bytes.'),
  contentType: described(
    v.string(),
    'Media type, such as `image/png`: the declared one, corrected after the server has inspected the bytes.',
  ),
  status,
  url: described(v.string(), 'Grants read access to everyone who has it; it cannot be guessed.'),
  createdAt: timestamp,
  updatedAt: timestamp,
});

/** An empty file is refused, because there is nothing to upload. */
const fileFields = describedObject('The body of `POST /files`.', {
  key: v.pipe(filledStorableText, v.maxLength(limits.fileKey)),
  size: v.pipe(v.number(), v.integer(), v.minValue(1)),
  contentType: maybe(v.pipe(v.string(), v.maxLength(255)), 'Default: the type for the extension of `key`.'),
});

const newFile = describedObject(
  'The result of `POST /files`. Bytes are sent to `uploadUrl`, which needs no user key: `PUT` with ' +
    'all bytes, or `PATCH` with `Upload-Offset` to resume an upload; `HEAD` returns the offset (a ' +
    'subset of tus 1.0.0).',
  { ...file.entries, uploadUrl: v.string() },
);

export const chatFileSchemas = { fileFields, newFile };

export const types = { FileStatus: status, File: file, FileFields: fileFields, NewFile: newFile };
