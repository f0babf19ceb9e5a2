// A model behind an OpenAI-compatible address (`POST /embeddings`). Answers are not trusted: their size, count, length
// and numbers are checked.
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonResponse, NoResponse, postJson } from '../../api/outgoing-requests.ts';
import { type Embedder, EmbeddingError, type EmbeddingModel } from './model.ts';

/** The maximum number of bytes of a response: 64 vectors of 4,096 numbers with 25 characters each take 7 MB. */
const maxAnswerBytes = 20_000_000;
const maxDimensions = 16_384;
/** The maximum number of texts in one request. */
const maxTexts = 32;
const attempts = 3;
/** Milliseconds to wait before the second attempt, and the maximum that a response may ask for. */
const firstPauseMs = 500;
const maxPauseMs = 10_000;
/** A text that every model accepts. */
const probe = 'test';

export interface RemoteOptions {
  /** Milliseconds for one request. */
  timeout?: number | undefined;
}

/** Reasons to stop, to try again, or to leave out the text. */
class RequestError extends EmbeddingError {
  readonly kind: 'stop' | 'retry' | 'refused';
  readonly pause: number | undefined;
  constructor(message: string, kind: RequestError['kind'], pause?: number) {
    super(message);
    this.kind = kind;
    this.pause = pause;
  }
}

export function createRemote(
  { url, model, key }: Extract<EmbeddingModel, { kind: 'remote' }>,
  { timeout = 20_000 }: RemoteOptions = {},
): Embedder {
  async function request(input: string[], signal: AbortSignal): Promise<number[][]> {
    const body = { model, input, encoding_format: 'float' };
    try {
      const answer = await postJson({ url, key, body, timeLimit: timeout, maxBytes: maxAnswerBytes, signal });
      if (answer.status !== 200) throw statusError(answer);
      return readVectors(answer.text, input.length);
    } catch (error) {
      if (!(error instanceof NoResponse)) throw error;
      if (error.reason === 'too_large') throw unreadable('too many bytes');
      const reason =
        error.reason === 'timeout'
          ? `did not respond within ${timeout / 1_000} seconds`
          : 'cannot be reached';
      throw new RequestError(`The address of the embedding model ${reason}.`, 'retry');
    }
  }

  async function requestWithRetries(input: string[], signal: AbortSignal): Promise<number[][]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await request(input, signal);
      } catch (error) {
        if (!(error instanceof RequestError) || error.kind !== 'retry' || attempt === attempts) throw error;
        const pause = error.pause ?? firstPauseMs * 2 ** (attempt - 1);
        await delay(Math.min(maxPauseMs, pause), undefined, { signal });
      }
    }
  }

  /** Finds the texts that the model refuses, for example because they are too long, and leaves them out. */
  async function embedAll(texts: string[], signal: AbortSignal): Promise<(number[] | undefined)[]> {
    try {
      return await requestWithRetries(texts, signal);
    } catch (error) {
      if (!(error instanceof RequestError) || error.kind !== 'refused') throw error;
      if (texts.length === 1) {
        // If the model refuses every text, the texts are not the reason.
        await requestWithRetries([probe], signal);
        return [undefined];
      }
      const middle = Math.ceil(texts.length / 2);
      return [
        ...(await embedAll(texts.slice(0, middle), signal)),
        ...(await embedAll(texts.slice(middle), signal)),
      ];
    }
  }

  return {
    async embed(texts, { isQuery, signal }) {
      if (isQuery) return request(texts, signal);
      const vectors: (number[] | undefined)[] = [];
      for (let start = 0; start < texts.length; start += maxTexts) {
        vectors.push(...(await embedAll(texts.slice(start, start + maxTexts), signal)));
      }
      const found = vectors.filter((vector) => vector !== undefined);
      const dimensions = found[0]?.length ?? (await request([probe], signal))[0]?.length ?? 0;
      if (found.some(({ length }) => length !== dimensions)) throw unreadable('vectors of different lengths');
      return vectors.map((vector) => vector ?? Array<number>(dimensions).fill(0));
    },
  };
}

function statusError({ status, headers }: JsonResponse): RequestError {
  const message = `The address of the embedding model responded with status ${status}.`;
  if (status === 400 || status === 413 || status === 422) return new RequestError(message, 'refused');
  if (status !== 408 && status !== 429 && status < 500) return new RequestError(message, 'stop');
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new RequestError(message, 'retry', Number.isFinite(seconds) ? seconds * 1_000 : undefined);
}

const unreadable = (what: string) =>
  new RequestError(`The address of the embedding model responded with ${what}.`, 'stop');

/** Returns the vectors of a response in the order of the input. */
function readVectors(text: string, count: number): number[][] {
  let data: unknown;
  try {
    data = (JSON.parse(text) as { data?: unknown } | null)?.data;
  } catch {
    throw unreadable('something that is not JSON');
  }
  if (!Array.isArray(data) || data.length !== count)
    throw unreadable(`another number of vectors than ${count}`);
  const vectors: number[][] = [];
  for (const [position, item] of data.entries()) {
    const { index = position, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown };
    if (typeof index !== 'number' || !(index in data) || vectors[index] !== undefined) {
      throw unreadable('vectors in an unknown order');
    }
    if (!isVector(embedding)) throw unreadable('something that is not a vector');
    vectors[index] = embedding;
  }
  if (vectors.some(({ length }) => length !== vectors[0]?.length)) {
    throw unreadable('vectors of different lengths');
  }
  return vectors;
}

/** JSON has no NaN, and `1e999` is read as Infinity. */
const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= maxDimensions &&
  value.every((number) => typeof number === 'number' && Number.isFinite(number)) &&
  value.some((number) => number !== 0);
