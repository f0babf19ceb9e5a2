// Tests of the knowledge of the demo bot about the shop: it answers every question of the page and its own suggestions, and does not guess.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { products, topics } from './notes.ts';
import { findAnswer, questions } from './shop.ts';

const page = readFileSync('demo/site/index.html', 'utf8');

test('every question that a button of the page asks has an answer', () => {
  const asked = [...page.matchAll(/data-ask="([^"]+)"/g)].map(([, text = '']) => text);
  expect(asked.length).toBeGreaterThan(7);
  const next = topics.flatMap((topic) => topic.next);
  for (const text of [...asked, ...questions, ...next]) expect(findAnswer(text), text).toBeTypeOf('function');
});

test.each([
  'What does a puncture cost?',
  'When are you open on Saturdays?',
  'do you deliver to Basel',
  'Compare your bikes',
  'How long can I return a bike?',
  'What is in my cart?',
  'I would like to talk to a person.',
  'Can I speak to someone?',
  'human',
  'What can you do?',
  'help',
  'Are you an AI?',
  'How much is the Fjord?',
  'Do you have helmets?',
  'I want to buy a bike',
  'Empty my cart',
  'Where are you?',
  'Can I pay by card?',
])('“%s” has an answer', (text) => {
  expect(findAnswer(text)).toBeTypeOf('function');
});

test.each([
  'hello',
  'Do you repair unicycles?',
  'Where is my order?',
  'Was kostet ein Rad?',
  '你好',
  '🚲',
  'markdown',
  'x'.repeat(10_000),
  '',
])('“%s” has none, and the bot does not guess', (text) => {
  expect(findAnswer(text)).toBeUndefined();
});

test('each number in an answer is in the section of the page that the answer names', () => {
  const sectionOf = (name: string) =>
    new RegExp(`<(section|article) id="${name}"[\\s\\S]*?</\\1>`).exec(page)?.[0] ?? '';
  for (const { answer } of topics) {
    const named = [...answer.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => sectionOf(name)).join('');
    expect(named, answer).not.toBe('');
    for (const [number] of answer.matchAll(/\d[\d.]*\d|\d/g)) expect(named, answer).toContain(number);
  }
});

test('the bot knows the products of the page, with the same prices and properties', () => {
  const row = /data-product="(\w+)" data-price="(\d+)"[\s\S]*?<h3>(.*?)<\/h3>\s*<p>(.*?)<\/p>/g;
  const onPage = [...page.matchAll(row)].map(([, id, price, name, about]) => ({
    id,
    name,
    price: Number(price),
    about,
  }));
  expect(onPage).toEqual(products.map(({ id, name, price, about }) => ({ id, name, price, about })));
});

test('the sections that answers name are on the page', () => {
  const source = readFileSync('demo/notes.ts', 'utf8');
  const named = [...source.matchAll(/ \[(\w+)\]/g)].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(5);
  for (const name of named) expect(page, name).toContain(`id="${name}"`);
});
