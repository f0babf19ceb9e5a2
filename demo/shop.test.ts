// Tests of the knowledge of the demo bot about the shop: it answers every question of the page and its own suggestions, and nothing else.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findAnswer, products, questions } from './shop.ts';

const page = readFileSync('demo/site/index.html', 'utf8');

test('every question that a button of the page asks has an answer', () => {
  const asked = [...page.matchAll(/data-ask="([^"]+)"/g)].map(([, text = '']) => text);
  expect(asked.length).toBeGreaterThan(7);
  for (const text of [...asked, ...questions]) expect(findAnswer(text), text).toBeTypeOf('function');
});

test.each([
  'What does a puncture cost?',
  'When are you open on Saturdays?',
  'do you deliver to Basel',
  'Compare your bikes',
  'How long can I return a bike?',
  'What is in my cart?',
  'I would like to talk to a person.',
])('“%s” has an answer', (text) => {
  expect(findAnswer(text)).toBeTypeOf('function');
});

test.each(['hello', 'Do you repair unicycles?', 'How do I get to you?', 'markdown', ''])(
  '“%s” has none, and the bot does not guess',
  (text) => {
    expect(findAnswer(text)).toBeUndefined();
  },
);

test('the bot knows the products of the page, with the same prices', () => {
  const onPage = [...page.matchAll(/data-product="(\w+)" data-price="(\d+)"[\s\S]*?<h3>(.*?)<\/h3>/g)].map(
    ([, id, price, name]) => ({ id, name, price: Number(price) }),
  );
  expect(onPage).toEqual(products.map(({ id, name, price }) => ({ id, name, price })));
});

test('the sections that answers name are on the page', () => {
  const source = readFileSync('demo/shop.ts', 'utf8');
  const named = [...source.matchAll(/ \[(\w+)\]/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(page, name).toContain(`id="${name}"`);
});
