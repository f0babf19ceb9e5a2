// The operations of an object store that this server uses. The names of objects begin with the prefix of the address.
// Why not `@aws-sdk/client-s3`: 100 packages for nine operations (decision 61).
import type { Logger } from 'pino';
import { type ByteStream, rangeOf } from './byte-stream.ts';
import {
  type Content,
  codeOf,
  completionOf,
  contentOf,
  createRequests,
  elementsOf,
  S3Error,
  type S3Options,
  type Timing,
  textOf,
} from './requests.ts';

export interface ListedObject {
  name: string;
  /** Milliseconds since 1970. */
  modifiedAt: number;
}

/** All methods throw S3Error when the store refuses or does not answer. */
export interface S3Client {
  put(name: string, content: Content): Promise<void>;
  /** Streams the bytes from `first` to `last`, inclusive. Returns undefined when there is no such object. */
  get(name: string, first: number, last: number): Promise<ByteStream | undefined>;
  /** Returns the number of bytes; undefined when there is no such object. */
  sizeOf(name: string): Promise<number | undefined>;
  /** Removes an object, which may not exist. */
  remove(name: string): Promise<void>;
  /** Begins an upload in parts and returns its id. */
  beginUpload(name: string): Promise<string>;
  /** Returns the ETag of a part; undefined when there is no such upload. */
  putPart(name: string, uploadId: string, number: number, content: Content): Promise<string | undefined>;
  /** Makes an object of the parts. Returns false when there is no such upload: it may be complete already. */
  completeUpload(
    name: string,
    uploadId: string,
    parts: readonly [number: number, etag: string, size: number][],
  ): Promise<boolean>;
  /** Removes an upload and its parts, which may not exist. */
  abortUpload(name: string, uploadId: string): Promise<void>;
  /** All objects whose names begin with `start`, page by page. */
  list(start: string, pageSize?: number): AsyncGenerator<ListedObject[]>;
  close(): void;
}

/** The store assembles the parts, which can take minutes for the largest files. */
const completionMs = 300_000;
/** Visitors do not receive this type: responses contain the type from the database. */
const type = { 'content-type': 'application/octet-stream' };

export function createS3Client({ url, ...options }: S3Options, logger: Logger, timing?: Timing): S3Client {
  const { send, close } = createRequests(options, logger, timing);
  const [, bucket = '', prefix = ''] = /^(https?:\/\/[^/]+\/[^/]+)\/?(.*)$/.exec(url) ?? [];
  const start = prefix && `${prefix}/`;

  function addressOf(name: string, query: Record<string, string> = {}): URL {
    const address = new URL(`${bucket}/${start}${name}`);
    for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value);
    return address;
  }

  /** Turns the error of a missing object into undefined. */
  const orMissing = (error: unknown): undefined => {
    if (!(error instanceof S3Error && error.status === 404 && error.reason !== 'NoSuchBucket')) throw error;
  };
  const ignored = (response: Response) => void response.body?.cancel();

  return {
    async put(name, content) {
      const request = { operation: 'PutObject', method: 'PUT', url: addressOf(name), headers: type, content };
      await send(request, ignored);
    },

    async get(name, first, last) {
      const headers = { range: `bytes=${first}-${last}` };
      const operation = 'GetObject';
      return send({ operation, method: 'GET', url: addressOf(name), headers }, (response) => {
        if (!response.body) throw new S3Error(operation, response.status, 'NoBody');
        // Stores may send all bytes instead, or a larger range.
        const [, start = '0'] = /^bytes (\d+)-/.exec(response.headers.get('content-range') ?? '') ?? [];
        return rangeOf(response.body, first - Number(start), last + 1 - first);
      }).catch(orMissing);
    },

    async sizeOf(name) {
      const request = { operation: 'HeadObject', method: 'HEAD', url: addressOf(name) };
      return send(request, ({ headers }) => Number(headers.get('content-length') ?? Number.NaN)).catch(
        orMissing,
      );
    },

    async remove(name) {
      const request = { operation: 'DeleteObject', method: 'DELETE', url: addressOf(name) };
      await send(request, ignored).catch(orMissing);
    },

    async beginUpload(name) {
      const operation = 'CreateMultipartUpload';
      const url = addressOf(name, { uploads: '' });
      return send(
        { operation, method: 'POST', url, headers: type, content: contentOf('') },
        async (response) => {
          const uploadId = textOf(await response.text(), 'UploadId');
          if (!uploadId) throw new S3Error(operation, response.status, 'NoUploadId');
          return uploadId;
        },
      );
    },

    async putPart(name, uploadId, number, content) {
      const operation = 'UploadPart';
      const url = addressOf(name, { partNumber: String(number), uploadId });
      return send({ operation, method: 'PUT', url, content }, async (response) => {
        const etag = response.headers.get('etag');
        await response.body?.cancel();
        if (!etag) throw new S3Error(operation, response.status, 'NoETag');
        return etag;
      }).catch(orMissing);
    },

    async completeUpload(name, uploadId, parts) {
      const operation = 'CompleteMultipartUpload';
      const content = contentOf(completionOf(parts));
      const url = addressOf(name, { uploadId });
      const headers = { 'content-type': 'application/xml' };
      const request = { operation, method: 'POST', url, headers, content, responseMs: completionMs };
      const isComplete = await send(request, async (response) => {
        // The store sends the status before it assembles the parts. The body can contain an error despite the status
        // 200.
        const text = await response.text();
        if (text.includes('<CompleteMultipartUploadResult')) return true;
        const code = codeOf(text) ?? 'NoResult';
        throw new S3Error(operation, code === 'NoSuchUpload' ? 404 : 500, code);
      }).catch(orMissing);
      return isComplete ?? false;
    },

    async abortUpload(name, uploadId) {
      const request = {
        operation: 'AbortMultipartUpload',
        method: 'DELETE',
        url: addressOf(name, { uploadId }),
      };
      await send(request, ignored).catch((error: unknown) => {
        // Some stores do not have this operation, so they keep the parts.
        if (!(error instanceof S3Error) || ![405, 501].includes(error.status)) orMissing(error);
      });
    },

    async *list(beginning, pageSize = 1_000) {
      for (let token: string | undefined; ; ) {
        const url = new URL(bucket);
        url.searchParams.set('list-type', '2');
        url.searchParams.set('max-keys', String(pageSize));
        url.searchParams.set('prefix', start + beginning);
        if (token) url.searchParams.set('continuation-token', token);
        const text = await send({ operation: 'ListObjectsV2', method: 'GET', url }, (response) =>
          response.text(),
        );
        yield elementsOf(text, 'Contents').map((xml) => ({
          name: textOf(xml, 'Key')?.slice(start.length) ?? '',
          modifiedAt: Date.parse(textOf(xml, 'LastModified') ?? ''),
        }));
        token = textOf(text, 'NextContinuationToken');
        if (!token || textOf(text, 'IsTruncated') !== 'true') return;
      }
    },

    close,
  };
}
