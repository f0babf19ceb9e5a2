// The OpenAPI paths of uploads and downloads, which are not operations.

const error = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
const errorResponses = (descriptions: Record<number, string>) =>
  Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [status, { description, content: error }]),
  );
const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });
const parameter = (name: string, location: 'path' | 'header', description: string) => ({
  name,
  in: location,
  required: true,
  description,
  schema: { type: 'string' },
});
const bytes = { schema: { type: 'string', format: 'binary' } };

const offsets = {
  204: {
    description: 'Done; the reported bytes are on disk.',
    headers: {
      'upload-offset': count('Bytes that are stored.'),
      'upload-length': count('Bytes that were declared; with as many the file is complete.'),
    },
  },
};
const shared = {
  404: 'ResourceNotFound: no such upload, or it is too old, was replaced, or its user was deleted.',
  409: 'AlreadyExists: complete already; RelationConflict: another offset; ResourceLockedConflict: superseded by another request.',
  413: 'PayloadTooLarge: more bytes than were declared; none of this request is kept.',
  429: 'RateLimited: too many requests from this address; Retry-After says when to try again.',
  503: 'ServiceUnavailable: the store of files does not answer; Retry-After says when to try again.',
  415: 'UnsupportedMediaType: the type of the content is not allowed, and the file is deleted; or a wrong content-type.',
};
const upload = [parameter('token', 'path', 'From `uploadUrl`: whoever has it may write.')];
const download = [
  parameter('token', 'path', 'From `url`: whoever has it may read.'),
  parameter('name', 'path', 'The name of the file, for people.'),
];

const uploads = (prefix: string) => ({
  put: {
    operationId: `put${prefix}FileBytes`,
    summary: 'Sends all bytes of a file, from the beginning.',
    parameters: upload,
    requestBody: { required: true, content: { 'application/octet-stream': bytes } },
    responses: {
      ...offsets,
      ...errorResponses({
        400: 'InvalidPayload: fewer bytes than declared; continue with PATCH.',
        ...shared,
      }),
    },
  },
  patch: {
    operationId: `patch${prefix}FileBytes`,
    summary: 'Continues an upload (a subset of tus 1.0.0).',
    parameters: [...upload, parameter('upload-offset', 'header', 'Bytes that are stored.')],
    requestBody: { required: true, content: { 'application/offset+octet-stream': bytes } },
    responses: { ...offsets, ...errorResponses({ 400: 'InvalidPayload: no offset.', ...shared }) },
  },
  head: {
    operationId: `get${prefix}UploadOffset`,
    summary:
      'Returns how many bytes are stored. It ends a request that is still sending: after a disconnect, that one is dead.',
    parameters: upload,
    responses: { ...offsets, 404: { description: shared[404] } },
  },
});

const downloads = (prefix: string) => ({
  get: {
    operationId: `read${prefix}File`,
    summary: 'Returns a file, or one range of it (RFC 9110, 14).',
    parameters: download,
    responses: {
      200: { description: 'The file.', content: { '*/*': bytes } },
      206: { description: 'The range.', content: { '*/*': bytes } },
      304: { description: 'The file that the client has.' },
      ...errorResponses({
        404: 'ResourceNotFound: no such file, or not complete, or not at this address any more.',
        416: 'Beyond the end.',
        503: 'ServiceUnavailable: the store of files does not answer.',
      }),
    },
  },
});

/** The paths of uploads and downloads by API. They require neither a key nor a token. */
export const filePaths: Record<string, Record<string, Record<string, unknown>>> = {
  chat: { '/uploads/{token}': uploads(''), '/files/{token}/{name}': downloads('') },
  files: { '/uploads/{token}': uploads('Platform'), '/content/{token}/{name}': downloads('Platform') },
};
