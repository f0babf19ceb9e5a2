import { describe, expect, test } from 'vitest';
import { joinFormulas, maskFormulas, readFormula } from './read-formula.ts';

/** The formulas of a text, in their order, as the sources that are drawn. */
function formulasOf(text: string): string[] {
  const formulas: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const formula = readFormula(text, i);
    if (typeof formula === 'object') {
      formulas.push(formula.isDisplay ? `display ${formula.source}` : formula.source);
      i += formula.raw.length - 1;
    } else if (text[i] === '\\') i++;
  }
  return formulas;
}

describe('formulas', () => {
  test.each([
    ['Let $x$ be.', ['x']],
    ['$x$', ['x']],
    ['($a^2 + b^2 = c^2$).', ['a^2 + b^2 = c^2']],
    ['其中$x$是', ['x']],
    ['نفرض $x_1$، ثم', ['x_1']],
    ['$n!$ and $f(x)$, $42$, $(0, 1)$', ['n!', 'f(x)', '42', '(0, 1)']],
    ['$AB + CD$', ['AB + CD']],
    ['$$E = mc^2$$', ['display E = mc^2']],
    ['\\(x\\) and \\[y\\]', ['x', 'display y']],
    ['\\[\n  a \\\\[4pt]\n+ b\n\\]', ['display a \\\\[4pt]\n+ b']],
    ['$\\text{cost} = \\$5$', ['\\text{cost} = \\$5']],
    [
      '$$\\begin{aligned}a &= b\\\\ &= c\\end{aligned}$$',
      ['display \\begin{aligned}a &= b\\\\ &= c\\end{aligned}'],
    ],
    ['$a$-$b$', ['a', 'b']],
    ['a $5 bill, and $x$', ['x']],
  ])('%j contains %j', (text, expected) => {
    expect(formulasOf(text)).toEqual(expected);
  });

  test.each([
    '$5 and $10',
    'It costs $5, or $10 a year ($100 for ten).',
    '$5/$10, $5-$10, $5–$10, $5|$10, US$5–US$10',
    'A$5, C$7 and R$9$',
    'from $5 to 10$ a month',
    '$5 or 10$',
    'between $1,000 and 2,000$.',
    '$HOME/$USER and $PATH',
    'kill $$ and echo $$',
    'Hello $name$, $firstName$!',
    'Kosten $5 bis 10$ im Monat',
    '价格$5或者10$',
    'цена $5 или 10$',
    '$ x $',
    '$$$$',
    '$$ $$',
    '$',
    '$$',
    '\\$x$',
    '\\(see note\\)',
    '\\[1\\] and \\[23\\]',
    '\\[text\\](https://example.com)',
    '\\[not a link\\]',
    'a `$x` and `y$` b',
    '$x\n$',
    '$$x\n\ny$$',
    `$${'x'.repeat(3_000)}$`,
    '\\(',
    '\\[x',
  ])('%j contains none', (text) => {
    expect(formulasOf(text)).toEqual([]);
  });

  test('a formula that may follow is open while the text grows, and only as long as it is not prose', () => {
    const read = (text: string) => readFormula(text, 0, true);
    for (const text of [
      '$',
      '$5',
      '$5/$',
      '$x',
      '$x$',
      '$$',
      '$$x',
      '$$x$',
      '\\(x',
      '\\[\n',
      '\\[\nx \\\\',
    ]) {
      expect(read(text), text).toBe('open');
    }
    for (const text of ['$ ', '$5 and ', '$5 or 1', '$5/$10', '$$ and echo', '\\(see note\\)', '$x\n']) {
      expect(read(text), text).toBeUndefined();
    }
    expect(read('$x$,')).toMatchObject({ source: 'x' });
    expect(read('$$x$$')).toMatchObject({ source: 'x', isDisplay: true });
    expect(read(`$x_${'1'.repeat(300)}`)).toBeUndefined();
  });

  test('the lines of a formula are joined, without its comments', () => {
    expect(joinFormulas('So:\n\\[\na % note\n+ b\n- c\n\\]\n- item')).toBe('So:\n\\[ a  + b - c \\]\n- item');
    expect(joinFormulas('- $$\n  x\n  $$\n- y')).toBe('- $$   x   $$\n- y');
    expect(joinFormulas('$$\nx\n\n+ y\n$$')).toBe('$$\nx\n\n+ y\n$$');
    expect(joinFormulas('```\n$$\n+ x\n$$\n```')).toBe('```\n$$\n+ x\n$$\n```');
    expect(joinFormulas('So:\n$$\n+ x', true)).toBe('So:\n');
    expect(joinFormulas('So:\n$$\n+ x')).toBe('So:\n$$\n+ x');
  });

  test('emphasis does not end in a formula', () => {
    expect(maskFormulas('*a $x*y$ b*')).toBe('*a aaaaa b*');
    expect(maskFormulas('\\\\(x\\) $5 *and* $10')).toBe('\\\\(x\\) $5 *and* $10');
  });

  test('hostile text takes a bounded number of steps', () => {
    for (const text of [
      '$'.repeat(20_000),
      '\\('.repeat(10_000),
      '$x '.repeat(7_000),
      '$$x '.repeat(5_000),
    ]) {
      expect(formulasOf(text).length).toBeLessThan(4_000);
      expect(joinFormulas(text, true).length).toBeLessThanOrEqual(text.length);
      expect(maskFormulas(text)).toHaveLength(text.length);
    }
  });
});
