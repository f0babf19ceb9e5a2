// Requests to other servers, such as that of a language model: JSON is sent, and the answer is not trusted.

/** There is no answer: it took too long, is too large, or the server cannot be reached. */
export class NoResponse extends Error {
  readonly reason: 'timeout' | 'too_large' | 'unreachable';

  constructor(reason: NoResponse['reason']) {
    super(reason);
    this.reason = reason;
  }
}

export interface PostOptions {
  url: string;
  /** Sent as `Authorization: Bearer`. */
  key: string | undefined;
  /** Further headers. */
  headers?: Record<string, string> | undefined;
  body: object;
  /** Milliseconds for the whole answer. */
  timeLimit: number;
  /** Bytes of the answer. */
  maxBytes: number;
  signal: AbortSignal;
}

export interface JsonResponse {
  status: number;
  headers: Headers;
  /** Empty unless the status is 200. */
  text: string;
}

/** Returns the answer, whatever its status. Throws NoAnswer, and the reason of `signal` when it is aborted. */
export async function postJson(options: PostOptions): Promise<JsonResponse> {
  const { url, key, headers, body, timeLimit, maxBytes, signal } = options;
  const limit = AbortSignal.timeout(timeLimit);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...headers,
      },
      body: JSON.stringify(body),
      // A redirect could send texts and key to another server.
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    });
    const received = { status: response.status, headers: response.headers };
    if (response.status === 200) return { ...received, text: await readText(response, maxBytes) };
    await response.body?.cancel().catch(() => {});
    return { ...received, text: '' };
  } catch (error) {
    if (error instanceof NoResponse) throw error;
    signal.throwIfAborted();
    throw new NoResponse(limit.aborted ? 'timeout' : 'unreachable');
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  // Leaving the loop cancels the response.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new NoResponse('too_large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Returns the milliseconds in a header `Retry-After`: seconds, or a date (RFC 9110, 10.2.3); undefined for any other value. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}
