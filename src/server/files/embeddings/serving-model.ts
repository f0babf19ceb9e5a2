// The model whose vectors answer searches, and whether it responds. After a change of the model, it is the old one until the vectors of the new one
// are complete.
import type { Logger } from 'pino';
import type { Database } from '../../storage/database.ts';
import { type EmbeddingModelRow, listEmbeddingModels } from '../../storage/files/embeddings.ts';
import { EmbeddingError, type EmbeddingModel, modelName, modelOfName } from './model.ts';

export interface Serving {
  row: EmbeddingModelRow;
  model: EmbeddingModel;
}

export interface ServingModel {
  /** The last choice; undefined while the database has no vectors. */
  readonly current: Serving | undefined;
  /** The configured model when it is complete; otherwise a complete one that still answers; otherwise the configured. */
  choose(): Promise<void>;
  /**
   * Chooses again if the last choice is some seconds old: another process may have computed vectors since. Never rejects:
   * the last choice stays while the database fails.
   */
  refresh(): Promise<void>;
}

/** Milliseconds that a choice is valid. */
const choiceLifetimeMs = 10_000;

export function createServingModel(db: Database, model: EmbeddingModel): ServingModel {
  const name = modelName(model);
  let current: Serving | undefined;
  let chosenAt = Number.NEGATIVE_INFINITY;

  async function choose(): Promise<void> {
    const rows = await db.read(listEmbeddingModels);
    chosenAt = performance.now();
    const own = rows.find((row) => row.name === name);
    let found: Serving | undefined = own && { row: own, model };
    if (own?.completedAt == null) {
      for (const row of rows) {
        const other = row.completedAt === null ? undefined : modelOfName(row.name, model);
        if (other) found = { row, model: other };
      }
    }
    current = found;
  }

  return {
    get current() {
      return current;
    },
    choose,
    async refresh() {
      if (performance.now() - chosenAt >= choiceLifetimeMs) await choose().catch(() => {});
    },
  };
}

/** The health of an embedding model, for the log and for the status of the search. */
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
