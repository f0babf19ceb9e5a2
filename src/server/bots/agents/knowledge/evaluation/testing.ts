// The evaluation of answers from documents: 36 documents of one place, and 75 questions as visitors ask them, 14 of which no
// document answers. Measures which passages an agent is given, and whether the source that is shown supports the sentence.
// Tests and the benchmark use it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createVectors, type EmbeddingOptions } from '../../../../files/embeddings/options.ts';
import { openFullText } from '../../../../files/full-text.ts';
import type { Database } from '../../../../storage/database.ts';
import { insertFile, setTags } from '../../../../storage/files/files.ts';
import { setIndexVersion } from '../../../../storage/files/indexing.ts';
import { insertKnowledgeBase } from '../../../../storage/files/knowledge-bases.ts';
import { insertPassage } from '../../../../storage/files/passages.ts';
import { storedFile } from '../../../../storage/files/testing.ts';
import { createAddresses } from '../../../webhooks/addresses.ts';
import { protocolOf } from '../../agent.ts';
import { runAgent } from '../../run.ts';
import { localAnswer } from '../../test-message.ts';
import { agentAt, begin, chunk, done, say, startAgentServer, testRun } from '../../testing.ts';
import { type Grounding, groundingOf } from '../grounding.ts';
import { createKnowledgeSearch, type KnowledgeSearch } from '../search.ts';

export interface Question {
  question: string;
  /** The name of the document that answers it; null if none does. */
  document: string | null;
  /** The words of the passage that answer it. */
  statement: string;
}

/** Texts in Markdown, by name. */
export type Documents = Record<string, string>;

const read = async <T>(name: string): Promise<T> =>
  JSON.parse(await readFile(join(import.meta.dirname, name), 'utf8')) as T;

const readDocuments = (): Promise<Documents> => read('documents.json');

export async function readQuestions(): Promise<Question[]> {
  const rows = await read<[string, string | null, string | null][]>('questions.json');
  return rows.map(([question, document, statement]) => ({ question, document, statement: statement ?? '' }));
}

const botId = 'bot_evaluation';

export interface Evaluation {
  /** The search that agents use. */
  search: KnowledgeSearch;
  close(): Promise<void>;
}

/** Stores the documents in an empty database. `embeddings`: by default words alone. */
export async function openEvaluation(
  db: Database,
  logger: Logger,
  options?: { embeddings: EmbeddingOptions; execArgv: string[] },
): Promise<Evaluation> {
  const documents = await readDocuments();
  const words = await db.write(openFullText);
  await db.write(async (tx) => {
    const base = { id: 'kb_evaluation', botId, name: 'Evaluation', tags: '{}', createdAt: 1, updatedAt: 1 };
    await insertKnowledgeBase(tx, base);
    for (const [name, text] of Object.entries(documents)) {
      const file = storedFile(botId, name);
      await insertFile(tx, file);
      await setTags(tx, file, { kbId: base.id });
      for (const [position, { breadcrumb, content }] of sectionsOf(text).entries()) {
        const row = { id: `${name}_${position}`, indexVersion: name, position, content, breadcrumb };
        const seq = await insertPassage(tx, { ...row, subtype: 'paragraph', page: null });
        await words.add(tx, botId, { seq, text: `${breadcrumb}\n${content}` });
      }
      await setIndexVersion(tx, name, name, 1, 1);
    }
  });
  const vectors =
    options && createVectors({ db, logger, now: Date.now, execArgv: options.execArgv }, options.embeddings);
  const model = vectors && 'createIndex' in vectors ? vectors : undefined;
  if (options && !model) throw new Error('The embedded model is not installed.');
  const index = model?.createIndex(db);
  await index?.start();
  await index?.idle();
  const files = {
    passages: words,
    vectors: model && { find: model.find, add() {} },
    url: () => '',
  };
  return {
    search: createKnowledgeSearch({ db, logger, files, publicUrl: () => '', searchTime: 120_000 }),
    async close() {
      await index?.close();
      await model?.close();
    },
  };
}

/** The paragraphs of a document under their titles, as the index has them. */
function sectionsOf(text: string): { breadcrumb: string; content: string }[] {
  const [, title = ''] = /^# (.*)/.exec(text) ?? [];
  return text.split(/^#+ /m).flatMap((section) => {
    const end = section.indexOf('\n');
    const own = section.slice(0, end);
    const content = section.slice(end + 1).trim();
    if (content === '') return [];
    return [{ breadcrumb: own === title ? own : `${title} > ${own}`, content }];
  });
}

