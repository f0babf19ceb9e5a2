// The errors that the server returns: one class, and one body with five fields. The body of an unknown failure never
// reveals its reason.
import { randomBytes } from 'node:crypto';
import { type ErrorBody, type ErrorType, errorTypes } from '../../protocol/error.ts';
import { StorageFull } from '../storage/database.ts';
import { plainPage } from './html.ts';

/** An error whose message the caller may read. Routes convert it to the body with five fields (Chat API "Errors"). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly id: string = errorId();
  readonly type: ErrorType;
  readonly metadata: Record<string, unknown> | undefined;
  /** Header fields of the response, such as Retry-After. */
  readonly headers: Record<string, string>;
  /** The HTTP status. */
  readonly code: number;

  constructor(
    type: ErrorType,
    message: string,
    metadata?: Record<string, unknown>,
    headers: Record<string, string> = {},
    /** Only for the few errors whose status differs from that of their type. */
    code: number = errorTypes[type],
  ) {
    super(message);
    this.code = code;
    this.type = type;
    this.metadata = metadata;
    this.headers = headers;
  }

  /** The text that log.ts may write. Messages of this class never contain values of a request. */
  get logMessage(): string {
    return `${this.type}: ${this.message}`;
  }

  body(): ErrorBody {
    const { id, code, type, message, metadata } = this;
    return metadata ? { id, code, type, message, metadata } : { id, code, type, message };
  }
}

/** The error of a request with a wrong field, which clients show beside it. */
export const invalidField = (path: string, message: string): ApiError =>
  new ApiError('InvalidPayload', `${path}: ${message}`, { issues: [{ path, message }] });

/** Converts an error to a response; `headers` are added to it. */
export function errorResponse(error: ApiError, headers: Record<string, string> = {}): Response {
  return Response.json(error.body(), {
    status: error.code,
    headers: { 'cache-control': 'no-store', ...error.headers, ...headers },
  });
}

/** `err_` + UTC `yyyymmddhhmmss` + `x` + 8 upper-case hex digits. */
function errorId(): string {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  return `err_${time}x${randomBytes(4).toString('hex').toUpperCase()}`;
}

/** Readable by pages of any origin, so that a page with a wrong chat address can see the error. */
const anyOrigin = { 'access-control-allow-origin': '*' };

/** The response to a request for an address at which there is nothing. */
export function notFoundResponse({ method, headers }: Request, path: string): Response {
  const text = 'There is nothing at this address.';
  const isApi = path.startsWith('/v1/');
  // A person has opened it in a browser: scripts, pictures and requests of pages ask for other types.
  const isOpened = /^(GET|HEAD)$/.test(method) && /\btext\/html\b/.test(headers.get('accept') ?? '');
  if (isOpened && !isApi && !path.startsWith('/chat/')) {
    return plainPage({ language: 'en', title: text, content: `<h1>${text}</h1>`, status: 404 });
  }
  return errorResponse(new ApiError('ResourceNotFound', text), isApi ? {} : anyOrigin);
}

/** The value of Retry-After in seconds. */
const retryAfterSeconds = 30;
/** The disk is full, or the quota of the user that runs the server. */
const fileCodes = ['ENOSPC', 'EDQUOT'];

/** Whether the database had no space for a write. By name, because the error of a bot comes from another thread. */
export const isDatabaseFull = (error: unknown): boolean =>
  error instanceof Error && error.name === StorageFull.name;

/** Whether the disk had no space for a write, of the database or of a file. It can be repeated later. */
export const isStorageFull = (error: unknown): boolean =>
  isDatabaseFull(error) || fileCodes.includes((error as { code?: string } | undefined)?.code ?? '');

/**
 * The response to such a write: 503, because 507 announces the reserve of free disk space (limits/free-disk.ts), and
 * clients and proxies know 503 as temporary.
 */
export const storageFull = (): ApiError =>
  new ApiError(
    'InsufficientStorage',
    'The server cannot store anything at the moment. Reading still works. Try again later.',
    { retryAfter: retryAfterSeconds },
    { 'retry-after': String(retryAfterSeconds) },
    503,
  );

/** The value of Retry-After in seconds: the request has waited already. */
const databaseRetryAfterSeconds = 2;

/** The response to a request whose database does not answer. The start of the state is logged, not each request. */
export const databaseUnavailable = (): ApiError =>
  new ApiError(
    'ServiceUnavailable',
    'The database of the server does not answer at the moment. Try again later.',
    { retryAfter: databaseRetryAfterSeconds },
    { 'retry-after': String(databaseRetryAfterSeconds) },
  );
