// Whether an embedding model answers, for the log and for the status of the search.
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
