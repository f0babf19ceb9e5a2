// Tests of links in HTML, Markdown form, and that long texts are read in one pass.
import { describe, expect, test } from 'vitest';
import { htmlBlocks } from './html.ts';
import { createLinkedText, linkAddress } from './links.ts';
import { passagesOf } from './passages.ts';
import { paragraphsOf } from './pdf.ts';

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
async function html(text: string): Promise<string[]> {
  const found: string[] = [];
  for await (const block of htmlBlocks(once(text))) found.push(`${block.subtype}: ${block.text.trim()}`);
  return found;
}

describe('the address of a link', () => {
  test.each([
    ['https://example.com', 'https://example.com'],
    [' HTTP://example.com/a b(c)\n', 'HTTP://example.com/a%20b%28c%29'],
    ['mailto:ada@example.com?subject=a', 'mailto:ada@example.com?subject=a'],
    ['tel:+49-30-123', 'tel:+49-30-123'],
    ['https://example.com/你好', 'https://example.com/你好'],
    ['javascript:alert(1)', undefined],
    ['java\nscript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['ftp://example.com', undefined],
    ['https://', undefined],
    ['/relative', undefined],
    [undefined, undefined],
    [`https://example.com/${'a'.repeat(3_000)}`, undefined],
  ])('%j is written as %j', (href, expected) => {
    expect(linkAddress(href)).toBe(expected);
  });

  test('that is relative is resolved if the address of the document is known', () => {
    expect(linkAddress('../a', 'https://example.com/b/c')).toBe('https://example.com/a');
    expect(linkAddress('javascript:x', 'https://example.com/b/c')).toBeUndefined();
  });
});

describe('HTML', () => {
  test.each([
    [
      '<p>Please <a href="https://x.org/book">book <b>now</b></a>.',
      ['paragraph: Please [book now](https://x.org/book).'],
    ],
    ['<p><a href=mailto:a@b.c>Ada</a> <a href="tel:1">1</a>', ['paragraph: [Ada](mailto:a@b.c) 1']],
    ['<p><a href="https://x.org/">https://x.org</a>', ['paragraph: https://x.org']],
    ['<p><a href="https://x.org/"><img alt="x"></a>a', ['paragraph: a']],
    ['<p><a href="/relative">a</a> <a>b</a> <a href="javascript:x">c</a>', ['paragraph: a b c']],
    ['<base href="https://x.org/d/"><p><a href="e">a</a>', ['paragraph: [a](https://x.org/d/e)']],
    [
      '<a href="https://x.org/"><h2>Title</h2><p>Text</p></a><p>after',
      ['title: [Title](https://x.org/)', 'paragraph: [Text](https://x.org/)', 'paragraph: after'],
    ],
    ['<table><tr><td><a href="https://x.org/">a</a><td>b</table>', ['table: [a](https://x.org/) | b']],
    ['<p><a href="https://x.org/">a<br>b</a>', ['paragraph: [a b](https://x.org/)']],
    ['<nav><a href="https://x.org/">Home</a></nav><p>a', ['paragraph: a']],
  ])('%s has the addresses of its links beside the words', async (text, expected) => {
    expect(await html(text)).toEqual(expected);
  });
});

test('a text with parts of one link has its address once', () => {
  const text = createLinkedText();
  for (const part of ['a', 'b']) text.add(part, 'https://x.org/');
  text.add(' ');
  text.add(' c ', 'https://x.org/');
  expect([text.hasWords, text.length, text.take(), text.hasWords, text.take()]).toEqual([
    true,
    6,
    '[ab](https://x.org/)  [c](https://x.org/) ',
    false,
    '',
  ]);
});

// Each would take minutes if a text was copied or read again for each of its parts.
describe('a long text is read in one pass:', () => {
  test('hundreds of thousands of cells of a row of HTML', async () => {
    const blocks = await html(`<table><tr>${'<td>'.repeat(10)}x${'<td></td>'.repeat(300_000)}`);
    expect(blocks.length).toBeGreaterThan(0);
  });

  test('hundreds of thousands of lines of a paragraph of a PDF', () => {
    const lines = Array.from({ length: 400_000 }, () => ({ str: 'Wort-', hasEOL: true }));
    expect([...paragraphsOf(lines)].join('').length).toBeGreaterThan(400_000);
  });

  test('a million of spaces between two words', async () => {
    const found: string[] = [];
    const text = `a${' '.repeat(1_000_000)}b`;
    for await (const { content } of passagesOf([{ subtype: 'paragraph', text }])) found.push(content);
    expect(found).toEqual(['a\n\nb']);
  });
});
