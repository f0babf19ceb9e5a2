// @vitest-environment jsdom
// Tests growing text: the result does not depend on the pieces, finished blocks are not changed, and the work is linear.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { work } from './parsing/parse.ts';
import { mount, show } from './testing.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Two frames: the scheduler may skip one. */
const frames = () => vi.advanceTimersByTime(40);

const pieces = [
  ...['a', 'b c', ' ', '  ', '    ', '\n', '\n\n', '\n', '\n\n', '\t', '\r\n', '\r', 'Hello, world. ', '!'],
  ...['*', '**', '_', '__', '~~', '`', '``', '```', '~~~', '```js\n', '\n```\n', '\n````\n', '\n  ```\n'],
  ...['# ', '## h\n', '- ', '* ', '1. ', '2) ', '\n- ', '\n  - ', '\n\n  ', '\n   b', '> ', '>', '\n> '],
  ...['---', '\n---\n', '===', '\n===\n', '|', '| a | b |\n', '|---|:-:|\n', '| 1 | 2 |\n', '\n***\n'],
  ...[
    '[',
    ']',
    '(',
    ')',
    '](',
    '![',
    '[x](https://a.test)',
    '![x](https://a.test/b.png)',
    '[ref]',
    '[x][ref]',
  ],
  ...[
    '[ref]: https://r.test\n',
    '\n[ref]: https://s.test "t\nu"\n',
    '[x]: /x\n',
    '> [ref]: https://q.test\n',
  ],
  ...[
    '<',
    '>',
    '<b>',
    '<div>\n',
    '&amp;',
    '&',
    '\\',
    '- [ ] ',
    '- [x] t\n',
    'https://a.test/x_y',
    'me@a.test',
  ],
  ...['\u{1f600}', '\ud83d', '\0', '\u00a0', 'a\n    b\n', '    code\n', '\n\n    code\n'],
];

describe('any splitting of any text has the same result as the whole text', () => {
  const chunked = (renderer: string[], cuts: number[], some?: { inlineOnly: boolean }) => {
    const text = renderer.join('');
    const { host, view } = mount(some);
    let at = 0;
    for (const cut of cuts) {
      at += cut;
      if (at >= text.length) break;
      view.update(text.slice(0, at), true);
      if (cut % 2) vi.advanceTimersByTime(17 + (cut % 3) * 300);
    }
    view.update(text, false);
    vi.advanceTimersByTime(100);
    const html = host.innerHTML;
    view.dispose();
    return { html, whole: show(text, some).innerHTML };
  };
  const renderer = fc.array(fc.constantFrom(...pieces), { maxLength: 40 });
  const cuts = fc.array(fc.nat({ max: 12 }), { maxLength: 60 });

  test('texts with blocks have the same result', () => {
    fc.assert(
      fc.property(renderer, cuts, (some, at) => {
        const { html, whole } = chunked(some, at);
        expect(html).toBe(whole);
      }),
      { numRuns: 600 },
    );
  });

  test('texts without blocks have the same result', () => {
    fc.assert(
      fc.property(renderer, cuts, (some, at) => {
        const { html, whole } = chunked(some, at, { inlineOnly: true });
        expect(html).toBe(whole);
      }),
      { numRuns: 200 },
    );
  });
});

const section = (i: number) =>
  `## RenderedBlock ${i}\n\nSome *strings* with [a link](https://a.test/${i}) and \`code\`.\n\n- one\n- two\n  - three\n\n` +
  `\`\`\`js\nlet a = ${i};\n\nlet b;\n\`\`\`\n\n| a | b |\n|---|---|\n| ${i} | 2 |\n\n> said\n> so\n\n1. x\n\n   y\n2. z\n\n`;
const long = Array.from({ length: 28 }, (_, i) => section(i))
  .join('')
  .slice(0, 5_000);

test('finished blocks keep their nodes', () => {
  const { host, view } = mount();
  const text = section(1) + section(2);
  const seen = new Map<Node, string>();
  for (let at = 1; at <= text.length; at++) {
    view.update(text.slice(0, at), true);
    frames();
    // All but the last two are certainly finished: one may be open, one only looks finished.
    const nodes = [...host.childNodes];
    for (const node of nodes.slice(0, -2)) {
      const html = (node as Element).outerHTML;
      expect(seen.get(node) ?? html).toBe(html);
      seen.set(node, html);
    }
  }
  for (const node of seen.keys()) expect(node.parentNode).toBe(host);
  view.update(text, false);
  for (const node of seen.keys()) expect(node.parentNode).toBe(host);
  expect(seen.size).toBeGreaterThan(8);
});

test('5,000 characters in 500 pieces: the second half takes the same amount of work as the first', () => {
  const { host, view } = mount();
  const spent = [];
  for (let at = 10; at <= long.length; at += 10) {
    view.update(long.slice(0, at), true);
    vi.advanceTimersByTime(20);
    if (at === 10 || at === long.length / 2 || at === long.length) spent.push({ ...work });
  }
  const [start, middle, end] = spent as [typeof work, typeof work, typeof work];
  const first = middle.characters - start.characters;
  const second = end.characters - middle.characters;
  expect(second / first).toBeLessThan(1.2);
  expect(end.calls - start.calls).toBeLessThan(1_000);
  expect(end.characters - start.characters).toBeLessThan(long.length * 40);
  view.update(long, false);
  expect(host.innerHTML).toBe(show(long).innerHTML);
  process.env.BENCH &&
    console.log(end.calls - start.calls, end.characters - start.characters, second / first);
});

