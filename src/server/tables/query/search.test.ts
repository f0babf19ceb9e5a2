// Tests of the search by tokens: the found rows, their order, and their similarity.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fullTextSearch, type Searched } from './search.ts';

async function* rows(texts: string[]): AsyncGenerator<Searched[]> {
  for (const [id, text] of texts.entries()) yield [{ id, text }];
}
const ranked = async (query: string, texts: string[]) =>
  [...(await fullTextSearch(query, rows(texts)))].sort((a, b) => b[1] - a[1]).map(([id]) => id);

test('rare tokens weigh more than frequent ones, and two weigh more than one', async () => {
  const texts = ['the red fox', 'the the the', 'the red', 'nothing here', 'the blue dog'];
  expect(await ranked('the fox', texts)).toEqual([0, 1, 2, 4]);
});

test('case, accents and suffixes of longer words do not matter', async () => {
  const texts = ['Łódź i Kraków', 'ORDERS', 'order', 'or'];
  expect(await ranked('krakow', texts)).toEqual([0]);
  expect(await ranked('order', texts)).toEqual([2, 1]);
  expect(await ranked('or', texts)).toEqual([3]);
});

test('similarity is above 0 and at most 1, and 1 only for rows with all tokens', async () => {
  const word = fc.constantFrom('red', 'blue', 'fox', 'dog', 'and');
  const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(text, fc.array(text), async (query, texts) => {
      const found = await fullTextSearch(query, rows(texts));
      for (const [id, similarity] of found) {
        expect(similarity).toBeGreaterThan(0);
        expect(similarity).toBeLessThanOrEqual(1);
        expect(query.split(' ').some((one) => texts[id]?.split(' ').includes(one))).toBe(true);
      }
    }),
  );
});

test('a query of punctuation only finds nothing', async () => {
  expect(await ranked('?! …', ['?!', 'a'])).toEqual([]);
});
