// Tests of text extraction: every format, invalid files, and files that would take too long or too much memory.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFile } from 'node:fs/promises';
import type { Worker } from 'node:worker_threads';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { useFolder } from '../../testing/folder.testing.ts';
import { stripTypes } from '../../testing.ts';
import { pdf } from '../testing.ts';
import { createExtraction } from './extraction.ts';
import { useReader } from './reader.testing.ts';

const readFile = useReader();
const read = async (...given: Parameters<typeof readFile>) => (await readFile(...given)).passages;
const contents = async (...given: Parameters<typeof readFile>) => (await readFile(...given)).texts;
const folder = useFolder();

test('the title of a picture in HTML is not a heading', async () => {
  const html =
    '<html><head><title>Page</title></head><body><h1>Guide</h1><h2>Install</h2><p>One.</p>' +
    '<a><svg><title>Arrow</title><path/></svg></a><table><tr><td>Two.</td></tr></table></body></html>';
  const passages = await read(html, 'text/html');
  expect(passages.map(({ content, breadcrumb }) => [content, breadcrumb])).toEqual([
    ['Page', ''],
    ['One.', 'Guide > Install'],
    ['Two.', 'Guide > Install'],
  ]);
});

test('elements and control words with the names of built-in properties are text like others', async () => {
  expect(await contents('<p>a</p><constructor>b', 'text/html', {})).toEqual(['a\n\nb']);
  expect(await contents('{\\rtf1 a\\constructor b}', 'application/rtf')).toEqual(['ab']);
});

test('no character and no word is cut at the maximum length of a line, a title or a block', async () => {
  const text = `${'a'.repeat(19_999)}😀b`;
  expect((await contents(text, 'text/plain')).join('')).toContain('😀');
  const words = `${'word '.repeat(5_000)}end`;
  expect(new Set((await contents(words, 'text/plain')).join(' ').split(/\s+/))).toEqual(
    new Set(['word', 'end']),
  );
  const [passage] = await read(`# ${'a'.repeat(199)}😀\n\ntext`, 'text/markdown');
  expect(passage?.breadcrumb).toBe('a'.repeat(199));
  const rtf = `{\\rtf1 ${'a'.repeat(20_000)}\\u-10179?\\u-8704?}`;
  expect((await contents(rtf, 'application/rtf')).join('')).toContain('😀');
});

test('passages of Markdown have their headings and their type', async () => {
  const passages = await read(
    [
      '---\ntitle: settings\n---\n# Guide\n\nWelcome to **it**.\nSecond line.\n\nNext paragraph.\n',
      '## Install ##\n\n```sh\n# no title\nnpm ci\n```\n',
      '| a | b |\n|---|---|\n| 1 | 2 |\n',
      '- one\n- two\n  goes on\n',
      '> quoted\n',
      'Usage\n-----\nCall `it` with ![a picture](https://example.com/x.png).\n',
      '# Empty\n',
    ].join('\n'),
    'text/markdown',
  );
  expect(passages).toEqual([
    {
      content: 'Welcome to **it**.\nSecond line.\n\nNext paragraph.',
      subtype: 'paragraph',
      page: null,
      breadcrumb: 'Guide',
    },
    { content: '# no title\nnpm ci', subtype: 'code', page: null, breadcrumb: 'Guide > Install' },
    {
      content: '| a | b |\n|---|---|\n| 1 | 2 |',
      subtype: 'table',
      page: null,
      breadcrumb: 'Guide > Install',
    },
    {
      content: '- one\n- two\n  goes on\n\nquoted',
      subtype: 'paragraph',
      page: null,
      breadcrumb: 'Guide > Install',
    },
    { content: 'Call `it` with a picture.', subtype: 'paragraph', page: null, breadcrumb: 'Guide > Usage' },
    { content: 'Empty', subtype: 'title', page: null, breadcrumb: '' },
  ]);
});

test.each([
  ['by dashes', '---\ntitle: settings\n---\nText.\n', ['Text.']],
  ['by dashes with spaces after them', '--- \ntitle: settings\n---\t\nText.\n', ['Text.']],
  ['by dots', '---\ntitle: settings\n...\nText.\n', ['Text.']],
])('front matter of Markdown that is ended %s is left out', async (_, text, expected) => {
  expect(await contents(text, 'text/markdown')).toEqual(expected);
});

