// Schema of the body of errors.
import * as v from 'valibot';
import { errorTypes } from '../error.ts';
import { data, described, describedObject, maybe } from './values.ts';

const type = v.picklist(Object.keys(errorTypes) as (keyof typeof errorTypes)[]);

export const error = describedObject(
  'The body of every error response: five fields, `code` equals the HTTP status.',
  {
    id: described(
      v.pipe(v.string(), v.regex(/^err_\d{14}x[0-9A-F]{8}$/)),
      "`err_` + UTC `yyyymmddhhmmss` + `x` + 8 upper-case hex digits; the server's log contains the same id.",
    ),
    code: v.pipe(v.number(), v.integer()),
    type,
    message: v.string(),
    metadata: maybe(data),
  },
);

export const types = { ErrorType: type, ErrorBody: error };
