// House rules that no linter has: the places where HTML may enter the page, style sheets of bundles, functions that pages replace,
// the comment at the beginning of each file, and the form of comments. Reads sources only. Import direction: scripts/architecture.toml.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter(
    (file) => /\.(ts|tsx|css)$/.test(file) && !/\.test\.tsx?$|\.contract\.ts$|\btesting\.ts$/.test(file),
  );
const scripts = files.filter((file) => !file.endsWith('.css'));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const textOf = (file: string) => texts.get(file) ?? '';

/** A source without its comments. Line breaks are kept, so that a position in the code gives the line of the source. */
const codeOf = (file: string) =>
  textOf(file)
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/(^|[\s;{}(),])\/\/.*$/gm, '$1');

const components = scripts.filter(
  (file) => /^widget\/(?:chat|page)\/.+\.tsx$/.test(file) && file !== 'widget/chat/main.tsx',
);

test('components never write the state of the store', () => {
  const writes = /store\.state\b(\.\w+)*\s*(=[^=>]|\+\+|--|[+\-*/|&?]{1,2}=)/;
  expect('store.state.rows = []').toMatch(writes);
  expect('store.state.rows === x').not.toMatch(writes);
  expect(components.length).toBeGreaterThan(8);
  expect(
    components.filter((file) => writes.test(codeOf(file))),
    'Add an action to the store, and a function of the session that calls it.',
  ).toEqual([]);
});

