// Whether an embedding model answers, for the log and for the status of the search; and searches with it.
import type { Logger } from 'pino';
import { EmbeddingError } from './model.ts';

export interface ModelHealth {
  /** Why the model does not answer; undefined while it does. */
  readonly failure: string | undefined;
  succeeded(): void;
  failed(error: unknown): void;
}

/** `consequence`: what the log says when the model stops to answer. Only the first of consecutive failures is logged. */
export function createModelHealth(logger: Logger, model: string, consequence: string): ModelHealth {
  let failure: string | undefined;
  return {
    get failure() {
      return failure;
    },
    succeeded() {
      if (failure !== undefined) logger.info({ model }, 'the embedding model answers again');
      failure = undefined;
    },
    failed(error) {
      const isExpected = error instanceof EmbeddingError;
      const reason = isExpected ? error.message : 'Internal server error. See the log of the server.';
      if (failure === undefined)
        logger.warn({ model, reason, ...(isExpected ? {} : { err: error }) }, consequence);
      failure = reason;
    },
  };
}

/** Milliseconds after a search without vectors in which the words alone answer at once. */
const searchPauseMs = 15_000;

export interface ModelSearches {
  /** Resolves with undefined when the model does not answer: soon after a failure without a question to it. */
  run<T>(search: () => Promise<T>): Promise<T | undefined>;
}

/** `signal`: aborted when the server stops. `onFailure`: called when the model does not answer. */
export function createModelSearches(
  health: ModelHealth,
  now: () => number,
  signal: AbortSignal,
  onFailure?: () => void,
): ModelSearches {
  let searchAgainAt = 0;
  return {
    async run(search) {
      // The model answers again when another request has succeeded.
      if (health.failure !== undefined && now() < searchAgainAt) return undefined;
      try {
        const result = await search();
        health.succeeded();
        return result;
      } catch (error) {
        if (!signal.aborted) health.failed(error);
        searchAgainAt = now() + searchPauseMs;
        onFailure?.();
        return undefined;
      }
    },
  };
}
