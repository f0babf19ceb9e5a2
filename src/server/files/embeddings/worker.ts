// The worker thread of semantic search: it computes vectors, and compares the vector of a query with those in the
// database. Searches come before other work.
import { parentPort, workerData } from 'node:worker_threads';
import { type EmbeddingBlock, scanEmbeddings } from '../../storage/files/embeddings.ts';
import type { FileFilter } from '../../storage/files/file-filter.ts';
import { openReader, type Reader } from '../../storage/sqlite.ts';
import { loadEmbedded } from './embedded.ts';
import { type Embedder, EmbeddingError, type EmbeddingModel, longestText, modelName } from './model.ts';
import { createRemote } from './remote.ts';
import { compareBlock, normalized, packVectors } from './vectors.ts';

/** The requests of the main thread by kind, and the results. */
export interface Requests {
  embed: {
    request: { model: EmbeddingModel; texts: string[] };
    result: { vectors: Uint8Array; dimensions: number };
  };
  search: { request: VectorSearch; result: VectorHit[] };
}

export interface VectorSearch {
  model: EmbeddingModel;
  /** The id of the model in the database. */
  modelId: number;
  query: string;
  filter: FileFilter;
  limit: number;
  /** The lowest cosine of a hit. */
  minSimilarity: number;
}

/** A passage, by its place, and the cosine of its vector and that of the query. */
export interface VectorHit {
  indexVersion: string;
  position: number;
  similarity: number;
}

/** A message of the main thread. `cancel` ends the request with this id. */
export type Message =
  | { id: number; kind: 'embed'; request: Requests['embed']['request'] }
  | { id: number; kind: 'search'; request: VectorSearch }
  | { id: number; kind: 'cancel' }
  | { id: number; kind: 'close' };

/** A message to the main thread. `reason`: why the model has no vectors; null after an unexpected error. */
export type Reply = { id: number } & ({ result: unknown } | { reason: string | null });

export interface WorkerInput {
  /** The location of the database. */
  location: string;
}

const port = parentPort;
if (!port) throw new Error('This file runs as a worker thread.');
const { location } = workerData as WorkerInput;

let reader: Promise<Reader> | undefined;
/** The end of the last scan: one runs at a time, so that those whose time is over are skipped. */
let lastScan: Promise<unknown> = Promise.resolve();
const embedders = new Map<string, Promise<Embedder>>();
const running = new Map<number, AbortController>();

function embedderOf(model: EmbeddingModel): Promise<Embedder> {
  const name = modelName(model);
  const known = embedders.get(name);
  if (known !== undefined) return known;
  const made = model.kind === 'embedded' ? loadEmbedded() : Promise.resolve(createRemote(model));
  embedders.set(name, made);
  // The next request tries again.
  made.catch(() => embedders.delete(name));
  return made;
}

async function vectorsOf(
  model: EmbeddingModel,
  texts: string[],
  options: { isQuery: boolean; signal: AbortSignal },
): Promise<number[][]> {
  const embedder = await embedderOf(model);
  const vectors = await embedder.embed(
    texts.map((text) => text.replace(/\s+/g, ' ').trim().slice(0, longestText)),
    options,
  );
  if (vectors.length !== texts.length) throw new EmbeddingError('The embedding model left out texts.');
  return vectors;
}

async function embed(
  { model, texts }: Requests['embed']['request'],
  signal: AbortSignal,
): Promise<Requests['embed']['result']> {
  const vectors = await vectorsOf(model, texts, { isQuery: false, signal });
  const dimensions = vectors[0]?.length ?? 0;
  return { vectors: packVectors(vectors, dimensions), dimensions };
}

async function search(
  { model, modelId, query, filter, limit, minSimilarity }: VectorSearch,
  signal: AbortSignal,
): Promise<VectorHit[]> {
  const [vector] = await vectorsOf(model, [query], { isQuery: true, signal });
  if (!vector?.some((value) => value !== 0)) return [];
  const wanted = normalized(vector);
  const best: VectorHit[] = [];
  let lowest = minSimilarity;
  const compare = ({ indexVersion, position, count, vectors }: EmbeddingBlock) =>
    compareBlock(wanted, vectors, count, (index, similarity) => {
      if (similarity < lowest) return;
      best.push({ indexVersion, position: position + index, similarity });
      if (best.length < 2 * limit) return;
      keepBest(best, limit);
      lowest = best.at(-1)?.similarity ?? lowest;
    });
  const scan = lastScan.then(async () => {
    // Messages that cancel searches come first.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    reader ??= openReader(location);
    const { read } = await reader.catch((error: unknown) => {
      // The next search tries again.
      reader = undefined;
      throw error;
    });
    await read((tx) => scanEmbeddings(tx, modelId, filter, compare));
  });
  lastScan = scan.catch(() => {});
  await scan;
  keepBest(best, limit);
  return best;
}

function keepBest(hits: VectorHit[], limit: number): void {
  hits.sort((a, b) => b.similarity - a.similarity);
  hits.length = Math.min(hits.length, limit);
}

async function run(message: Extract<Message, { request: unknown }>): Promise<void> {
  const { id } = message;
  const control = new AbortController();
  running.set(id, control);
  const reply = (answer: Reply) => port?.postMessage(answer);
  try {
    const result =
      message.kind === 'embed'
        ? await embed(message.request, control.signal)
        : await search(message.request, control.signal);
    reply({ id, result });
  } catch (error) {
    reply({ id, reason: error instanceof EmbeddingError ? error.message : null });
  } finally {
    running.delete(id);
  }
}

port.on('message', (message: Message) => {
  if (message.kind === 'cancel') running.get(message.id)?.abort();
  else if (message.kind === 'close') {
    for (const control of running.values()) control.abort();
    // Ends this thread only.
    void Promise.resolve(reader)
      .then((opened) => opened?.close())
      .finally(() => process.exit());
  } else void run(message);
});
