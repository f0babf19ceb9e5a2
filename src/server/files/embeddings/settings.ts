// The settings of semantic search, and the options that they select.
import * as v from 'valibot';
import { matching, oneOf, type Setting, type SettingsOf } from '../../startup/setting.ts';
import { StartError } from '../../startup/start-error.ts';
import type { EmbeddingOptions } from './options.ts';

/** The rows of these settings for settings.ts. */
export const embeddingSettings = {
  EMBEDDINGS: {
    doc: 'Semantic search in files and tables: `on` finds passages and rows also by their meaning, `off` by their words only ([files.md](../guides/files.md#search)).',
    default: 'on',
    schema: oneOf('on', 'off'),
  },
  EMBEDDINGS_URL: {
    doc: 'OpenAI-compatible address of a model that computes the vectors of semantic search, such as `https://api.openai.com/v1`. Texts of indexed files, searchable columns of tables and queries are sent to it.',
    defaultDoc: 'the embedded model, for English',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) => /^https?:\/\/[^/?#]+/.test(text) && URL.canParse(text) && !new URL(text).username,
        'must be an http or https address without a user name',
      ),
      v.transform(endpointOf),
    ),
  },
  EMBEDDINGS_MODEL: {
    doc: 'The name of the model at `EMBEDDINGS_URL`, such as `text-embedding-3-small`. After a change, the vectors of all files and rows are computed again in the background.',
    defaultDoc: 'required with `EMBEDDINGS_URL`',
    schema: matching(/^[\w./:@-]{1,200}$/, 'must be 1 to 200 letters, digits or `_./:@-`'),
  },
  EMBEDDINGS_KEY: {
    doc: 'The key for `EMBEDDINGS_URL`, sent as a bearer token.',
    defaultDoc: 'none',
    schema: matching(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1000 ASCII characters without spaces'),
    isSecret: true,
  },
  EMBEDDINGS_MIN_SIMILARITY: {
    doc: 'The minimum cosine similarity between the vectors of a query and of a passage or row that is found by its meaning, from 0 to 0.99. Some models need a higher value, because all of their vectors are similar.',
    default: '0.2',
    schema: v.pipe(matching(/^0(\.\d{1,6})?$/, 'must be a number from 0 to 0.99'), v.transform(Number)),
  },
} satisfies Record<string, Setting<unknown>>;

type EmbeddingSettings = SettingsOf<typeof embeddingSettings>;

/** Returns undefined when semantic search is off. Throws StartError for settings that do not fit together. */
export function readEmbeddings(settings: EmbeddingSettings): EmbeddingOptions | undefined {
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_KEY: key } = settings;
  if (settings.EMBEDDINGS === 'off') return undefined;
  const minSimilarity = settings.EMBEDDINGS_MIN_SIMILARITY;
  if (url === undefined) {
    if (model === undefined && key === undefined) return { model: { kind: 'embedded' }, minSimilarity };
    throw new StartError('EMBEDDINGS_URL is required with EMBEDDINGS_MODEL and EMBEDDINGS_KEY.');
  }
  if (model === undefined) throw new StartError('EMBEDDINGS_MODEL is required with EMBEDDINGS_URL.');
  return { model: { kind: 'remote', url, model, key }, minSimilarity };
}

/** Returns the address of the endpoint `/embeddings` below a base address, with its query. */
function endpointOf(text: string): string {
  const url = new URL(text);
  url.pathname = `${url.pathname.replace(/\/+$/, '').replace(/\/embeddings$/, '')}/embeddings`;
  return url.href;
}
