// Tests that chosen names are followed through all changes of their text.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Chosen, moveChosen } from './chosen.ts';

const chosenIn = (text: string): Chosen[] =>
  [...text.matchAll(/@Ann/g)].map(({ index }, n) => ({ from: index, to: index + 4, memberId: `ann${n}` }));

test.each([
  ['before it', '@Ann', 'Hi @Ann', 3, ['ann0 3']],
  ['after it', '@Ann', '@Ann, hi', 8, ['ann0 0']],
  ['within it', '@Ann', '@Anna', 5, ['ann0 0']],
  ['within it, with a mark', '@Ann', '@An-n', 4, []],
  ['of the first of two equal ones, which is removed', '@Ann @Ann', '@Ann', 0, ['ann1 0']],
  ['of the second of two equal ones, which is removed', '@Ann @Ann', '@Ann ', 5, ['ann0 0']],
  ['by which all is replaced', '@Ann @Ann', 'Hi', 2, []],
])('a change %s', (_, before, after, caret, expected) => {
  const found = moveChosen(chosenIn(before), before, after, caret);
  expect(found.map(({ memberId, from }) => `${memberId} ${from}`)).toEqual(expected);
});

test('a change moves the names after it, and keeps those before it', () => {
  const piece = fc.constantFrom('@Ann', '@An', 'n', ' ', 'x');
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.array(piece, { maxLength: 3 }),
      fc.nat(40),
      fc.nat(40),
      (pieces, written, first, second) => {
        const text = pieces.join('');
        const [from = 0, to = 0] = [first % (text.length + 1), second % (text.length + 1)].sort(
          (a, b) => a - b,
        );
        const insert = written.join('');
        const after = text.slice(0, from) + insert + text.slice(to);
        const step = insert.length - (to - from);
        const chosen = chosenIn(text);
        const moved = moveChosen(chosen, text, after, from + insert.length);
        const untouched = chosen.flatMap((name) =>
          name.to <= from
            ? [name]
            : name.from >= to
              ? [{ ...name, from: name.from + step, to: name.to + step }]
              : [],
        );
        expect(moved).toEqual(expect.arrayContaining(untouched));
        for (const name of moved) expect(after.slice(name.from, name.to)).toBe('@Ann');
      },
    ),
  );
});