test.each([
  ['paragraph', 'some words and more '],
  ['list', '- an item\n'],
  ['table', '| a | b |\n|---|---|\n', '| one | two |\n'],
  ['quote', '> a line\n'],
])('one %s of 3,000 characters is not read again for every few of them', (_, start, more = start) => {
  const { view } = mount();
  const text = start + more.repeat(3_000 / more.length);
  const before = { ...work };
  for (let at = 10; at <= text.length; at += 10) {
    view.update(text.slice(0, at), true);
    vi.advanceTimersByTime(17);
  }
  view.update(text, false);
  // If each piece were parsed again, it would be 150 times its length.
  expect(work.characters - before.characters).toBeLessThan(text.length * 50);
});

test('an open code block grows without any parsing', () => {
  const { host, view } = mount();
  view.update('```js\nlet a;\n', true);
  const text = host.querySelector('code')?.firstChild;
  const calls = work.calls;
  for (let i = 0, code = '```js\nlet a;\n'; i < 50; i++) {
    code += `*b* ${i}\n`;
    view.update(code, true);
    frames();
  }
  expect(work.calls).toBe(calls);
  expect(host.querySelector('code')?.firstChild).toBe(text);
  expect(text?.textContent).toMatch(/^let a;\n\*b\* 0\n[\s\S]*\*b\* 49$/);
});

test('another text replaces the previous one', () => {
  const { host, view } = mount();
  view.update('one\n\ntwo', true);
  view.update('three', false);
  expect(host.innerHTML).toBe('<p>three</p>');
  view.update('three\n\nfour', true);
  frames();
  view.update('three\n\nfour *five*', false);
  expect(host.innerHTML).toBe('<p>three</p><p>four <em>five</em></p>');
});

test('a definition at the end changes only the blocks that refer to it', () => {
  const { host, view } = mount();
  view.update('one [a]\n\ntwo [b]\n\nthree\n\n', true);
  const [one, two, three] = host.children;
  expect(one?.querySelector('a')).toBeNull();
  view.update('one [a]\n\ntwo [b]\n\nthree\n\n[a]: https://a.test', false);
  expect([...host.children]).toEqual([one, two, three]);
  expect(one?.querySelector('a')?.href).toBe('https://a.test/');
  expect(two?.innerHTML).toBe('two [b]');
});

describe('scheduling', () => {
  test('a streaming text is parsed at most once a frame, the first and the last time immediately', () => {
    const { host, view } = mount();
    view.update('a', true);
    expect(host.textContent).toBe('a');
    const { calls } = work;
    for (const text of ['ab', 'abc', 'abcd']) view.update(text, true);
    expect(host.textContent).toBe('a');
    frames();
    expect(host.textContent).toBe('abcd');
    expect(work.calls - calls).toBe(1);
    view.update('abcde', false);
    expect(host.textContent).toBe('abcde');
  });

  test('after a slow parsing it waits four times as long', () => {
    const { host, view } = mount();
    let now = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
    // Each reading of the clock adds 10 ms: the code reads it at the start and at the end.
    clock.mockImplementation(() => {
      now += 10;
      return now;
    });
    view.update('a', true);
    clock.mockImplementation(() => now);
    const end = now;
    view.update('a b', true);
    for (; now < end + 40; now++) vi.advanceTimersByTime(1);
    expect(host.textContent).toBe('a');
    now += 100;
    frames();
    expect(host.textContent).toBe('a b');
  });

  test('a hidden page has no frames: then a timer is used', () => {
    const { host, view } = mount();
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    const frame = vi.spyOn(window, 'requestAnimationFrame');
    view.update('a', true);
    view.update('a b', true);
    vi.advanceTimersByTime(150);
    expect(host.textContent).toBe('a b');
    expect(frame).not.toHaveBeenCalled();
  });

  test('a long text is rendered in portions, completely', () => {
    const text = Array.from({ length: 2_000 }, (_, i) => `Paragraph ${i} *of* many.\n\n`).join('');
    const { host, view } = mount();
    const before = work.characters;
    view.update(text, false);
    expect(work.characters - before).toBeLessThan(17_000);
    expect(host.children.length).toBeGreaterThan(50);
    for (let i = 0; i < 30; i++) frames();
    expect(host.children.length).toBe(2_000);
  });

  test('portions of a very long text grow with what is shown, so that all of them take linear time', () => {
    const text = 'A *paragraph*.\n\n'.repeat(3_000);
    const { host, view } = mount();
    view.update(text, false);
    let steps = 0;
    for (; host.children.length < 3_000; steps++) {
      const drawn = host.children.length;
      frames();
      // Two or three portions.
      expect(host.children.length - drawn).toBeGreaterThan(0);
      expect(host.children.length - drawn).toBeLessThan(300 + drawn / 4);
    }
    // With portions of the same size it would be 15.
    expect(steps).toBeLessThan(13);
  });

  test('nothing is rendered after dispose', () => {
    const { host, view } = mount();
    view.update('a', true);
    view.update('a b', true);
    view.dispose();
    vi.advanceTimersByTime(1_000);
    expect(host.textContent).toBe('a');
  });
});

test('a selection in the open end is kept while text is appended', () => {
  const { host, view } = mount();
  view.update('Some words here', true);
  const text = host.querySelector('p')?.firstChild as Text;
  const range = document.createRange();
  range.setStart(text, 5);
  range.setEnd(text, 10);
  for (const more of [' and', ' and **bo', ' and **bold** too', ' and **bold** too\n\nNext']) {
    view.update(`Some words here${more}`, true);
    frames();
    expect(range.toString()).toBe('words');
  }
  view.update('Some words here and **bold** too\n\nNext one', false);
  expect(range.toString()).toBe('words');
  expect(host.querySelector('p')?.firstChild).toBe(text);
});
