// What the OpenAPI document says of the addresses that carry bytes, which are no rows of the table of operations.

const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
const refusals = (words: Record<number, string>) =>
  Object.fromEntries(
    Object.entries(words).map(([status, description]) => [status, { description, content: error }]),
  );
const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });
const parameter = (name: string, where: 'path' | 'header', description: string) => ({
  name,
  in: where,
  required: true,
  description,
  schema: { type: 'string' },
});
const bytes = { schema: { type: 'string', format: 'binary' } };

const offsets = {
  204: {
    description: 'Done; what is told is on disk.',
    headers: {
      'upload-offset': count('Bytes that are there.'),
      'upload-length': count('Bytes that were declared; the file is complete with as many.'),
    },
  },
};
const shared = {
  404: 'ResourceNotFound: no such upload, or it is too old, was replaced, or its user was deleted.',
  409: 'AlreadyExists: complete already; RelationConflict: another offset; ResourceLockedConflict: taken over.',
  413: 'PayloadTooLarge: more bytes than were declared; none of this request is kept.',
  429: 'RateLimited: too many requests from this address; Retry-After says when to come again.',
  415: 'UnsupportedMediaType: what the bytes are is not allowed, and the file is deleted; or a wrong content-type.',
};
const upload = [parameter('token', 'path', 'From `uploadUrl`: whoever has it may write.')];
const download = [
  parameter('token', 'path', 'From `url`: whoever has it may read.'),
  parameter('name', 'path', 'The name of the file, for readers.'),
];

const uploads = (prefix: string) => ({
  put: {
    operationId: `put${prefix}FileBytes`,
    summary: 'Sends all bytes of a file, from the beginning.',
    parameters: upload,
    requestBody: { required: true, content: { 'application/octet-stream': bytes } },
    responses: {
      ...offsets,
      ...refusals({ 400: 'InvalidPayload: fewer bytes than declared; go on with PATCH.', ...shared }),
    },
  },
  patch: {
    operationId: `patch${prefix}FileBytes`,
    summary: 'Goes on with an upload (a subset of tus 1.0.0).',
    parameters: [...upload, parameter('upload-offset', 'header', 'Bytes that are there.')],
    requestBody: { required: true, content: { 'application/offset+octet-stream': bytes } },
    responses: { ...offsets, ...refusals({ 400: 'InvalidPayload: no offset.', ...shared }) },
  },
  head: {
    operationId: `get${prefix}UploadOffset`,
    summary: 'Tells how much is there. It ends a request that still sends: after a cut, that one is dead.',
    parameters: upload,
    responses: { ...offsets, 404: { description: shared[404] } },
  },
});

const downloads = (prefix: string) => ({
  get: {
    operationId: `read${prefix}File`,
    summary: 'Gives a file, or one range of it (RFC 9110, 14).',
    parameters: download,
    responses: {
      200: { description: 'The file.', content: { '*/*': bytes } },
      206: { description: 'The range.', content: { '*/*': bytes } },
      304: { description: 'The file that the client has.' },
      ...refusals({
        404: 'ResourceNotFound: no such file, or not complete, or not at this address any more.',
        416: 'Beyond the end.',
      }),
    },
  },
});

/** The paths of uploads and downloads, by family; none of them takes a key or a token. */
export const filePaths: Record<string, Record<string, Record<string, unknown>>> = {
  chat: { '/uploads/{token}': uploads(''), '/files/{token}/{name}': downloads('') },
  files: { '/uploads/{token}': uploads('Platform'), '/content/{token}/{name}': downloads('Platform') },
};