/** Every way text could become markup, code or style. */
const sinks: Record<string, RegExp> = {
  innerHTML: /\binnerHTML\b/,
  outerHTML: /\bouterHTML\b/,
  insertAdjacentHTML: /\binsertAdjacentHTML\b/,
  'document.write': /\bdocument\.write/,
  dangerouslySetInnerHTML: /\bdangerouslySetInnerHTML\b/,
  eval: /\beval\s*\(/,
  'new Function': /\bnew Function\b|[^\w.]Function\(/,
  "setAttribute('style')": /setAttribute\(\s*['"`]style/,
  // An object goes through the CSSOM, which no policy refuses; text would be an attribute.
  'style attribute': /\bstyle=(["']|\{(?!\{))/,
  cssText: /\bcssText\b/,
  srcdoc: /\bsrcdoc\b/i,
  DOMParser: /\bDOMParser\b/,
  createContextualFragment: /\bcreateContextualFragment\b/,
  setHTMLUnsafe: /\bsetHTMLUnsafe\b|\bparseHTMLUnsafe\b/,
};

describe('HTML', () => {
  test('enters the DOM in one place', () => {
    const sinkUses = scripts.flatMap((file) =>
      Object.entries(sinks)
        .filter(([, pattern]) => pattern.test(codeOf(file)))
        .map(([name]) => `${file}: ${name}`),
    );
    // Apps are documents of their own, in a frame with an opaque origin of another page.
    const ofApps = 'server/http/sandbox.ts: srcdoc';
    // Mails are no pages, and many programs read no style sheet in them; the styles have no text of anybody.
    const ofMails = 'server/notifications/mail-html.ts: style attribute';
    expect(sinkUses.sort()).toEqual([ofApps, ofMails, 'widget/markdown/sanitized-html.ts: innerHTML']);
    expect(codeOf('widget/markdown/sanitized-html.ts').match(/\binnerHTML\b/g)?.length).toBe(1);
  });

  test('is made safe in one place', () => {
    const makers = scripts.filter((file) => /\bas (unknown as )?SafeHtml\b/.test(codeOf(file)));
    expect(makers).toEqual(['widget/markdown/sanitized-html.ts']);
  });
});

describe('style sheets', () => {
  test('the style sheets of two lazy chunks never style the same class', () => {
    const classes = (file: string) =>
      new Set([...codeOf(file).matchAll(/\.([a-z][\w-]*)(?=[\s,:{[>+.)])/g)].map(([, name = '']) => name));
    const everybodys = new Set([
      ...classes('widget/launcher/launcher.css'),
      ...classes('widget/chat/chat.css'),
    ]);
    const lazy = [
      'widget/markdown/markdown.css',
      'widget/extras/extras.css',
      'widget/answers/parts.css',
      'widget/answers/details/details.css',
      'widget/answers/interrupts/interrupt.css',
    ];
    const owners = new Map<string, string>();
    for (const file of lazy) {
      const own = [...classes(file)].filter((name) => !everybodys.has(name));
      expect(own.length, file).toBeGreaterThan(0);
      for (const name of own) {
        expect(owners.get(name), `.${name}`).toBeUndefined();
        owners.set(name, file);
      }
    }
    // Nor does a chunk give an element a class that another one's sheet speaks of.
    for (const file of scripts.filter((name) => lazy.some((sheet) => dirname(sheet) === dirname(name)))) {
      const classNames = [...codeOf(file).matchAll(/(?:class="|className = ')([^"']+)/g)].flatMap(
        ([, names = '']) => names.split(' '),
      );
      const foreign = classNames.filter(
        (name) => owners.has(name) && dirname(owners.get(name) ?? '') !== dirname(file),
      );
      expect(foreign, file).toEqual([]);
    }
  });
});

/** Constructs that behave differently on pages with old libraries, and what to write instead. */
const replacedByPages: [construct: RegExp, cure: string][] = [
  [
    /\]\.entries\(|\w\.entries\(\)/g,
    'Prototype.js replaces entries() of arrays: use forEach((item, index) => …)',
  ],
  [/\.reduce\(/g, 'Prototype.js replaces reduce() of arrays: use a for…of loop'],
  [/Array\.from\(/g, 'MooTools replaces Array.from: use [...items]'],
  [/for \(const \w+ in /g, 'for…in also finds what a page gave all objects: use Object.keys()'],
];

test('code that runs on pages does not use functions that old libraries replace', () => {
  const violations = scripts
    .filter((file) => /^(widget|client|protocol)\//.test(file))
    .flatMap((file) =>
      replacedByPages.flatMap(([construct, cure]) =>
        [...codeOf(file).matchAll(construct)].map(({ 0: text, index }) => {
          const line = codeOf(file).slice(0, index).split('\n').length;
          return `src/${file}:${line}: ${text} – ${cure}`;
        }),
      ),
    );
  expect(violations).toEqual([]);
});

describe('files', () => {
  test('each begins with a comment that states its purpose', () => {
    const silent = files.filter((file) => {
      const [first = ''] = textOf(file)
        .replace(/^#!.*\n/, '')
        .split('\n');
      return !(file.endsWith('.css') ? /^\/\* ?\S.{10,}/ : /^\/\/ \S.{10,}/).test(first);
    });
    expect(silent, 'Begin the file with `// ` and one sentence.').toEqual([]);
  });

  test('none has a name without a topic, such as utils', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|manager)\b/i.test(file))).toEqual([]);
  });
});

test('comments begin with a noun or an imperative, not with a relative clause', () => {
  const folders = ['bench', 'demo', 'e2e', 'scripts', 'simulation', 'src'];
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, '..', folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file}`)
      .filter((file) => /\.(?:ts|tsx|mjs|css)$/.test(file) && !file.includes('node_modules/')),
  );
  expect(sources.length).toBeGreaterThan(1_500);
  // Released migrations are never edited, and have such comments in their SQL.
  const violations = sources
    .filter((file) => !file.startsWith('src/server/storage/migrations/'))
    .flatMap((file) =>
      readFileSync(join(root, '..', file), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          /^\s*(?:\/\/|\*|\/\*\*?)\s*(?:What|Who|Those)\b/.test(line) ? [`${file}:${index + 1}`] : [],
        ),
    );
  expect(violations, 'Write "Answers of the form" in place of "What the visitor has answered".').toEqual([]);
});
