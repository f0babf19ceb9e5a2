// Tests of full-text search: every script, any input as a query, ranking, and isolation of bots.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyText } from '../../protocol/any-text.testing.ts';
import type { Database } from '../storage/database.ts';
import { insertFile, setTags } from '../storage/files/files.ts';
import { setIndexVersion } from '../storage/files/indexing.ts';
import { insertPassage } from '../storage/files/passages.ts';
import { storedFile } from '../storage/files/testing.ts';
import { openTestDatabase } from '../testing.ts';
import { openFullText, type PassageIndex, tokenize } from './full-text.ts';

let folder: string;
let db: Database;
let index: PassageIndex;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-words-'));
  db = await openTestDatabase(folder);
  index = await db.write((tx) => openFullText(tx));
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

let count = 0;
/** Stores each text as a file of a new bot. Returns functions that search and return the found texts. */
async function indexTexts(...texts: string[]) {
  const bot = `bot_${++count}`;
  const idOf = (position: number) => `${bot}_${position}`;
  const seqs = await db.write(async (tx) => {
    const made: number[] = [];
    for (const [position, content] of texts.entries()) {
      const id = idOf(position);
      await insertFile(tx, storedFile(bot, id));
      await setTags(tx, { id, botId: bot }, { id });
      const row = { id, indexVersion: id, position: 0, content };
      const seq = await insertPassage(tx, { ...row, subtype: 'paragraph', page: null, breadcrumb: '' });
      await index.add(tx, bot, { seq, text: content });
      await setIndexVersion(tx, id, id, content.length, 1);
      made.push(seq);
    }
    return made;
  });
  /** `hidden`: positions of texts that the caller cannot see. */
  const hits = (query: string, limit = 50, hidden: number[] = []) => {
    const filter = {
      visibleTo: { botId: bot, space: 'bot', sharedWithIntegrations: false },
      tags: { id: { not: hidden.map(idOf) } },
    };
    return db.read((tx) => index.find(tx, { botId: bot, query, filter, limit }));
  };
  const find = async (query: string, limit?: number) =>
    (await hits(query, limit)).map(({ seq }) => texts[seqs.indexOf(seq)]);
  return { bot, seqs, hits, find };
}

describe('tokenize', () => {
  test.each([
    ['The Refund-Policies, 2024!', ['the', 'refund', 'policy', '2024']],
    ['Cafés CAFÉ café', ['cafe', 'cafe', 'cafe']],
    ['ﬁle Ⅳ ｆｕｌｌ', ['file', 'iv', 'full']],
    ['状态 A返金', ['状态', 'a', '返金']],
    ['東京都', ['東京', '京都']],
    ['我', ['我']],
    ['Ünïcödé Straße ΑΘΗΝΑ Київ', ['unicode', 'strasse', 'αθηνα', 'киів']],
    ['status class analysis is as', ['status', 'class', 'analysis', 'is', 'as']],
    ['"\' * ( ) : ^ - + 👍🏽 \u0000 \ud800', []],
  ])('cuts %j into tokens', (text, tokens) => {
    expect(tokenize(text)).toEqual(tokens);
  });

  test('returns letters, digits and marks only, for any text', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 200 }), (text) => {
        for (const token of tokenize(text)) expect(token).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
        expect(tokenize(text)).toEqual(tokenize(`${text} `));
      }),
    );
  });
});

