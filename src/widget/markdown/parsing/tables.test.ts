// @vitest-environment jsdom
// Tests that a table which grows is parsed, sanitized and inserted by rows, with the same result as the whole table.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { mount, show } from '../testing.ts';
import { blockToHtml, work } from './parse.ts';
import { readTable, tableHtml } from './tables.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const head = '| Item | Price |\n|---|--:|\n';
const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => `| item **${i}** | ${i} € |\n`).join('');
/** Long enough for every pause of the scheduler. */
const rest = () => vi.advanceTimersByTime(2_000);

test('a row that is added to a table of 200 rows is parsed alone, and the other rows keep their nodes', () => {
  const { host, view } = mount();
  view.update(head + rowsOf(200), true);
  for (let i = 0; i < 30; i++) rest();
  const shown = [...host.querySelectorAll('tr')];
  expect(shown.length).toBe(201);
  const { characters } = work;
  const inserted: number[] = [];
  const observer = new MutationObserver(() => {});
  observer.observe(host, { childList: true, subtree: true });
  view.update(head + rowsOf(201), true);
  rest();
  for (const { addedNodes } of observer.takeRecords()) inserted.push(addedNodes.length);
  observer.disconnect();
  const rows = [...host.querySelectorAll('tr')];
  expect(rows.length).toBe(202);
  expect(rows.slice(0, 201).every((row, i) => row === shown[i])).toBe(true);
  // The header, the row before, which could have changed its meaning, and the new one.
  expect(work.characters - characters).toBeLessThan(150);
  // The row and its line break.
  expect(inserted.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(2);
  view.dispose();
});

test('a long table that arrives at once is drawn in parts, from the first row on, and completely', () => {
  const { host, view } = mount();
  view.update(head + rowsOf(150), false);
  expect(host.querySelectorAll('tr').length).toBeLessThanOrEqual(20);
  const counts = [host.querySelectorAll('tr').length];
  for (let i = 0; i < 100; i++) {
    vi.advanceTimersByTime(17);
    counts.push(host.querySelectorAll('tr').length);
  }
  expect(counts.at(-1)).toBe(151);
  const steps = counts.slice(1).map((count, i) => count - (counts[i] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(40);
  expect(Math.min(...steps)).toBe(0);
  expect(host.innerHTML).toBe(show(head + rowsOf(150)).innerHTML);
  view.dispose();
});

test('each row passes the sanitizer, also one that is added later', () => {
  const { host, view } = mount();
  view.update(head + rowsOf(3), true);
  rest();
  view.update(
    `${head}${rowsOf(3)}| <img src=x onerror=alert(1)> [x](javascript:alert(1)) | <script>alert(1)</script> |\n`,
    true,
  );
  rest();
  view.update(
    `${head}${rowsOf(3)}| <img src=x onerror=alert(1)> [x](javascript:alert(1)) | </td></table><b> |\n`,
    false,
  );
  rest();
  expect(host.querySelector('img, script, b, [onerror], a[href^="javascript"]')).toBeNull();
  expect(host.querySelectorAll('table').length).toBe(1);
  expect(host.querySelectorAll('tr').length).toBe(5);
  view.dispose();
});

test('a link in a row whose definition comes later becomes a link', () => {
  const text = `${head}${rowsOf(30)}| see [here] | 1 |\n\n[here]: https://a.test`;
  const { host, view } = mount();
  for (let i = 0; i < text.length; i += 40) {
    view.update(text.slice(0, i), true);
    rest();
  }
  view.update(text, false);
  rest();
  expect(host.querySelector('a')?.getAttribute('href')).toBe('https://a.test');
  expect(host.innerHTML).toBe(show(text).innerHTML);
  view.dispose();
});

describe('a text that only begins like a table is drawn as without this', () => {
  for (const [name, text] of Object.entries({
    'a list below the rows': `${head}${rowsOf(20)}- one\n- two\n${rowsOf(20)}`,
    'a quote below the rows': `${head}${rowsOf(20)}> quote\n${rowsOf(20)}`,
    'another number of cells in the second line': `| a | b | c |\n|---|---|\n${rowsOf(40)}`,
    'too many cells': `|${'a|'.repeat(50)}\n|${'-|'.repeat(50)}\n${rowsOf(90)}`,
    'a definition between the rows': `${head}${rowsOf(20)}[here]: https://a.test\n${rowsOf(20)}`,
  })) {
    test(name, () => {
      const whole = blockToHtml(text.trimEnd(), Object.create(null));
      const table = readTable(text.trimEnd(), undefined, Object.create(null));
      if (table) expect(tableHtml(table)).toBe(whole);
      const { host, view } = mount();
      for (let i = 0; i < text.length; i += 60) {
        view.update(text.slice(0, i), true);
        rest();
      }
      view.update(text, false);
      for (let i = 0; i < 20; i++) rest();
      expect(host.innerHTML).toBe(show(text).innerHTML);
      view.dispose();
    });
  }
});

test('the rows together are the HTML of the whole table, however it grows', () => {
  const cell = fc.constantFrom(
    '',
    'a',
    '**b**',
    '`c|`',
    '\\|',
    '[x](https://a.test)',
    '<b>',
    '&amp;',
    '~~d~~',
    '☑',
    '[x]',
  );
  const row = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => `| ${cells.join(' | ')} |`);
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.array(fc.nat({ max: 12 })),
      (rows, cuts) => {
        const lines = ['| A | B |', '|---|:-:|', ...rows];
        let table = readTable(lines.slice(0, 3).join('\n'), undefined, Object.create(null));
        for (const cut of [...cuts, lines.length]) {
          const text = lines.slice(0, Math.max(3, cut)).join('\n');
          table = readTable(text, table, Object.create(null));
          expect(table && tableHtml(table)).toBe(blockToHtml(text, Object.create(null)));
        }
      },
    ),
  );
});

test('an open block of code is appended to: its element, its text node and a selection in it stay', () => {
  const { host, view } = mount();
  view.update('```js\nlet a = 1;\n', true);
  const [box, text] = [host.querySelector('.code'), host.querySelector('code')?.firstChild];
  const made = vi.spyOn(document, 'createElement');
  for (let i = 0; i < 20; i++) {
    view.update(`\`\`\`js\nlet a = 1;\n${'let b = 2;\n'.repeat(i)}`, true);
    rest();
  }
  expect(made).not.toHaveBeenCalled();
  expect(host.querySelector('.code')).toBe(box);
  expect(host.querySelector('code')?.firstChild).toBe(text);
  expect(host.querySelector('code')?.textContent).toBe(`let a = 1;\n${'let b = 2;\n'.repeat(19)}`.trimEnd());
  view.dispose();
});
