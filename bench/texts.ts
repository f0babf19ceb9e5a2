// The texts of the benchmark, always the same: messages of a usual conversation, and five shapes of a long answer.
import type { Payload } from '../src/protocol/message.ts';

const words =
  'the order that you placed on Monday has left our house and should be with you within two working days unless ' +
  'the weather in the mountains holds the train up again which happens about once in a winter and is nobody’s fault';
const list = words.split(' ');

/** Returns `count` words from position `from`, so that no two neighbors are equal. */
const wordsFrom = (count: number, from: number) =>
  Array.from({ length: count }, (_, i) => list[(from * 7 + i) % list.length]).join(' ');

const code = (from: number) =>
  `\`\`\`js\nconst order${from} = await orders.find({ id: ${from}, open: true });\nif (!order${from}) {\n  ` +
  `throw new Error('No such order'); // ${wordsFrom(3, from)}\n}\n\`\`\``;
const table = (from: number, rows: number) =>
  `| Item | Price | Words |\n|---|--:|---|\n${Array.from({ length: rows }, (_, i) => `| ${wordsFrom(2, from + i)} | ${(from + i) % 90} € | ${wordsFrom(3, from + i * 3)} |`).join('\n')}`;
const items = (from: number, count: number) =>
  Array.from(
    { length: count },
    (_, i) => `- ${wordsFrom(4, from + i)} **${wordsFrom(2, i)}** ${wordsFrom(4, from * 3 + i)}`,
  ).join('\n');

/**
 * Returns the message at this distance from the end of a conversation: short questions, answers of 300 to 1,200
 * characters.
 */
export function message(age: number, isBot: boolean): Payload {
  if (!isBot) return { type: 'text', text: `${wordsFrom(3 + (age % 17), age)}?` };
  const parts = [
    `${wordsFrom(25, age)}. **${wordsFrom(4, age)}**, ${wordsFrom(20, age + 1)} [our page](https://example.org/${age}).`,
    age % 3 === 0 && `### ${wordsFrom(3, age)}\n\n${items(age, 4)}`,
    age % 5 === 0 && code(age),
    age % 7 === 0 && table(age, 4),
    `${wordsFrom(15, age + 2)} \`${wordsFrom(1, age)}\` ${wordsFrom(10, age + 3)}.`,
  ];
  return { type: 'markdown', markdown: parts.filter(Boolean).join('\n\n') };
}

const length = 20_000;
const repeat = (piece: (index: number) => string, before = '') => {
  let text = before;
  for (let i = 0; text.length < length; i++) text += piece(i);
  return text.slice(0, length);
};

/** Answers of 20,000 characters; of 15,000 where longer blocks are displayed as plain text (src/widget/markdown/parsing/limits.ts). */
export const shapes: Record<string, string> = {
  mixed: repeat((i) =>
    [
      `## ${wordsFrom(4, i)}`,
      `${wordsFrom(60, i)}. **${wordsFrom(4, i)}** ${wordsFrom(30, i)}.`,
      items(i, 6),
      code(i),
      table(i, 6),
      '',
    ]
      .filter(Boolean)
      .join('\n\n')
      .concat('\n\n'),
  ),
  paragraph: repeat((i) => `${wordsFrom(12, i)}, *${wordsFrom(2, i)}*, `),
  list: repeat((i) => `${items(i, 1)}\n`),
  table: repeat(
    (i) => `| ${wordsFrom(2, i)} | ${i} € | ${wordsFrom(3, i)} |\n`,
    '| Item | Price | Words |\n|---|--:|---|\n',
  ),
  code: repeat((i) => `const order${i} = find(${i}); // ${wordsFrom(6, i)}\n`, '```js\n'),
};

for (const shape of ['paragraph', 'list', 'table']) shapes[shape] = shapes[shape]?.slice(0, 15_000) ?? '';

/** Splits a text into `count` pieces of the same length. */
export const cut = (text: string, count: number): string[] =>
  Array.from({ length: count }, (_, i) =>
    text.slice(Math.floor((i * text.length) / count), Math.floor(((i + 1) * text.length) / count)),
  );
