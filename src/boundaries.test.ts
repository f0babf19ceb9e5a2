// Enforces the house rules that a reader relies on: who imports whom, who waits, where HTML may enter. Reads sources only.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as rulesOfImports from '../scripts/import-rules.mjs';
import * as layers from '../scripts/layers.mjs';

interface Rule {
  imports?: string[];
  types?: string[];
  loads?: string[];
  computes?: string[];
  withTests?: true;
}
const { rules, outside, ruleFor, allows, isPackageName } = rulesOfImports as unknown as {
  rules: Record<string, Rule>;
  outside: string[];
  ruleFor(file: string): string | undefined;
  allows(list: string[] | undefined, target: string): boolean;
  isPackageName(name: string): boolean;
};
const { lintOverrides, sourceNames, pathOf, isTest } = layers as {
  lintOverrides(): unknown[];
  sourceNames(): string[];
  pathOf(name: string): string;
  isTest(name: string): boolean;
};

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.(ts|tsx|css)$/.test(file) && !isTest(file));
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
const scripts = files.filter((file) => !file.endsWith('.css'));
/** The sources outside of `src`, and the tests that have a row of the table. */
const others = sourceNames().filter((name) => {
  const row = ruleFor(name) ?? '';
  return rules[row]?.withTests || (outside.includes(row) && !isTest(name));
});
for (const name of others) texts.set(name, readFileSync(join(root, '..', pathOf(name)), 'utf8'));
const textOf = (file: string) => texts.get(file) ?? '';

/** A source without its comments and without the text of its strings, so that words about code are not code. */
const codeOf = (file: string) =>
  textOf(file)
    // Line breaks are kept, so that a position in the code gives the line of the source.
    .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/(^|[\s;{}(),])\/\/.*$/gm, '$1');

const isOutside = (file: string) => outside.includes(file.split('/')[0] ?? '');

interface Import {
  file: string;
  /** A path below src, or the name of a package. */
  target: string;
  isType: boolean;
  isDynamic: boolean;
}

/** Returns the target as the table names it: without `src/`. */
function resolve(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const folder = isOutside(file) ? '' : 'src';
  return join(folder, dirname(file), specifier)
    .replace(/\?.*$/, '')
    .replace(/^src\//, '');
}

/** True when every name in `{ … }` is a type. */
const onlyTypes = (clause: string) =>
  /^type\s/.test(clause) ||
  (/^\{[\s\S]*\}$/.test(clause) &&
    clause
      .slice(1, -1)
      .split(',')
      .filter((name) => name.trim())
      .every((name) => /^\s*type\s/.test(name)));

function importsOf(file: string): Import[] {
  const code = codeOf(file);
  const found: Import[] = [];
  for (const [, clause = '', specifier = ''] of code.matchAll(
    /^(?:import|export)\s+((?:type\s+)?[\w$*{][\w$*{},\s]*?)\s+from\s+'([^']+)'/gm,
  )) {
    found.push({
      file,
      target: resolve(file, specifier),
      isType: onlyTypes(clause.trim()),
      isDynamic: false,
    });
  }
  for (const [, specifier = ''] of code.matchAll(/^import\s+'([^']+)'/gm)) {
    found.push({ file, target: resolve(file, specifier), isType: false, isDynamic: false });
  }
  for (const [, before = '', specifier = ''] of code.matchAll(/(typeof\s+)?\bimport\(\s*([^)]*)\)/g)) {
    const target = /^'([^']+)'/.exec(specifier)?.[1] ?? specifier;
    found.push({ file, target: resolve(file, target), isType: before !== '', isDynamic: before === '' });
  }
  return found;
}

const imports = scripts.flatMap(importsOf);
const importsOfOthers = others.flatMap(importsOf);
const show = ({ file, target }: Import) => `${file} -> ${target}`;
const below =
  (...folders: string[]) =>
  ({ target }: Import) =>
    folders.some((folder) => target === folder || target.startsWith(`${folder}/`));
