// Tests mentions in the text of a note.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Chosen,
  findMentions,
  mentionedAfter,
  mentionedIn,
  moveChosen,
  offeredFor,
  typedName,
} from './mentions.ts';

const colleagues = [
  { memberId: 'ann', name: 'Ann' },
  { memberId: 'anna', name: 'Anna Berg' },
  { memberId: 'mail', name: 'ada@example.com' },
  { memberId: 'two', name: 'Ann' },
  { memberId: 'odd', name: 'İnci (night)' },
  { memberId: 'ram', name: 'राम' },
  { memberId: 'wang', name: '王伟' },
];

describe('a text mentions', () => {
  test.each([
    ['nobody', []],
    ['Ask @Ann, please', ['ann', 'two']],
    ['@anna berg and @ANN', ['anna', 'ann', 'two']],
    ['@Annabel', []],
    ['@Anna', []],
    ['@Anna Berger', []],
    ['mail@Ann', []],
    ['(@Ann)', ['ann', 'two']],
    ['@ada@example.com.', ['mail']],
    ['@@Ann', ['ann', 'two']],
    ['@', []],
    ['@İnci (night)!', ['odd']],
    ['@Ann @Ann', ['ann', 'two']],
    // Without spaces between words.
    ['请@王伟看', ['wang']],
    ['@Annさん', ['ann', 'two']],
    // A vowel is a mark, and letters can have two units.
    ['@राम', ['ram']],
    ['@रामा', []],
    ['@Ann\u{10480}', []],
    ['\u{10480}@Ann', []],
    ['❤\ufe0f@Ann😀', ['ann', 'two']],
  ])('in %j: %j', (text, expected) => {
    expect(mentionedIn(text, colleagues)).toEqual(expected);
  });

  test('mentions have the positions of the names', () => {
    const text = 'Ask @Anna Berg or @Ann.';
    expect(findMentions(text, colleagues).map(({ from, to }) => text.slice(from, to))).toEqual([
      '@Anna Berg',
      '@Ann',
    ]);
  });

  test('a colleague without a name is not mentioned', () => {
    expect(mentionedIn('@ @', [{ memberId: 'none', name: '' }])).toEqual([]);
  });
});

test.each([
  ['@', 1, { from: 0, query: '' }],
  ['Hi @An', 6, { from: 3, query: 'An' }],
  ['Hi @Anna B', 10, { from: 3, query: 'Anna B' }],
  ['Hi @Anna B', 5, { from: 3, query: 'A' }],
  ['a@An', 4, undefined],
  ['@Ann\nnext', 9, undefined],
  ['@ Ann', 5, undefined],
  ['Hi', 2, undefined],
  ['请@王', 3, { from: 1, query: '王' }],
  [`@${'x'.repeat(50)}`, 51, undefined],
])('the name that is typed in %j at %i: %j', (text, caret, expected) => {
  expect(typedName(text, caret)).toEqual(expected);
});

test.each([
  ['', ['ann', 'anna', 'mail', 'two', 'odd', 'ram']],
  ['AN', ['ann', 'anna', 'two']],
  ['berg', ['anna']],
  ['exam', ['mail']],
  ['inci', ['odd']],
  ['İNCİ', ['odd']],
  ['伟', ['wang']],
  ['x', []],
])('for %j are offered: %j', (query, expected) => {
  expect(offeredFor(query, colleagues).map(({ memberId }) => memberId)).toEqual(expected);
});

describe('of two colleagues with the same name, a note mentions', () => {
  const at = (from: number, memberId: string) => ({ from, to: from + 4, memberId });

  test.each([
    ['who was chosen', '@Ann, please', [at(0, 'two')], [], ['two']],
    ['each who was chosen', '@Ann and @Ann', [at(0, 'two'), at(9, 'ann')], [], ['two', 'ann']],
    ['both, if the name was typed', '@Ann and @Ann', [], [], ['ann', 'two']],
    ['who was chosen, and both for a name that was typed', '@Ann @ann', [at(0, 'two')], [], ['two', 'ann']],
    ['who was mentioned before, if the name was typed', '@Ann, please', [], ['two'], ['two']],
    ['who was chosen, and not who was mentioned before', '@Ann', [at(0, 'ann')], ['two'], ['ann']],
    ['nobody who was chosen for what is another name now', '@Anna Berg', [at(0, 'ann')], [], ['anna']],
  ])('%s: %j', (_, text, chosen, before, expected) => {
    expect(mentionedIn(text, colleagues, { chosen, before })).toEqual(expected);
  });
});

test.each([
  ['a word is corrected', '@Old Name, plaese', ['ram'], '@Old Name, please', ['ram']],
  ['another colleague is added', '@Old Name', ['ram'], '@Old Name and @Ann', ['ann', 'two', 'ram']],
  ['the name is removed', '@Old Name, please', ['ram'], 'Please', []],
  ['the name is replaced', '@Old Name, please', ['ram'], '@王伟, please', ['wang']],
  ['somebody who has left was named', '@Gone, please', ['gone'], '@Gone, please!', ['gone']],
  ['one of two names is removed', '@Old Name and @王伟', ['ram', 'wang'], '@Old Name', ['ram']],
  ['the address of a mail is in the text', '@Old Name', ['ram'], 'a@example.com', []],
])('a note that mentions a renamed colleague mentions them when %s', (_, body, mentions, text, expected) => {
  expect(mentionedAfter(text, colleagues, { body, mentions })).toEqual(expected);
});

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
  const moved = moveChosen(chosenIn(before), before, after, caret);
  expect(moved.map(({ memberId, from }) => `${memberId} ${from}`)).toEqual(expected);
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
