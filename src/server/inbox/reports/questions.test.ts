// Tests of grouping messages that the bot did not answer into questions.
import { expect, test } from 'vitest';
import { questionsOf } from './questions.ts';

let created = 0;
const asked = (conversationId: string, payload: string | object) => ({
  id: `msg_${created}`,
  conversationId,
  payload: JSON.stringify(typeof payload === 'string' ? { type: 'text', text: payload } : payload),
  createdAt: created++,
});

test('questions: messages with the same words count as one question, once for each conversation', () => {
  const rows = [
    asked('a', 'Where is my order?'),
    asked('b', 'where is MY  order'),
    asked('c', 'My order… where is it? Where IS my order!!'),
    asked('d', 'Order, where is my'),
    // One visitor who repeats themselves.
    ...['one', 'one', 'one', 'one'].map((id) => asked(id, 'Nobody answers me')),
    // Too rare.
    asked('a', 'What does it cost?'),
    asked('b', 'What does it cost?'),
    // Without words.
    ...['a', 'b', 'c'].map((id) => asked(id, '???')),
    ...['a', 'b', 'c'].map((id) => asked(id, { type: 'image', imageUrl: 'https://example.com/a.png' })),
    ...['x', 'y', 'z', 'w'].map((id) => asked(id, '我的订单在哪里')),
    ...['x', 'y', 'z'].map((id) => asked(id, `Žluťoučký ${'kůň '.repeat(100)}`)),
  ];
  const found = questionsOf(rows);
  // Of equal ones, the one that was asked last.
  expect(found.map(({ conversationId }) => conversationId)).toEqual(['w', 'z', 'd']);
  expect([found[0]?.text, found[2]?.text]).toEqual(['我的订单在哪里', 'Order, where is my']);
  expect(found.map(({ count }) => count)).toEqual([4, 3, 3]);
  expect(Math.max(...found.map(({ text }) => [...text].length))).toBeLessThanOrEqual(200);
  expect(found.map(({ text }) => text)).not.toContain('Nobody answers me');
  expect(questionsOf([])).toEqual([]);
});

test('questions: of more than 50, the most frequent are named', () => {
  const rows = Array.from({ length: 60 }, (_, number) =>
    Array.from({ length: number === 7 ? 5 : 3 }, (_, index) =>
      asked(`conv ${index}`, `Question number ${number}`),
    ),
  ).flat();
  const found = questionsOf(rows);
  expect(found).toHaveLength(50);
  expect(found[0]).toMatchObject({ text: 'Question number 7', count: 5 });
});