const isPackage = ({ target }: Import) => !target.startsWith('node:') && isPackageName(target);
const isType = ({ isType }: Import) => isType;
/** Only the server and tests load the schemas; all others know their types. */
const isSchema = below('protocol/schemas', 'protocol/operations');

/** Those with a catalogue. */
const languages = scripts
  .flatMap((file) => /^widget\/i18n\/catalogues\/([a-z]{2}(?:-[A-Z]\w+)?)\.ts$/.exec(file)?.[1] ?? [])
  .sort((a, b) => (`${a}.ts` < `${b}.ts` ? -1 : 1));

/** The files of a cycle, the first one also as the last; empty when there is none. */
function cycleIn(targets: ReadonlyMap<string, readonly string[]>): string[] {
  const path: string[] = [];
  const done = new Set<string>();
  const visit = (file: string): string[] => {
    const first = path.indexOf(file);
    if (first !== -1) return [...path.slice(first), file];
    if (done.has(file)) return [];
    path.push(file);
    for (const target of targets.get(file) ?? []) {
      const cycle = visit(target);
      if (cycle.length > 0) return cycle;
    }
    path.pop();
    done.add(file);
    return [];
  };
  for (const file of targets.keys()) {
    const cycle = visit(file);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

describe('imports', () => {
  test('schemas and declarations of operations reach client, widget and pages as types only', () => {
    const loading = imports.filter(
      (found) => isSchema(found) && !found.isType && !/^(server|protocol)\//.test(found.file),
    );
    expect(loading.map(show)).toEqual([]);
  });

  test('every source has a row in the table', () => {
    expect(scripts.length).toBeGreaterThan(50);
    expect(
      [...scripts, ...others].filter((file) => !ruleFor(file)),
      'Add a row to scripts/import-rules.mjs.',
    ).toEqual([]);
  });

  test('the reader of imports sees them all', () => {
    // As many as a cruder count finds, so that a new way of writing an import cannot slip through.
    for (const file of scripts) {
      const count = [...codeOf(file).matchAll(/\bfrom '|^import '|\bimport\(/gm)].length;
      expect(importsOf(file).length, file).toBe(count);
    }
  });

  test.each(Object.keys(rules))('%s imports only what the table allows', (row) => {
    const rule = rules[row] ?? {};
    const own = [...imports, ...importsOfOthers].filter(({ file }) => ruleFor(file) === row);
    const isAllowed = ({ file, target, isType, isDynamic }: Import) =>
      (isType && allows(rule.types, target)) ||
      ((isType || isDynamic) && allows(rule.loads, target)) ||
      (isDynamic && rule.computes?.includes(file)) ||
      allows(rule.imports, target);
    expect(
      own.filter((found) => !isAllowed(found)).map(show),
      `Move what both need to a lower layer, or change the row '${row}' of scripts/import-rules.mjs.`,
    ).toEqual([]);
  });

  test('the rules of the linter are those of the table: run `node scripts/layers.mjs` after a change', () => {
    const config = JSON.parse(readFileSync(join(root, '../biome.json'), 'utf8')) as { overrides: unknown[] };
    expect(config.overrides).toEqual(lintOverrides());
  });

  test('do not form a cycle, not even of types or with a bundle that is loaded later', () => {
    expect(cycleIn(new Map([...Array(3).keys()].map((n) => [`${n}`, [`${(n + 1) % 3}`]])))).toHaveLength(4);
    const targets = new Map<string, string[]>(scripts.map((file) => [file, []]));
    for (const { file, target } of imports) if (targets.has(target)) targets.get(file)?.push(target);
    expect([...targets.values()].flat().length).toBeGreaterThan(2_000);
    expect(
      cycleIn(targets).join(' -> '),
      'Move the type that both files need to a file that contains types only, such as session-interface.ts.',
    ).toBe('');
  });

  test('the packages of the server are those it depends on', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, '../package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const nameOf = (target: string) => target.split('/', target.startsWith('@') ? 2 : 1).join('/');
    const used = imports.filter(
      (found) => found.file.startsWith('server/') && isPackage(found) && !found.isDynamic && !isType(found),
    );
    expect(used.filter(({ target }) => !(nameOf(target) in dependencies)).map(show)).toEqual([]);
  });

  test('each dynamic import is in its named place', () => {
    const dynamic = imports.filter(({ isDynamic }) => isDynamic);
    const lazy = dynamic.filter(({ file }) => !file.startsWith('server/')).map(show);
    expect(
      lazy.sort(),
      'A dynamic import is another request of the page: add a new one to the list in src/boundaries.test.ts.',
    ).toEqual([
      'cli/agents/try.ts -> server/run.ts',
      'cli/backup.ts -> server/backup/index.ts',
      'cli/backup.ts -> server/backup/index.ts',
      'cli/move.ts -> server/backup/index.ts',
      'cli/serve.ts -> server/run.ts',
      // Vite puts them into one module.
      'packages/widget/bundled-load.ts -> widget/chat/main.tsx',
      'packages/widget/bundled-load.ts -> widget/diagnostics/main.ts',
      'packages/widget/bundled-load.ts -> widget/i18n/main.ts',
      'packages/widget/bundled-load.ts -> widget/page/host-page/main.ts',
      'packages/widget/bundled-load.ts -> widget/page/unknown-names/main.ts',
      // Only in Node: `node:http`.
      'packages/widget/mock/listen.ts -> name',
      // With the reports.
      'pages/inbox/app/components/App.tsx -> pages/inbox/app/reports/Reports.tsx',
      // With the first page of the settings.
      'pages/inbox/app/components/App.tsx -> pages/inbox/app/settings/Settings.tsx',
      // With the first Markdown of a bot.
      'pages/inbox/app/components/Markdown.tsx -> widget/markdown/main.ts',
      // What needs a session.
      'pages/inbox/main.ts -> pages/inbox/member.ts',
      'pages/inbox/open-inbox.ts -> pages/inbox/app/main.tsx',
      'widget/answers/AnswerView.tsx -> widget/answers/interactive.ts',
      'widget/answers/AnswerView.tsx -> widget/answers/interactive.ts',
      'widget/answers/AnswerView.tsx -> widget/answers/interactive.ts',
      'widget/chat/bundles.ts -> widget/answers/main.tsx',
      'widget/chat/bundles.ts -> widget/chat/fonts.ts',
      'widget/chat/bundles.ts -> widget/chat/session/background.ts',
      'widget/chat/bundles.ts -> widget/chat/session/background.ts',
      'widget/chat/bundles.ts -> widget/extras/main.tsx',
      'widget/chat/bundles.ts -> widget/markdown/main.ts',
      'widget/chat/bundles.ts -> widget/page/main.ts',
      'widget/chat/bundles.ts -> widget/panels/start.ts',
      'widget/chat/bundles.ts -> widget/panels/start.ts',
      'widget/chat/bundles.ts -> widget/people/main.tsx',
      // Every file in turn: the build puts the list there.
      expect.stringMatching(/^widget\/diagnostics\/bundle-checks\.ts -> /),
      ...languages.map((name) => `widget/i18n/load-catalogue.ts -> widget/i18n/catalogues/${name}.ts`),
      // Its address is computed: the build puts the name of the bundle there.
      expect.stringMatching(/^widget\/launcher\/load\.ts -> /),
      // And another address after a failure.
      expect.stringMatching(/^widget\/launcher\/load\.ts -> /),
      'widget/markdown/colors.ts -> widget/markdown/highlight.ts',
      'widget/markdown/formulas/draw-formulas.ts -> widget/markdown/formulas/math.ts',
      // With the first click on their buttons.
      'widget/media/composer/ComposerTools.tsx -> widget/media/emoji/main.tsx',
      'widget/media/composer/ComposerTools.tsx -> widget/media/voice/main.ts',
      // With the field `webmcp`.
      'widget/page/host-page/main.ts -> widget/page/host-page/webmcp.ts',
      'widget/page/host-page/main.ts -> widget/page/host-page/window-size.ts',
      // For a visitor who logs out in a browser that gets pushes.
      'widget/page/user/end-pushes.ts -> widget/people/main.tsx',
      // With the first opening of the list.
      'widget/panels/menu/dialogs.tsx -> widget/panels/main.ts',
      // With the first command about the visitor's own data.
      'widget/panels/menu/dialogs.tsx -> widget/panels/main.ts',
      // For a visitor who has switched on notifications.
      'widget/panels/own-data/delete-data.ts -> widget/people/main.tsx',
    ]);
    const server = dynamic.map(({ file }) => file).filter((file) => file.startsWith('server/'));
    expect(
      [...new Set(server)].sort(),
      'Add a file of the server with a dynamic import to the list in src/boundaries.test.ts.',
    ).toEqual([
      'server/auth/passwords.ts',
      'server/bots/module.ts',
      'server/chat/answer-pushes/answer-pushes.ts',
      'server/cluster/relay/connect-relay.ts',
      'server/cluster/relay/redis-relay.ts',
      'server/files/bytes/media-type.ts',
      'server/files/embeddings/embedded.ts',
      'server/files/indexing/html.ts',
      'server/files/indexing/office/archive.ts',
      'server/files/indexing/office/number-format.ts',
      'server/files/indexing/office/xml.ts',
      'server/files/open-store.ts',
      'server/files/text/detection.ts',
      'server/mail/mailer.ts',
      'server/metrics/index.ts',
      'server/session/oidc.ts',
      'server/storage/open.ts',
      'server/storage/sqlite.ts',
    ]);
  });
});

test('no folder contains more than 30 source files', () => {
  const repository = join(root, '..');
  const sources = ['src', 'e2e', 'bench', 'scripts', 'demo', 'simulation'].flatMap((folder) =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter(
        (file) => /\.(tsx?|js|mjs|css)$/.test(file) && !/node_modules|\.d\.ts$/.test(file) && !isTest(file),
      ),
  );
  const count = new Map<string, number>();
  for (const file of sources) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1);
  // One file for each language: data.
  count.delete('src/widget/i18n/catalogues');
  expect(count.size).toBeGreaterThan(50);
  expect(
    [...count].filter(([, size]) => size > 30),
    'Move the files of one topic to a folder of their own.',
  ).toEqual([]);
});

const chat = scripts.filter((file) => file.startsWith('widget/chat/'));
const components = chat.filter((file) => file.endsWith('.tsx') && file !== 'widget/chat/main.tsx');

const usesSignals = (file: string) =>
  imports.some((found) => found.file === file && found.target === '@preact/signals');

describe('the flow of data', () => {
  test('components call the session, never the client', () => {
    expect(components.length).toBeGreaterThan(8);
    const violations = imports.filter(
      (found) =>
        components.includes(found.file) &&
        (below('client')(found) || found.target === 'widget/chat/session/user.ts') &&
        !isType(found),
    );
    expect(violations.map(show)).toEqual([]);
  });

  test('components never write the state of the store', () => {
    const writes = /store\.state\b(\.\w+)*\s*(=[^=>]|\+\+|--|[+\-*/|&?]{1,2}=)/;
    expect('store.state.rows = []').toMatch(writes);
    expect('store.state.rows === x').not.toMatch(writes);
    expect(
      components.filter((file) => writes.test(codeOf(file))),
      'Add an action to the store, and a function of the session that calls it.',
    ).toEqual([]);
  });

  test('signals are written by named actions of the files that own them', () => {
    const owners = scripts.filter(
      (file) => /\.value\s*(=[^=>]|\+\+|--)/.test(codeOf(file)) && usesSignals(file),
    );
    expect(owners.sort()).toEqual([
      // The inbox: one file for each kind of state.
      'pages/inbox/app/alerts/announcer.ts',
      'pages/inbox/app/api/inbox-api.ts',
      'pages/inbox/app/components/Markdown.tsx',
      'pages/inbox/app/inbox.ts',
      'pages/inbox/app/state/actions.ts',
      'pages/inbox/app/state/attachments.ts',
      'pages/inbox/app/state/canned-answers.ts',
      'pages/inbox/app/state/drafts.ts',
      'pages/inbox/app/state/known-rows.ts',
      'pages/inbox/app/state/route.ts',
      'pages/inbox/app/state/store.ts',
      'pages/inbox/app/state/team.ts',
      'widget/answers/interrupts/responses.ts',
      // Which bundles have loaded.
      'widget/chat/lazy-bundle.ts',
      'widget/chat/payloads/markdown-options.ts',
      'widget/chat/store/store.ts',
      // The strings of the present language.
      'widget/i18n/current.ts',
      // What becomes of calls of tools of the page.
      'widget/page/tools/calls.ts',
      // What is asked before a conversation.
      'widget/panels/pre-chat-form/questions.ts',
    ]);
  });

  test('the store imports neither session nor components, and has no asynchronous code', () => {
    const store = 'widget/chat/store/store.ts';
    const targets = imports.filter(({ file }) => file === store).map(({ target }) => target);
    expect([...new Set(targets)].sort()).toEqual([
      '@preact/signals',
      'protocol/message.ts',
      'protocol/page-api/config.ts',
      'protocol/webchat.ts',
      'widget/chat/store/rows.ts',
      'widget/chat/store/state.ts',
    ]);
    expect(codeOf(store)).not.toMatch(/\bawait\b|\basync\b|\.then\(|setTimeout|Promise/);
  });

  test('only the session, the loading of bundles and the tasks of mounting wait', () => {
    const waiting = chat.filter((file) => /\bawait\b|\.then\(/.test(codeOf(file)));
    const isAllowed = (file: string) =>
      file.startsWith('widget/chat/session/') || /chat\/(lazy-bundle\.ts|main\.tsx)$/.test(file);
    expect(
      waiting.filter((file) => !isAllowed(file)),
      'Move the asynchronous part to a file of widget/chat/session/.',
    ).toEqual([]);
  });
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
    const found = scripts.flatMap((file) =>
      Object.entries(sinks)
        .filter(([, pattern]) => pattern.test(codeOf(file)))
        .map(([name]) => `${file}: ${name}`),
    );
    // Apps are documents of their own, in a frame with an opaque origin of another page.
    const ofApps = 'server/http/sandbox/sandbox-page.ts: srcdoc';
    expect(found.sort()).toEqual([ofApps, 'widget/markdown/sanitized-html.ts: innerHTML']);
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
      const given = [...codeOf(file).matchAll(/(?:class="|className = ')([^"']+)/g)].flatMap(
        ([, names = '']) => names.split(' '),
      );
      const foreign = given.filter(
        (name) => owners.has(name) && dirname(owners.get(name) ?? '') !== dirname(file),
      );
      expect(foreign, file).toEqual([]);
    }
  });
});

/** Files over 400 lines, and why each is one concept all the same. */
const long: Record<string, string> = {
  'widget/chat/chat.css': 'one style sheet a chunk',
  'widget/media/emoji/emoji-data.ts': 'a line for each emoji',
  'widget/extras/extras.css': 'one style sheet a chunk',
};

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
  const found = scripts
    .filter((file) => /^(widget|client|protocol)\//.test(file))
    .flatMap((file) =>
      replacedByPages.flatMap(([construct, cure]) =>
        [...codeOf(file).matchAll(construct)].map(({ 0: text, index }) => {
          const line = codeOf(file).slice(0, index).split('\n').length;
          return `src/${file}:${line}: ${text} – ${cure}`;
        }),
      ),
    );
  expect(found).toEqual([]);
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

  test('none has more than 400 lines without a reason', () => {
    // A catalogue has a line for each text.
    const counted = files.filter((file) => !file.startsWith('widget/i18n/catalogues/'));
    const over = counted.filter((file) => textOf(file).trimEnd().split('\n').length > 400);
    expect(
      over.filter((file) => !(file in long)),
      'Move one concept of each of these files to a file of its own.',
    ).toEqual([]);
    expect(
      Object.keys(long).filter((file) => !over.includes(file)),
      'These files are short again: remove them from `long` in src/boundaries.test.ts.',
    ).toEqual([]);
  });

  test('none has a name without a topic, such as utils', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|common|misc|manager)\b/i.test(file))).toEqual([]);
  });
});