test.each([
  ['a short document', '---\n# Title\n\nFirst.\n\nSecond.\n', 'First.\n\nSecond.'],
  ['sections between rules', '---\n\n# Title\n\nFirst.\n\n---\n', 'First.\n\n---'],
  [
    'a long document',
    `---\n# Title\n\n${'- item\n'.repeat(100)}---\n`,
    `${Array(100).fill('- item').join('\n')}\n---`,
  ],
])('Markdown that begins with a horizontal rule is read as a whole: %s', async (_, text, expected) => {
  const passages = await read(text, 'text/markdown');
  expect(passages.map(({ content, breadcrumb }) => [breadcrumb, content])).toEqual([['Title', expected]]);
});

test('HTML: visible text with decoded entities; nothing is executed', async () => {
  const passages = await read(
    `<!doctype html><html><head><title>Shop</title><style>p{}</style><script>evil()</script></head>
     <body><nav>Home Login</nav><h1>Returns &amp; refunds</h1><p>Within <b>30</b>&nbsp;days.<br>Free.
     <h2>How</h2><ol><li>Pack it<li>Send it</ol><table><tr><th>Land<th>Days<tr><td>DE<td>3</table>
     <pre>a
  b</pre><noscript>no</noscript><template>t</template><p hidden>&#x1f600; ok</p><footer>Imprint</footer>`,
    'text/html',
  );
  expect(passages.map(({ content, subtype, breadcrumb }) => [breadcrumb, subtype, content])).toEqual([
    ['', 'title', 'Shop'],
    ['Returns & refunds', 'paragraph', 'Within 30 days. Free.'],
    ['Returns & refunds > How', 'list', 'Pack it\n\nSend it'],
    ['Returns & refunds > How', 'table', 'Land | Days\nDE | 3'],
    ['Returns & refunds > How', 'code', 'a\n  b'],
    ['Returns & refunds > How', 'paragraph', '😀 ok'],
  ]);
});

test('the parts of a breadcrumb are the titles, also those with a ` > `', async () => {
  const text = '# File > Save as >\n\n## > Copy\n\nText of a -> b.\n';
  const [passage] = await read(text, 'text/markdown');
  expect(passage?.breadcrumb.split(' > ')).toEqual(['File › Save as ›', '› Copy']);
});

test('CSV: each row as text, with quotes, line breaks in cells, and the delimiter of the file', async () => {
  expect(await contents('name,note\r\nAda,"says ""hi"",\nthen goes"\r\n\r\nBob,\n', 'text/csv')).toEqual([
    'name: Ada; note: says "hi",\nthen goes\nname: Bob',
  ]);
  expect(await contents('name;age\nAda;36;extra', 'text/csv')).toEqual(['name: Ada; age: 36; extra']);
  expect(await contents('a\tb\n1\t"open', 'text/tab-separated-values')).toEqual(['a: 1; b: open']);
});

test('PDF: the text of each page is read with its number', async () => {
  const passages = await read(pdf(['First page about cats', 'Second page about dogs']), 'application/pdf');
  expect(passages.map(({ content, page }) => [page, content])).toEqual([
    [1, 'First page about cats'],
    [2, 'Second page about dogs'],
  ]);
});

describe('in a thread', () => {
  test.each([
    ['Markdown', '# Cats\n\nThey sleep.\n', 'text/markdown', 'They sleep.'],
    ['a PDF', pdf(['They sleep.']), 'application/pdf', 'They sleep.'],
  ])('%s has the same passages', async (_, bytes, type, text) => {
    const passages = await read(bytes, type, {});
    expect(passages.map(({ content }) => content)).toEqual([text]);
    expect(passages).toEqual(await read(bytes, type));
  });

  test('more passages than a batch arrive in their order', async () => {
    const text = Array.from({ length: 120 }, (_, n) => `# Title ${n}\n\nText ${n}.\n`).join('\n');
    const passages = await read(text, 'text/markdown', {});
    expect(passages.map(({ content }) => content)).toEqual(
      Array.from({ length: 120 }, (_, n) => `Text ${n}.`),
    );
  });

  test('a file without text fails with the reason', async () => {
    await expect(read('', 'text/plain', {})).rejects.toThrow('no text');
  });
});

