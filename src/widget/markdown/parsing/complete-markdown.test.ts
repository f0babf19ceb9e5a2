// @vitest-environment jsdom
// Tests incomplete Markdown: no incomplete mark is shown.
import { describe, expect, test } from 'vitest';
import { mount } from '../testing.ts';

/** The rendered result of a text that is still streaming. */
function half(markdown: string): HTMLElement {
  const { host, view } = mount();
  view.update(markdown, true);
  view.dispose();
  return host;
}

describe('while the text streams', () => {
  test.each([
    ['**bol', '<p><strong>bol</strong></p>'],
    ['**bold*', '<p><strong>bold</strong></p>'],
    ['**bold**', '<p><strong>bold</strong></p>'],
    ['a **b *c', '<p>a <strong>b <em>c</em></strong></p>'],
    ['a **b *c*', '<p>a <strong>b <em>c</em></strong></p>'],
    ['***a', '<p><em><strong>a</strong></em></p>'],
    ['_a b', '<p><em>a b</em></p>'],
    ['a_b', '<p>a_b</p>'],
    ['~~a', '<p><del>a</del></p>'],
    ['~~a~', '<p><del>a</del></p>'],
    ['**bold ', '<p><strong>bold</strong> </p>'],
    ['2 * 3', '<p>2 * 3</p>'],
    ['`cod', '<p><code>cod</code></p>'],
    ['``a`b', '<p><code>a`b</code></p>'],
    ['a **b `c', '<p>a <strong>b <code>c</code></strong></p>'],
    ['[tex', '<p>tex</p>'],
    ['[text]', '<p>text</p>'],
    ['[text](', '<p>text</p>'],
    ['[text](http://exa', '<p>text</p>'],
    ['**[text](http://exa', '<p><strong>text</strong></p>'],
    ['[**text**](http://exa', '<p><strong>text</strong></p>'],
    ['a ![alt](http://exa', '<p>a </p>'],
    ['a ![al', '<p>a </p>'],
    ['[1] is', '<p>[1] is</p>'],
    ['a <http://exa', '<p>a http://exa</p>'.replace('http://exa', 'LINK')],
    ['a &am', '<p>a </p>'],
    ['a &amp; b', '<p>a &amp; b</p>'],
    ['a \\', '<p>a </p>'],
    ['# He', '<h3>He</h3>'],
    ['これは**「重', '<p>これは<strong>「重</strong></p>'],
    ['これは**「重要」**', '<p>これは<strong>「重要」</strong></p>'],
    ['请~~（删', '<p>请<del>（删</del></p>'],
    ['# **He', '<h3><strong>He</strong></h3>'],
    ['- **a', '<ul><li><strong>a</strong></li></ul>'],
    ['> **a', '<blockquote><p><strong>a</strong></p></blockquote>'],
    ['a **b\nc', '<p>a <strong>b<br>c</strong></p>'],
    ['- a **b\n- c', '<ul><li>a **b</li><li>c</li></ul>'],
    ['a\ud83d', '<p>a</p>'],
  ])('%j', (markdown, expected) => {
    const html = half(markdown)
      .innerHTML.replace(/\n/g, '')
      .replace(/<a [^>]*>http:\/\/exa<\/a>/, 'LINK');
    expect(html).toBe(expected);
  });

  test.each([
    ...[
      '*',
      '**',
      '_',
      '`',
      '``',
      '~~',
      '![',
      '<',
      '#',
      '###',
      '-',
      '+',
      '1.',
      '1',
      '>',
      '&',
      '[',
      '- [',
      '- [ ]',
    ],
    ...['---', '===', '- ', '# ', '1. ', '> ', '|', '| a', '```', '```js'],
  ])('a lone %s is not shown yet', (mark) => {
    for (const before of ['Words\n\n', 'Words\n']) {
      const text = half(before + mark).textContent ?? '';
      // A table and a code block are shown in their final form.
      expect(text.replace(/Code|Copy|js|\n|a/g, '').trim()).toBe('Words');
    }
  });

  test.each(['*', '**', '_', '`', '~~', '![', '<', '[', '&'])('%s after text is not shown yet', (mark) => {
    expect(half(`Words ${mark}`).textContent?.trim()).toBe('Words');
  });

  test('code is shown as code from its first line, and a mark that may end it is not shown', () => {
    const host = half('```js\nfoo\n``');
    expect(host.querySelector('.code-name')?.textContent).toBe('js');
    expect(host.querySelector('code')?.textContent).toBe('foo');
    expect(half('- a\n  ```\n  **b').querySelector('code')?.textContent).toBe('**b');
    expect(half('    **b').querySelector('code')?.textContent).toBe('**b');
  });

  test.each([
    '| a | b |',
    '| a | b |\n',
    '| a | b |\n|',
    '| a | b |\n| -',
    '| a | b |\n|---|--',
    '| a | b |\n|---|---|',
  ])('%j is a table', (markdown) => {
    const host = half(`Words\n\n${markdown}`);
    expect([...host.querySelectorAll('th')].map((cell) => cell.textContent)).toEqual(['a', 'b']);
    expect(host.textContent).not.toMatch(/[|-]/);
  });

  test('marks in a cell are closed in the cell', () => {
    const host = half('| a | b |\n|---|---|\n| **c** | **d');
    expect([...host.querySelectorAll('td strong')].map((cell) => cell.textContent)).toEqual(['c', 'd']);
  });
});

test('a finished text is shown exactly as it is', () => {
  for (const text of ['**bol', '[tex', '`cod', '![alt](http', 'a *', '&am', '- [', '~~a']) {
    const { host, view } = mount();
    view.update(text, true);
    view.update(text, false);
    expect(host.textContent?.trim()).toBe(text.replace(/^- /, ''));
  }
});
