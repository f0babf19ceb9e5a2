// Tests of the form of letters that all searches compare.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../any-text.testing.ts';
import { findFolded, fold } from './folding.ts';
import { isPrefix, partsOf, searchedTokensOf, tokensOf, wordsOf } from './word-splitting.ts';

test.each([
  ['Straße', 'STRASSE'],
  ['GROẞ', 'groß'],
  ['Crème brûlée', 'creme brulee'],
  ['cafe\u0301', 'café'],
  ['İSTANBUL ıstanbul', 'istanbul istanbul'],
  ['Łódź, Ærø, þórr, đak', 'lodz, aero, thorr, dak'],
  ['ﬁle œuvre Ĳssel Ǆ', 'file oeuvre ijssel dz'],
  ['ＡＢＣ１２３　ｄ', 'abc123 d'],
  ['ﾊﾞｽ', 'バス'],
  ['ΟΔΟΣ οδος οδός', 'οδοσ οδοσ οδοσ'],
  ['ёлка Йод', 'елка иод'],
  ['שלום', 'שלומ'],
  ['أَحْمَد مـــرحبا', 'احمد مرحبا'],
  ['می\u200cخواهم کتاب', 'ميخواهم كتاب'],
  ['٢٠٢٤ ۲۰۲۴ २०२४ ๒๐๒๔', '2024 2024 2024 2024'],
  ['Don’t “quote” it – co\u00adoperate', 'don\'t "quote" it - cooperate'],
  ['a \n\t b\u00a0c', 'a b c'],
  ['한글', '\u1112\u1161\u11ab\u1100\u1173\u11af'],
  ['№ ™ ½', 'no tm 1/2'],
  ['Hawaiʻi', "hawai'i"],
])('%j is %j for a search', (text, other) => {
  expect(fold(text)).toBe(fold(other));
});

test('different letters stay different', () => {
  for (const [one, other] of [
    ['a', 'b'],
    ['ハ', 'バ'],
    ['の', 'ノ'],
    ['कि', 'की'],
    ['o', '0'],
    ['1', 'l'],
  ] as const)
    expect(fold(one)).not.toBe(fold(other));
});

test('folding a folded text changes nothing, for any text', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 100 }), (text) => {
      expect(fold(fold(text))).toBe(fold(text));
    }),
  );
});

test('what is found has its place in the text, also where the length changes', () => {
  expect(findFolded('Die Straße heißt Weg', 'weg')).toBe(17);
  expect(findFolded('ﬁﬁﬁ İİ x', 'X ')).toBe(7);
  expect(findFolded('😀😀 cafe\u0301 ok', 'ok')).toBe(11);
  expect(findFolded('a   b', 'b')).toBe(4);
  expect(findFolded('Straße', 'sse')).toBe(4);
  expect(findFolded(`${'ß'.repeat(5_000)} ende`, 'ende')).toBe(5_001);
  for (const nothing of ['x', '', ' ', '\u00ad']) expect(findFolded('Straße', nothing)).toBe(-1);
});

test('a piece of any text is found in it, and not after the place where it is', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 2_000 }), fc.nat(2_000), fc.nat(20), (text, begin, length) => {
      const from = text.length === 0 ? 0 : begin % text.length;
      // Whole letters: a letter begins with no mark.
      const piece = text.slice(from, from + length);
      if (!/^[\p{L}\p{N}]/u.test(piece) || /^[\p{M}\p{Lm}]/u.test(text.slice(from + length))) return;
      if (/[\u1100-\u11ff]/.test(text) || !fold(text).includes(fold(piece).trim())) return;
      const index = findFolded(text, piece);
      expect(index).toBeGreaterThanOrEqual(0);
      expect(index).toBeLessThanOrEqual(from);
    }),
  );
});

test('words have the folded form, and Hebrew words that a hyphen joins are two', () => {
  expect(wordsOf('Straße, Straßen-Fest 2024')).toEqual(['strasse', 'strassen', 'fest', '2024']);
  expect(wordsOf('בית־ספר')).toHaveLength(2);
  expect(partsOf('订单A17 ok')).toEqual(['订', '单', 'a17', 'ok']);
});

test('tokens of a query are among those of each text that has its characters, in scripts without spaces', () => {
  for (const [text, query] of [
    ['文书处理系统', '处理'],
    ['문서는 여기에', '문서'],
    ['한국마크다운', '마크다운'],
    ['サーバーの設定', '設定'],
    ['สามารถคืนสินค้าได้', 'สินค้า'],
    ['我爱喝茶', '茶'],
    ['茶の湯', '茶'],
    ['お茶', '茶'],
  ] as const) {
    const searched = searchedTokensOf(text);
    const matching = tokensOf(query).filter((token) =>
      searched.some((word) => word === token || (isPrefix(token) && word.startsWith(token))),
    );
    expect([query, matching]).toEqual([query, tokensOf(query)]);
  }
});