describe('plain text', () => {
  test('long texts are split at boundaries of sentences and words, and nothing is lost', async () => {
    const sentences = Array.from({ length: 500 }, (_, n) => `This is sentence number ${n}.`);
    const passages = await contents(sentences.join(' '), 'text/plain');
    expect(passages.length).toBeGreaterThan(5);
    expect(passages.join(' ')).toBe(sentences.join(' '));
    for (const passage of passages) expect(passage).toMatch(/^This.*\.$/s);
  });

  test('a text without spaces and line breaks is not split within a character', async () => {
    const text = '👍'.repeat(20_001);
    const passages = await contents(text, 'text/plain');
    expect(passages.join('')).toBe(text);
    for (const passage of passages) expect(passage).not.toMatch(/[\ud800-\udbff]$|^[\udc00-\udfff]/);
  });

  test('NULs and unpaired surrogates are removed', async () => {
    expect(await contents('{"a": "b\0c\\ud800"}', 'application/json')).toEqual(['{"a": "bc\\ud800"}']);
  });

  test('20 MB in one line use little memory', async () => {
    let size = 0;
    for (const { content } of await read('word '.repeat(4_000_000), 'text/plain', { heapMegabytes: 64 })) {
      size += content.length + 1;
    }
    expect(size).toBeGreaterThan(19_000_000);
  });
});

describe('a file without readable text fails with the reason', () => {
  const open = '<div>'.repeat(200_000);
  test.each<[string, string | Uint8Array, string, string]>([
    ['nothing', '', 'text/plain', 'no text'],
    ['only a head', 'a,b,c\n', 'text/csv', 'no text'],
    ['deep elements', open, 'text/html', 'nested deeper'],
    ['a picture', 'x', 'image/png', 'image/png cannot be indexed'],
    ['text that is declared as PDF', 'hello', 'application/pdf', 'not a readable PDF'],
    ['half a PDF', pdf(['hello']).subarray(0, 60), 'application/pdf', 'no'],
    ['a scan', pdf(['']), 'application/pdf', 'no text'],
  ])('%s', async (_, bytes, type, message) => {
    await expect(read(bytes, type)).rejects.toThrow(message);
  });

  test('a missing file is reported', async () => {
    const extraction = createExtraction({ execArgv: ['--import', stripTypes] });
    await expect(extraction.passages(folder('none'), 'text/plain').next()).rejects.toThrow('not be read');
  });

  test('a file that takes too long is stopped from outside', async () => {
    const bomb = deflateSync(Buffer.alloc(100_000_000, ' '));
    const limits = { timeLimit: 500, growthMegabytes: 10_000 };
    await expect(read(pdf(Array(90).fill('x'), '', bomb), 'application/pdf', limits)).rejects.toThrow(
      'too long',
    );
  });

  test('a file that fills the heap is refused', async () => {
    const rows = `a\n${'x,'.repeat(900)}\n`;
    const huge = rows.repeat(4_000);
    await expect(read(huge, 'text/csv', { heapMegabytes: 4 })).rejects.toThrow('too much memory');
  });

  test('a thread that fills its heap while its passages are stored ends alone', async () => {
    const path = folder('long.txt');
    await writeFile(path, 'Some text.\n\n'.repeat(10_000));
    // Fills the heap of the thread when it has sent its first batch.
    const code = `import { parentPort } from 'node:worker_threads';
      const post = parentPort.postMessage.bind(parentPort);
      parentPort.postMessage = (message) => {
        post(message);
        setImmediate(() => { for (const all = [];;) all.push(new Array(100_000).fill(all.length)); });
      };`;
    const execArgv = ['--import', stripTypes, '--import', `data:text/javascript,${encodeURIComponent(code)}`];
    const ended = new Promise<void>((resolve) => {
      const onStart = (message: unknown) => {
        unsubscribe('worker_threads', onStart);
        (message as { worker: Worker }).worker.once('exit', () => resolve());
      };
      subscribe('worker_threads', onStart);
    });
    const batches = createExtraction({ execArgv, heapMegabytes: 32 }).passages(path, 'text/plain');
    expect(await batches.next()).toMatchObject({ done: false });
    await ended;
    await expect(batches.next()).rejects.toThrow('too much memory');
  });

  test('a file that decompresses to gigabytes is refused', async () => {
    // 300 MB of spaces between two texts, compressed to 300 KB; thirty pages show it.
    const bomb = deflateSync(Buffer.alloc(300_000_000, ' '));
    const growthMegabytes = 200;
    await expect(
      read(pdf(Array(30).fill('x'), '', bomb), 'application/pdf', { growthMegabytes }),
    ).rejects.toThrow('too much memory');
  });
});
