// @vitest-environment jsdom
// Tests of the formats of a reply: each is turned on and off again, and the selection stays on the words.
import { describe, expect, test, vi } from 'vitest';
import { applyEdit, type Format, formats, replyItem, toggleFormat } from './formatting.ts';

/** Toggles a format of the text between two bars. Returns the text with bars around the selection. */
function toggle(format: Format, marked: string): string {
  const from = marked.indexOf('|');
  const text = marked.replaceAll('|', '');
  const to = marked.lastIndexOf('|') - (marked.lastIndexOf('|') > from ? 1 : 0);
  const edit = toggleFormat(format, { text, from, to });
  const next = text.slice(0, edit.from) + edit.inserted + text.slice(edit.to);
  if (edit.selectFrom === edit.selectTo)
    return `${next.slice(0, edit.selectFrom)}|${next.slice(edit.selectFrom)}`;
  return `${next.slice(0, edit.selectFrom)}|${next.slice(edit.selectFrom, edit.selectTo)}|${next.slice(edit.selectTo)}`;
}

describe('a format is turned on, and off again', () => {
  test.each<[Format, string, string]>([
    ['bold', 'a |b| c', 'a **|b|** c'],
    ['italic', 'a |b| c', 'a *|b|* c'],
    ['code', 'a |b| c', 'a `|b|` c'],
    ['bold', 'a *|b|* c', 'a ***|b|*** c'],
    ['italic', 'a **|b|** c', 'a ***|b|*** c'],
    ['bold', 'a |', 'a **|**'],
    ['italic', '|', '*|*'],
    ['code', '|', '`|`'],
    ['bold', '|one\n\n- two|', '|**one**\n\n- **two**|'],
    ['italic', '|one\n> two|', '|*one*\n> *two*|'],
    ['list', '|one\n\ntwo|', '|- one\n\n- two|'],
    ['list', 'a|b', '- a|b'],
    ['list', '|', '- |'],
    ['code', '|a *b*\nc|', '|```\na *b*\nc\n```|'],
  ])('%s: %j', (format, off, on) => {
    expect(toggle(format, off)).toBe(on);
    expect(toggle(format, on)).toBe(off);
  });
});

test.each<[Format, string, string]>([
  // Spaces are not formatted: no mark can be next to them.
  ['bold', 'a| b |c', 'a **|b|** c'],
  ['bold', 'a |**b**| c', 'a |b| c'],
  ['italic', '|*b*|', '|b|'],
  ['italic', '|**b**|', '*|**b**|*'],
  ['bold', '|one\n**two**|', '|**one**\n**two**|'],
  ['list', 'x\n|one\ntwo\n|three', 'x\n|- one\n- two|\nthree'],
  ['list', '|- one\ntwo|', '|- one\n- two|'],
  ['list', '* a|', 'a|'],
  ['code', 'x |a\nb| y', 'x |\n```\na\nb\n```\n| y'],
  ['code', '|`a`|', '|a|'],
  ['link', 'see |', 'see [|](https://)'],
  ['link', 'see |here| now', 'see [here](|https://|) now'],
  ['link', '|https://a.test/x|', '[|](https://a.test/x)'],
  ['link', 'see [he|re](https://a.test) now', 'see |here| now'],
  ['link', 'see |[here](https://a.test)|', 'see |here|'],
])('%s: %j becomes %j', (format, before, after) => {
  expect(toggle(format, before)).toBe(after);
});

test.each([
  'Hello Lena, your order A-17 is in Paris.',
  'Two lines:\nhttps://site.test/a?b=c',
  'Call 555-1234 (9 to 5)!',
  'a - b = c',
])('%j is sent as a text', (text) => {
  expect(replyItem(text)).toEqual({ type: 'text', text });
});

test.each([
  '**Important**',
  '_a_',
  '`code`',
  '[here](https://a.test)',
  '<https://a.test>',
  'x\n- one\n- two',
  '1. one',
  '> quote',
  '# Title',
  'Title\n=====',
  'Title\n=',
  'a\n---',
  '    code',
  'a | b',
  'Tom &amp; Jerry',
])('%j is sent as Markdown', (markdown) => {
  expect(replyItem(markdown)).toEqual({ type: 'markdown', markdown });
});

test('an edit is told to the page, also where the browser has no command for it', () => {
  const box = document.body.appendChild(document.createElement('textarea'));
  const onInput = vi.fn();
  box.addEventListener('input', onInput);
  box.value = 'a b';
  applyEdit(box, { from: 2, to: 3, inserted: '**b**', selectFrom: 4, selectTo: 5 });
  expect([box.value, box.selectionStart, box.selectionEnd]).toEqual(['a **b**', 4, 5]);
  expect(onInput).toHaveBeenCalledTimes(1);
  box.remove();
});

test('all formats have a change for an empty text', () => {
  for (const format of formats) expect(toggle(format, '|')).toContain('|');
});
