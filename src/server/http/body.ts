// Reads the JSON body of a request. Rejects other content types, too many bytes, invalid text and too deep nesting.
import { limits } from '../../protocol/limits.ts';
import { ApiError } from '../api/errors.ts';

/** The maximum nesting depth of a body. Deeper values cannot be serialized safely. */
const maxDepth = 100;

export interface JsonBody {
  value: unknown;
  /** The number of bytes of its text. */
  size: number;
}

/**
 * Returns the body as a value; `{}` when there is none. Throws UnsupportedMediaType, PayloadTooLarge (more than `limit`
 * bytes) or InvalidPayload (also for more than `values` values in lists and objects, because parsing those takes
 * seconds).
 */
export async function readJson(
  request: Request,
  limit: number,
  values: number = limits.bodyValues,
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
  const bytes = await readBytes(request, mayBeEmpty ? 0 : limit, mayBeEmpty ? wrongType : tooLarge);
  if (bytes.length === 0) return emptyBody;
  assertShape(bytes, values);
  return { value: parse(bytes), size: bytes.length };
}

const emptyBody: JsonBody = { value: {}, size: 0 };

function wrongType(): ApiError {
  return new ApiError('UnsupportedMediaType', 'The body must be JSON with content-type application/json.');
}

/** Reads up to `limit` bytes. Stops at the first chunk beyond and throws the error that `refusal` returns. */
async function readBytes(request: Request, limit: number, refusal: () => ApiError): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const chunk = await reader?.read().catch(() => {
      // The client disconnected during the request, so this is not an error of the server.
      throw new ApiError('InvalidDataFormat', 'The request body is incomplete.');
    });
    if (!chunk || chunk.done) return Buffer.concat(chunks);
    size += chunk.value.length;
    if (size > limit) {
      await reader?.cancel();
      throw refusal();
    }
    chunks.push(chunk.value);
  }
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new ApiError('InvalidPayload', 'The body is not valid JSON in UTF-8.');
  }
}

/** Counts in the text, because walking through the value takes longer than parsing. */
function assertShape(bytes: Uint8Array, values: number): void {
  let depth = 0;
  let commas = 0;
  let isInText = false;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index];
    if (byte === codes.quote) isInText = !isInText;
    else if (isInText) index += byte === codes.backslash ? 1 : 0;
    else if (byte === codes.comma) commas += 1;
    else if (byte === codes.list || byte === codes.object) depth += 1;
    else if (byte === codes.listEnd || byte === codes.objectEnd) depth -= 1;
    if (depth > maxDepth) {
      throw new ApiError('InvalidPayload', `The body is nested deeper than ${maxDepth} levels.`);
    }
    if (commas >= values) {
      throw new ApiError('InvalidPayload', `The body has more than ${values} values.`);
    }
  }
}

const codes = {
  comma: 0x2c,
  quote: 0x22,
  backslash: 0x5c,
  list: 0x5b,
  listEnd: 0x5d,
  object: 0x7b,
  objectEnd: 0x7d,
};
