// Reads and checks the input of a request: its query, or its JSON body.
// Why not `hono/body-limit`: it limits bytes only, not depth and number of values (decision 21).
import { limits } from '../../protocol/limits.ts';
import { hasBody } from '../../protocol/operations/operation.ts';
import { ApiError } from '../api/errors.ts';
import type { Handler } from '../api/handler.ts';
import { checkBody, checkInput, parseJson } from '../api/validation.ts';
import { hasOnlyDeclared, readQuery } from './query.ts';

export interface InputOptions {
  bodyBytes: number;
  bodyValues: number | undefined;
}

/** Returns the validated query or body; undefined if the operation has none. */
export async function readInput(
  { operation, parseBody, normalizeBody }: Pick<Handler<never>, 'operation' | 'parseBody' | 'normalizeBody'>,
  { bodyBytes, bodyValues }: InputOptions,
  request: Request,
): Promise<unknown> {
  const { input } = operation;
  if (!input || !hasBody(operation)) {
    const query = hasOnlyDeclared(operation) ? readQuery(new URL(request.url), input) : {};
    return input && checkInput(input, query, 'InvalidQuery');
  }
  const body = await readJson(request, bodyBytes, { values: bodyValues, parse: parseBody });
  return checkBody(input, normalizeBody ? normalizeBody(body.value) : body.value, body.size);
}

/** Bytes of a body that is read at once, and not as a stream. */
const smallBytes = 1_048_576;

export interface JsonBody {
  value: unknown;
  /** The number of bytes of its text. */
  size: number;
}

export interface BodyOptions {
  values?: number | undefined;
  /** By default `JSON.parse`. */
  parse?: ((text: string) => unknown) | undefined;
}

/**
 * Returns the body as a value; `{}` when there is none. Throws UnsupportedMediaType, PayloadTooLarge (more than `limit` bytes) or
 * InvalidPayload (also for more than `values` values in lists and objects, because parsing those takes seconds).
 */
export async function readJson(
  request: Request,
  limit: number,
  { values = limits.bodyValues, parse }: BodyOptions = {},
): Promise<JsonBody> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  // Compressed bodies are rejected, because a small one can become very large.
  if (request.headers.get('content-encoding')) throw wrongType();
  const declared = request.headers.get('content-length');
  if (declared === '0') return emptyBody;
  // Without a type and a length there may be no body, which only reading shows.
  const mayBeEmpty = type === undefined && declared === null;
  if (type !== 'application/json' && !mayBeEmpty) throw wrongType();
  const tooLarge = () => new ApiError('PayloadTooLarge', `The body is larger than ${limit} bytes.`);
  if (Number(declared ?? 0) > limit) throw tooLarge();
  const isSmall = declared !== null && Number(declared) <= smallBytes;
  const bytes = isSmall
    ? await readWhole(request, limit, tooLarge)
    : await readBytes(request, mayBeEmpty ? 0 : limit, mayBeEmpty ? wrongType : tooLarge);
  if (bytes.length === 0) return emptyBody;
  return { value: parseJson(bytes, values, parse), size: bytes.length };
}

const emptyBody: JsonBody = { value: {}, size: 0 };

function wrongType(): ApiError {
  return new ApiError('UnsupportedMediaType', 'The body must be JSON with content-type application/json.');
}

// The client disconnected during the request, so this is not an error of the server.
const throwIncomplete = (): never => {
  throw new ApiError('InvalidDataFormat', 'The request body is incomplete.');
};

/**
 * Reads a body whose declared length is small, which Node limits to that length. The adapter reads it from the connection; for a
 * stream, it would create a Request with several other objects.
 */
async function readWhole(request: Request, limit: number, refusal: () => ApiError): Promise<Uint8Array> {
  const bytes = new Uint8Array(await request.arrayBuffer().catch(throwIncomplete));
  if (bytes.length > limit) throw refusal();
  return bytes;
}

/** Reads up to `limit` bytes. Stops at the first chunk beyond and throws the error that `refusal` returns. */
async function readBytes(request: Request, limit: number, refusal: () => ApiError): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const chunk = await reader?.read().catch(throwIncomplete);
    if (!chunk || chunk.done) return Buffer.concat(chunks);
    size += chunk.value.length;
    if (size > limit) {
      await reader?.cancel();
      throw refusal();
    }
    chunks.push(chunk.value);
  }
}
