// The evaluation questions: 60 questions of four domains that share no words of meaning with the passage that answers
// them. Measures how many answers are among the first results. Tests and the benchmark use it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Database } from '../../storage/database.ts';
import { insertFile } from '../../storage/files/files.ts';
import { setIndexVersion } from '../../storage/files/indexing.ts';
import { insertPassage } from '../../storage/files/passages.ts';
import { storedFile } from '../../storage/files/testing.ts';
import { createVectors, type EmbeddingOptions } from '../embeddings/options.ts';
import { openFullText } from '../full-text.ts';
import { fuse } from '../search.ts';

export interface Question {
  question: string;
  /** The name of the passage that answers it. */
  passage: string;
}

export interface Domain {
  domain: string;
  /** The texts by name. */
  passages: Record<string, string>;
  questions: Question[];
}

export async function readDomains(): Promise<Domain[]> {
  const names = ['shop', 'clinic', 'software', 'city'];
  const read = (name: string) => readFile(join(import.meta.dirname, `${name}.json`), 'utf8');
  return Promise.all(names.map(async (name) => JSON.parse(await read(name)) as Domain));
}

/** The number of first results among which an answer has to be. */
const results = 5;
const botId = 'bot_evaluation';
const filter = { visibleTo: { botId, space: 'bot', sharedWithIntegrations: false } };

/** Shares of questions whose answer is among the first five results: by words, by vectors, by both. */
export interface Recall {
  words: number;
  vectors: number;
  both: number;
  /** The median of the duration of a search by both in milliseconds. */
  duration: number;
}

/** Stores the passages of all domains in an empty database, and asks all questions. */
export async function measureRecall(
  db: Database,
  logger: Logger,
  options: { embeddings: EmbeddingOptions; execArgv: string[] },
): Promise<Recall> {
  const domains = await readDomains();
  const words = await db.write(openFullText);
  const contents = new Map<number, string>();
  await db.write(async (tx) => {
    for (const { domain, passages } of domains) {
      await insertFile(tx, storedFile(botId, domain));
      for (const [position, [name, content]] of Object.entries(passages).entries()) {
        const row = { id: `${domain}_${name}`, indexVersion: domain, position, content };
        const seq = await insertPassage(tx, { ...row, subtype: 'paragraph', page: null, breadcrumb: '' });
        await words.add(tx, botId, { seq, text: content });
        contents.set(seq, `${domain}_${name}`);
      }
      await setIndexVersion(tx, domain, domain, 1, 1);
    }
  });
  const vectors = createVectors(
    { db, logger, now: Date.now, execArgv: options.execArgv },
    options.embeddings,
  );
  if (!('createIndex' in vectors)) throw new Error('The embedded model is not installed.');
  const index = vectors.createIndex(db);
  try {
    await index.start();
    await index.idle();
    const found = { words: 0, vectors: 0, both: 0 };
    const durations: number[] = [];
    const questions = domains.flatMap(({ domain, questions: asked }) =>
      asked.map(({ question, passage }) => ({ question, answer: `${domain}_${passage}` })),
    );
    for (const { question, answer } of questions) {
      const begin = performance.now();
      const similar = vectors.find(question, filter, 100);
      const byWords = await db.read((tx) => words.find(tx, { botId, query: question, filter, limit: 100 }));
      const byVectors = await similar;
      if (!byVectors) throw new Error('The embedding model did not answer.');
      const byBoth = fuse(byWords, byVectors);
      durations.push(performance.now() - begin);
      for (const [kind, hits] of Object.entries({ words: byWords, vectors: byVectors, both: byBoth })) {
        const isFound = hits.slice(0, results).some(({ seq }) => contents.get(seq) === answer);
        if (isFound) found[kind as keyof typeof found] += 1;
      }
    }
    const share = (count: number) => count / questions.length;
    durations.sort((a, b) => a - b);
    return {
      words: share(found.words),
      vectors: share(found.vectors),
      both: share(found.both),
      duration: durations[durations.length >> 1] ?? 0,
    };
  } finally {
    await index.close();
    await vectors.close();
  }
}