describe('search', () => {
  test('the better match is first, with a score between 0 and 1', async () => {
    const { find, hits } = await indexTexts(
      'Our office is open from nine to five.',
      'Refunds: we refund every order within thirty days.',
      'Every order is shipped within two days.',
    );
    expect((await find('refund an order'))[0]).toContain('thirty');
    expect(await find('refund an order', 1)).toHaveLength(1);
    const found = await hits('refund an order');
    expect(found.length).toBeGreaterThan(1);
    for (const { score } of found) {
      expect(score).toBeGreaterThan(0);
      expect(score).toBeLessThanOrEqual(1);
    }
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a));
  });

  test('a match of some tokens scores less than a match of all', async () => {
    const { hits } = await indexTexts('a lonely text about sailing boats');
    const [all, some] = [await hits('sailing boat'), await hits('sailing trains')];
    expect(all[0]?.score).toBeGreaterThan(0.3);
    expect(some).toHaveLength(1);
    expect(some[0]?.score).toBeLessThan((all[0]?.score ?? 0) * 0.6);
  });

  test.each([
    ['こちらの商品は返品できます', '返品'],
    ['Возврат товара возможен', 'возврат'],
    ['يمكنك إرجاع المنتج', 'المنتج'],
    ['สามารถคืนสินค้าได้', 'สินค้า'],
    ['환불은 30일 이내', '환불은'],
    ['문서는 여기에 있습니다', '문서'],
    ['Die Straße ist lang', 'STRASSE'],
    ['ulica w Łodzi', 'lodzi'],
    ['我爱喝茶', '茶'],
    ['ﾊﾞｽで行く', 'バス'],
  ])('%s is found by %s', async (text, query) => {
    const { find } = await indexTexts(text, 'something else');
    expect(await find(query)).toEqual([text]);
    expect(await find('xyz')).toEqual([]);
  });

  const syntax = [
    '"',
    "'; --",
    'a AND',
    'NEAR(a b)',
    'words : x',
    'a* ^b -c +d {e} (f',
    '',
    'AND OR NOT',
    '\ud800',
  ];
  test.each(syntax)('%j is not syntax of the query', async (query) => {
    const { find } = await indexTexts('and or not near drop');
    expect(Array.isArray(await find(query))).toBe(true);
  });

  test('any text is a valid query', async () => {
    const { find } = await indexTexts('something');
    await fc.assert(
      fc.asyncProperty(anyText({ maxLength: 300 }), async (query) => {
        expect(Array.isArray(await find(query))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('a bot finds its own passages only, also by the id of another bot', async () => {
    const one = await indexTexts('secret of one');
    const two = await indexTexts('secret of two');
    expect(await one.find('secret two')).toEqual(['secret of one']);
    expect(await two.find('secret')).toEqual(['secret of two']);
    expect(await two.find(one.bot)).toEqual([]);
    expect(await two.find(`bot${one.bot.replace('_', '')}`)).toEqual([]);
  });

  test('a removed passage is not found, and can be added again', async () => {
    const { find, seqs, bot } = await indexTexts('here today', 'here always');
    await db.write((tx) => index.remove(tx, seqs[0] ?? 0));
    expect(await find('here')).toEqual(['here always']);
    await db.write((tx) => index.add(tx, bot, { seq: seqs[0] ?? 0, text: 'here again' }));
    expect(await find('again')).toEqual(['here today']);
  });

  test('scores and order do not depend on other bots or on files that the caller cannot see', async () => {
    const texts = [
      'Our merger with Globex is a rumour.',
      'The rumour says: no merger.',
      'A rumour, a rumour, a rumour of a long winter without any end that somebody could see coming.',
      'Globex makes chairs.',
    ];
    const queries = ['merger globex rumour', 'globex', 'rumour winter', 'the merger of hydra'];
    const { hits, seqs } = await indexTexts(
      ...texts,
      ...Array.from({ length: 30 }, () => 'globex hydra merger'),
    );
    const hidden = Array.from({ length: 30 }, (_, n) => texts.length + n);
    const alone = await indexTexts(...texts);
    const seen = async () => {
      const answers = await Promise.all(queries.map((query) => hits(query, 50, hidden)));
      return answers.map((found) => found.map(({ seq, score }) => [seqs.indexOf(seq), score]));
    };
    const expected = (await Promise.all(queries.map((query) => alone.hits(query)))).map((found) =>
      found.map(({ seq, score }) => [alone.seqs.indexOf(seq), score]),
    );
    expect(expected.map((found) => found.length > 0)).toEqual(queries.map(() => true));
    // As if the hidden files did not exist.
    expect(await seen()).toEqual(expected);
    await indexTexts(...Array.from({ length: 60 }, (_, n) => `rumour hydra winter ${'long '.repeat(n)}`));
    expect(await seen()).toEqual(expected);
  });

  test('the limit counts visible passages only, however many hidden ones match better', async () => {
    const { hits, seqs } = await indexTexts(
      ...Array.from({ length: 300 }, () => 'boat boat'),
      'a boat',
      'no boat',
    );
    const found = await hits(
      'boat',
      2,
      Array.from({ length: 300 }, (_, n) => n),
    );
    expect(found.map(({ seq }) => seqs.indexOf(seq)).sort()).toEqual([300, 301]);
  });

  test('a rare token weighs more than a common one, a short text more than a long one', async () => {
    const common = Array.from({ length: 20 }, (_, n) => `the order number ${n}`);
    const { find } = await indexTexts(...common, 'a refund', `a ${'very '.repeat(200)} late refund`);
    expect((await find('order refund')).slice(0, 2)).toEqual(['a refund', expect.stringContaining('late')]);
  });

  test('a query with too many tokens uses the first ones', async () => {
    const words = Array.from({ length: 200 }, (_, n) => `word${n}`);
    const { find } = await indexTexts(words.join(' '), 'word47', 'word48');
    expect(await find(words.join(' '))).toEqual([words.join(' '), 'word47']);
  });
});