/** Counts of questions by the passages that the agent gets. */
export interface PassageCounts {
  answerable: number;
  /** Whose answer is among the passages that the agent is given: the first, one of the first three, or any. */
  first: number;
  firstThree: number;
  anyPassage: number;
  unanswerable: number;
  /** Of those that no document answers: with passages that would be shown as sources without being cited. */
  shownInVain: number;
}

const groundingFor = (search: KnowledgeSearch, question: string): Promise<Grounding> =>
  groundingOf({
    search,
    botId,
    bases: 'all',
    protocol: 'openai-chat',
    history: [{ id: 'm', role: 'user', text: question, createdAt: '' }],
  });

/** Asks all questions, and counts what an agent is given. */
export async function measurePassages({ search }: Evaluation): Promise<PassageCounts> {
  const counts = { answerable: 0, first: 0, firstThree: 0, anyPassage: 0, unanswerable: 0, shownInVain: 0 };
  for (const { question, document, statement } of await readQuestions()) {
    const { passages, runPassages } = await groundingFor(search, question);
    if (document === null) {
      counts.unanswerable += 1;
      if (runPassages.best(3).length > 0) counts.shownInVain += 1;
      continue;
    }
    const place = passages.findIndex(({ title, text }) => title === document && text.includes(statement));
    counts.answerable += 1;
    if (place === 0) counts.first += 1;
    if (place >= 0 && place < 3) counts.firstThree += 1;
    if (place >= 0) counts.anyPassage += 1;
  }
  return counts;
}

export interface Cited {
  /** Answers with a statement of a document. */
  statements: number;
  /** Answers whose cited source is the document with this statement. */
  supported: number;
  /** Answers for which the agent had to search again. */
  searchedAgain: number;
  /** Answers without a statement, because the agent was not given one, and those of them that show a source. */
  unknown: number;
  unknownWithSource: number;
}

/**
 * Lets a scripted agent answer: it says what the passages that it was given say, with their number, and otherwise searches once
 * with the title of a document (a model would find words of its own), and at last says that it does not know.
 */
export async function measureCited({ search }: Evaluation, questions: readonly Question[]): Promise<Cited> {
  const counts = { statements: 0, supported: 0, searchedAgain: 0, unknown: 0, unknownWithSource: 0 };
  const agent = await startAgentServer();
  try {
    for (const { question, document, statement } of questions) {
      let requests = 0;
      agent.answer((response, { body }) => {
        requests += 1;
        const shown = body.messages.flatMap(({ role, content }) => passagesOf(role, content));
        const found = shown.findLast(({ text }) => statement !== '' && text.includes(statement));
        if (found) return say(response, `It is so: ${statement} [${found.number}]. Ask again [99].`);
        if (requests > 1 || document === null) return say(response, 'I do not know.');
        const input = JSON.stringify({ query: document.replace('-', ' ') });
        const call = { index: 0, id: 'a', function: { name: 'search_knowledge', arguments: input } };
        return begin(response).end(chunk({ tool_calls: [call] }) + chunk({}, 'tool_calls') + done);
      });
      const { handle, answer } = localAnswer(new AbortController().signal, () => {});
      const target = agentAt(agent.url);
      const { tools: _, ...run } = testRun();
      const { passages, runPassages, tools } = await groundingFor(search, question);
      const history = [{ id: 'm', role: 'user' as const, text: question, createdAt: '' }];
      await runAgent({
        agent: target,
        protocol: protocolOf(target.protocol),
        run: { ...run, history, knowledge: passages },
        tools,
        passages: runPassages,
        handle,
        addresses: createAddresses(true),
      });
      const { text, parts } = answer();
      const sources = parts.filter((part) => part.type === 'source');
      if (requests > 1) counts.searchedAgain += 1;
      if (text === 'I do not know.') {
        counts.unknown += 1;
        if (sources.length > 0) counts.unknownWithSource += 1;
        continue;
      }
      counts.statements += 1;
      const [, number] = /\[(\d+)\]/.exec(text) ?? [];
      if (sources[Number(number) - 1]?.title === document && sources.length === 1) counts.supported += 1;
    }
  } finally {
    await agent.close();
  }
  return counts;
}

interface TitledPassage {
  number: number;
  text: string;
}

/** The passages in a message: of the data before the question, or of the result of the tool. */
function passagesOf(role: string, content: string | null): TitledPassage[] {
  const line = content?.split('\n').find((one) => one.startsWith('{'));
  if (line === undefined || role === 'assistant') return [];
  return (JSON.parse(line) as { passages?: TitledPassage[] }).passages ?? [];
}
