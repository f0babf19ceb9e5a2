// @vitest-environment jsdom
import fc from 'fast-check';
import functions from 'temml/src/functions.js';
import macros from 'temml/src/macros.js';
import { describe, expect, test } from 'vitest';
import { refusedCommands, toMathML } from './math.ts';

const texts = (source: string) => toMathML(source, false)?.firstElementChild?.firstElementChild?.textContent;

describe('formulas as MathML', () => {
  test.each([
    '\\frac{-b \\pm \\sqrt{b^2 - 4ac}}{2a}',
    '\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}',
    '\\int_0^\\infty e^{-x^2}\\,dx',
    '\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}',
    '\\begin{bmatrix} 1 & \\cdots & n \\end{bmatrix}',
    '\\begin{cases} x & \\text{if } x > 0 \\\\ 0 & \\text{otherwise} \\end{cases}',
    '\\begin{aligned} a &= b + c \\\\[4pt] &= d \\end{aligned}',
    '\\left( \\frac{x}{y} \\right]',
    '\\mathbb{R}^n \\to \\mathcal{L}(V)',
    '\\hat{x} + \\vec{v} + \\overline{AB} + \\dot{q}',
    '\\lim_{x \\to 0} \\frac{\\sin x}{x}',
    '\\boxed{42}',
    '\\cancel{x} + \\xcancel{y}',
    '\\underbrace{a + b}_{c}',
    '\\binom{n}{k} \\equiv 1 \\pmod{p}',
    '\\operatorname{softmax}(x)_i',
    '\\textcolor{red}{x}',
    'x \\tag{1}',
    'a \\implies b \\iff c',
    '\\nabla \\cdot \\mathbf{E} = \\frac{\\rho}{\\varepsilon_0}',
  ])('%s is drawn', (source) => {
    const math = toMathML(source, true);
    expect(math?.namespaceURI).toBe('http://www.w3.org/1998/Math/MathML');
    expect(math?.querySelector('annotation')?.textContent).toBe(source);
    expect(
      math?.querySelector('merror, menclose, [mathcolor], [mathbackground], [class], [id], [href]'),
    ).toBeNull();
    expect(math?.outerHTML).not.toContain('undefined');
  });

  test('one formula has the elements of its structure', () => {
    const math = toMathML('\\frac{a}{b}', false);
    expect(math?.querySelector('mfrac')?.children).toHaveLength(2);
    expect(texts('x^2')).toBe('x2');
    expect(math?.getAttribute('display')).toBeNull();
    expect(toMathML('a', true)?.getAttribute('display')).toBe('block');
  });

  test('a formula that was drawn before is another element', () => {
    expect(toMathML('q', false)).not.toBe(toMathML('q', false));
    expect(toMathML('q', false)?.outerHTML).toBe(toMathML('q', false)?.outerHTML);
  });

  test.each([
    '\\frac{a}',
    '{',
    '}',
    '\\unknowncommand',
    '\\begin{matrix}',
    'a & b \\end{x}',
    'x^2^3',
    '\\left(',
    '%',
  ])('%s is not drawn', (source) => {
    const math = toMathML(source, false);
    // A comment alone is an empty formula.
    if (math) expect(math.textContent).toBe(source);
  });

  test('no refused command is known', () => {
    for (const name of refusedCommands) {
      expect(functions[`\\${name}`] ?? macros[`\\${name}`], name).toBeUndefined();
    }
  });

  test.each([
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://example.com}',
    '\\includegraphics{https://example.com/a.png}',
    '\\class{dialog}{x}',
    '\\id{panel}{x}',
    '\\style{position:fixed}{x}',
    '\\data{a=b}{x}',
    '\\label{x} \\ref{x}',
    '\\def\\a{\\a\\a}\\a',
    '\\gdef\\a{\\a\\a}\\a',
    '\\newcommand{\\a}{\\a\\a}\\a',
    '\\let\\a=b \\a',
    '\\edef\\a{x}',
    '\\rule{1em}{1em}',
    '\\rule{999em}{999em}',
    '\\char"202E x',
    '\\kern{-99em} x',
    `${'\\!'.repeat(200)}x`,
    `${'\\hspace{-1em}'.repeat(20)}x`,
    `${'{'.repeat(500)}x${'}'.repeat(500)}`,
    `${'\\frac{1}{'.repeat(200)}x${'}'.repeat(200)}`,
    `${'\\sqrt'.repeat(300)}x`,
    `${'x^{'.repeat(200)}1${'}'.repeat(200)}`,
    `${'\\left('.repeat(200)}x${'\\right)'.repeat(200)}`,
    `${'\\implies'.repeat(800)}`,
  ])('%s is refused', (source) => {
    expect(toMathML(source, true)).toBeUndefined();
  });

  test('lengths that are drawn have a limit', () => {
    for (const source of [
      'x\\hspace{999em}y',
      'x\\\\[999em]y',
      '\\raisebox{99em}{x}',
      '\\sqrt[\\kern{90em}]{x}',
    ]) {
      const math = toMathML(source, true);
      math?.querySelector('annotation')?.remove();
      const html = math?.outerHTML ?? '';
      for (const [, number] of html.matchAll(/(-?\d*\.?\d+)em/g))
        expect(Number(number)).toBeLessThanOrEqual(20);
    }
  });

  test('any text gives allowed elements or nothing', () => {
    const piece = fc.constantFrom(
      ...'\\frac \\sqrt \\left( \\right) \\begin{matrix} \\end{matrix} & \\\\ { } ^ _ x 1 + \\text{a} \\color{red} \\hat \\not \\mathbb \\cancel \\tag{1} \\verb|x| \\char"41 \\kern1em # ~ $ % \\html \\@ \\expandafter \\csname <img/onerror> \\middle| \\over \\atop \\hline'.split(
        ' ',
      ),
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 30 }), (pieces) => {
        const math = toMathML(pieces.join(' '), pieces.length % 2 === 0);
        for (const element of math ? [math, ...math.querySelectorAll('*')] : []) {
          expect(element.namespaceURI).toBe('http://www.w3.org/1998/Math/MathML');
          for (const { name, value } of element.attributes) {
            expect(name).toMatch(/^(?!on|href|src|class|id)[a-z]+$/);
            if (name !== 'encoding' && name !== 'style') expect(value).toMatch(/^[\w\s.%+-]*$/);
            expect(value).not.toMatch(/url|expression|fixed|absolute/);
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
