// The model whose vectors answer searches. After a change of the model, it is the old one until the vectors of the new one
// are complete.
import type { Database } from '../../storage/database.ts';
import { type EmbeddingModelRow, listEmbeddingModels } from '../../storage/files/embeddings.ts';
import { type EmbeddingModel, modelName, modelOfName } from './model.ts';

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
