// The files that visitors send to the mock server: announced, uploaded (a subset of tus 1.0.0), and read.
import type { Call } from './call.ts';
import { Failure, invalid, notFound } from './failure.ts';
import type { MockStore, StoredFile } from './store.ts';

/** The media types that the mock knows by extension. */
const types: Record<string, string> = {
  txt: 'text/plain',
  csv: 'text/csv',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  svg: 'image/svg+xml',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
};

export function createFile({ store, webchat, body, base }: Call): object {
  const { key, size, contentType } = body;
  if (typeof key !== 'string' || key === '') throw invalid('key', 'Expected a text that is not empty.');
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1)
    throw invalid('size', 'Expected bytes.');
  if (size > webchat.limits.fileBytes) throw new Failure('LimitExceeded', 'The file is too large.');
  const at = store.time();
  const id = store.id('file');
  const token = `${id}.${store.next()}`;
  const byName = types[/\.(\w+)$/.exec(key)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
  const file: StoredFile = {
    id,
    key,
    size,
    contentType: typeof contentType === 'string' ? contentType : byName,
    status: 'upload_pending',
    url: `${base}/files/${token}/${encodeURIComponent(key)}`,
    uploadUrl: `${base}/uploads/${token}`,
    createdAt: at,
    updatedAt: at,
    token,
    bytes: new Uint8Array(),
  };
  store.files.set(token, file);
  const { token: _, bytes: __, ...shown } = file;
  return { file: shown };
}

/** Answers a request for the bytes of a file, or that sends them; undefined for all other addresses. */
export function answerFile(
  store: MockStore,
  path: string,
  { method, headers }: Request,
  sent: Uint8Array,
): Response | undefined {
  const [, kind, token = ''] = /^\/(files|uploads)\/([^/]+)/.exec(path) ?? [];
  if (!kind) return undefined;
  const file = store.files.get(token);
  if (!file) throw notFound();
  if (kind === 'files') {
    if (file.status !== 'upload_completed') throw notFound();
    return new Response(file.bytes, { headers: { 'content-type': file.contentType } });
  }
  if (method === 'HEAD') return uploaded(file, 200);
  const offset = method === 'PATCH' ? Number(headers.get('upload-offset')) : 0;
  if (method === 'PATCH' && offset !== file.bytes.length)
    throw new Failure('RelationConflict', 'The offset differs from the number of stored bytes.');
  const bytes = new Uint8Array(offset + sent.length);
  bytes.set(file.bytes.subarray(0, offset));
  bytes.set(sent, offset);
  if (bytes.length > file.size) throw new Failure('LimitExceeded', 'These are more bytes than announced.');
  file.bytes = bytes;
  if (bytes.length === file.size) file.status = 'upload_completed';
  return uploaded(file, 204);
}

const uploaded = ({ bytes, size }: StoredFile, status: number): Response =>
  new Response(null, {
    status,
    headers: {
      'upload-offset': String(bytes.length),
      'upload-length': String(size),
      'tus-resumable': '1.0.0',
      'cache-control': 'no-store',
    },
  });
