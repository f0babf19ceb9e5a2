// Builds the widget into dist/webchat, a pass for each `--mode`: the entries (ES modules, hashed names) with their lazy
// bundles, then `loader`: webchat.js, the one classic script, which must know their names (scripts/build/vite.mjs). Code that two
// entries share is in each of them, because a third file would be a third request.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { defineConfig, type Manifest, type Plugin, parseAst, type UserConfig } from 'vite';

const outDir = 'dist/webchat';
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
/** Chrome 108, Firefox 112, Safari 16.4: the oldest with constructable style sheets, cascade layers, dvh and inert. */
const target = ['chrome108', 'firefox112', 'safari16.4'];

/** Components call `h` instead of the JSX runtime, which is a second way to make nodes: 0.2 KB less. */
const classicJsx: Plugin = {
  name: 'classic-jsx',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('.tsx') ? `import { h, Fragment } from 'preact';${code}` : undefined),
};

/**
 * Preact and its signals read objects with their prototype. A page may have added names to the prototype of all objects:
 * `dangerouslySetInnerHTML` would empty every element, `value` make a property that cannot be defined.
 */
const ownNames: Plugin = {
  name: 'own-names',
  enforce: 'pre',
  transform(source, id) {
    let code = source;
    const replace = (pattern: RegExp, by: string) => {
      if (!pattern.test(code)) throw new Error(`${id} is written differently now: ${pattern}`);
      return code.replace(pattern, by);
    };
    if (/preact\/dist\/preact\.m?js$/.test(id)) {
      // createElement: the first function with such a loop.
      // The properties of a node that is new are compared with those of the empty object.
      code = replace(/(\w=Symbol\.for\("pv"\),\w=)\{\}/, '$1{__proto__:null}');
      // The listeners that it has made already, by name.
      code = replace(/(\w=0,\w=)\{\}(?=,\w=0;export)/, '$1{__proto__:null}');
      // An element has the names of all objects too: `class` is always an attribute.
      code = replace(/"width"!=(\w)&&/, '"class"!=$1&&"width"!=$1&&');
      code = replace(/([|(])queueMicrotask\)/, '$1(self.queueMicrotask||setTimeout))');
      return replace(
        /(\w)=\{\},(\w)=arguments\.length;for\((\w) in (\w)\)/,
        '$1={__proto__:null},$2=arguments.length;for($3 of Object.keys($4||{}))',
      );
    }
    if (/signals-core\/dist\/signals-core\.(mjs|module\.js)$/.test(id)) {
      return replace(/(Object\.defineProperty\(\w+\.prototype,"value",\{)/g, '$1__proto__:null,');
    }
    return undefined;
  },
};

/**
 * The store hides its signals behind getters and derives nothing, so no signal becomes a child or an attribute of an
 * element, and none is computed. Without the code for these, 0.9 KB less until the window is usable
 * (docs/decisions/0104-byte-limits.md).
 */
const signalsBehindGetters: Plugin = {
  name: 'signals-behind-getters',
  enforce: 'pre',
  transform(source, id) {
    let code = source;
    const replace = (pattern: RegExp, by = '') => {
      if (!pattern.test(code)) throw new Error(`${id} is written differently now: ${pattern}`);
      code = code.replace(pattern, by);
    };
    if (/preact\/signals\/dist\/signals\.(mjs|module\.js)$/.test(id)) {
      // The other bundles use hooks. They must know of a component before signals do: an effect that they run before it is
      // drawn again would otherwise subscribe it to what the effect reads.
      replace(/import\{[^}]*\}from"preact\/hooks";/, 'import"preact/hooks";');
      // The component of a signal among the children, and what makes a signal look like an element of it.
      replace(
        /function (\w)\(.*?\1\.displayName="ReactiveTextNode";Object\.defineProperties\(.*?\}\}\);(?=\w\("__b")/s,
      );
      // A signal as an attribute of an element, before the element is drawn, afterwards, and when it is removed.
      replace(/if\("string"==typeof \w\.type\)\{(var|let) .*?(?=\w\(\w\)\}\);\w\("__r")/s);
      replace(/(var|let) \w;if\("string"==typeof \w\.type&&.*?(?=\w\(\w\)\}\);function)/s);
      replace(/if\("string"==typeof \w\.type\)\{(var|let) \w=\w\.__e;.*?\}else\{/s, '{');
    }
    if (/signals-core\/dist\/signals-core\.(mjs|module\.js)$/.test(id)) {
      // The class of computed signals: bundlers keep it for its prototype.
      replace(
        /function (\w)\(\w,\w\)\{\w\.call\(this,void 0,\w\);.*?(?=function \w\(\w,\w\)\{return new \1\()/s,
        'var $1;',
      );
    }
    return code;
  },
};

/** Functions and constructors of browsers that read options. */
const readers = new Set(
  (
    'addEventListener removeEventListener attachShadow observe focus scrollTo scrollBy scrollIntoView animate Event CustomEvent ' +
    'InputEvent KeyboardEvent MouseEvent MutationObserver IntersectionObserver PerformanceObserver DateTimeFormat NumberFormat ' +
    'RelativeTimeFormat ListFormat PluralRules Collator Segmenter toLocaleString toLocaleDateString toLocaleTimeString Blob File ' +
    'MediaRecorder getUserMedia request share createPolicy structuredClone fetch Notification subscribe register query'
  ).split(' '),
);

interface SyntaxNode {
  type: string;
  start: number;
  callee?: { name?: string; property?: { name?: string } };
  arguments?: SyntaxNode[];
  properties?: { key?: { name?: string } }[];
}

/** Options of browsers' functions are written without a prototype, to which the page may have added names of options. */
const ownOptions: Plugin = {
  name: 'own-options',
  renderChunk(code) {
    const places: number[] = [];
    const visit = (node: unknown): void => {
      if (typeof node !== 'object' || node === null) return;
      const { type, callee, arguments: given = [] } = node as SyntaxNode;
      const name = callee?.property?.name ?? callee?.name ?? '';
      if ((type === 'CallExpression' || type === 'NewExpression') && readers.has(name)) {
        for (const { type: kind, start, properties } of given)
          if (kind === 'ObjectExpression' && properties?.length && properties[0]?.key?.name !== '__proto__')
            places.push(start + 1);
      }
      for (const child of Object.values(node)) visit(child);
    };
    visit(parseAst(code));
    let changed = code;
    for (const place of places.sort((a, b) => b - a))
      changed = `${changed.slice(0, place)}__proto__:null,${changed.slice(place)}`;
    return changed;
  },
};

/**
 * A lazy bundle that has failed gets another address when it is needed again, because browsers remember that a module has failed.
 * A fragment is not sent: the file is requested as before.
 */
const retriedImports: Plugin = {
  name: 'retried-imports',
  renderChunk(code) {
    const calls = /\bimport\((?=["'`]\.\/)/g;
    if (!calls.test(code)) return undefined;
    const retry = `const failedImports={__proto__:null};function retriedImport(address){return import(address+(failedImports[address]||"")).catch(
      error=>{failedImports[address]=(failedImports[address]||"#")+1;throw error})}`;
    return `${code.replace(calls, 'retriedImport(')}\n${retry}`;
  },
};

/** The name of a bundle: its own file name, or the folder's when the file is `main`. */
const nameOf = (file: string | null) => /([\w-]+)(?:\/main)?\.tsx?$/.exec(file ?? '')?.[1] ?? 'shared';

/** The bundles that webchat.js loads by name, each with its own lazy bundles. Built apart, so that no two of them share a file. */
const entries = {
  chat: 'src/widget/chat/main.tsx',
  i18n: 'src/widget/i18n/main.ts',
  'host-page': 'src/widget/host-page/main.ts',
  'unknown-names': 'src/widget/unknown-names/main.ts',
  diagnostics: 'src/widget/diagnostics/main.ts',
};
type Entry = keyof typeof entries;

const chunks = (name: Entry): UserConfig => ({
  base: './',
  publicDir: false,
  plugins: [classicJsx, ownNames, signalsBehindGetters, ownOptions, retriedImports],
  define: name === 'diagnostics' ? { __CHUNKS__: JSON.stringify(chunkFiles()) } : {},
  oxc: { jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' } },
  build: {
    outDir,
    target,
    emptyOutDir: false,
    manifest: `${name}.json`,
    modulePreload: false,
    // Library mode leaves out Vite's preload helper (0.6 KB): our one lazy chunk has nothing to preload.
    lib: { entry: { [name]: entries[name] }, formats: ['es'] },
    rolldownOptions: {
      // The lazy chunks import Preact from the chat chunk, which gets the exports for it.
      preserveEntrySignatures: 'allow-extension',
      output: {
        entryFileNames: '[name]-[hash:6].js',
        // 24 bits tell two builds apart; of base 64 the same six would cost webchat.js more, and each build another sum.
        hashCharacters: 'hex',
        // A lazy chunk is called after the folder or the file its import() names: extras/main.tsx, markdown/highlight.ts.
        chunkFileNames: ({ facadeModuleId }) => `${nameOf(facadeModuleId)}-[hash:6].js`,
        minify: true,
        // The entry with everything that it imports is one file, also what its lazy chunks use: the bundler would put some
        // of that into a file of its own, which would be a third request before the window is usable.
        ...(name === 'chat' && {
          codeSplitting: { groups: [{ name, test: /chat[\\/]main\.tsx$|unspaced-scripts/ }] },
        }),
      },
    },
  },
});

const manifestOf = (name: Entry) =>
  Object.values(JSON.parse(readFileSync(`${outDir}/${name}.json`, 'utf8')) as Manifest);

/** All files of the other entries, which the diagnostics check: they are built last. */
const chunkFiles = () =>
  (Object.keys(entries) as Entry[])
    .filter((name) => name !== 'diagnostics')
    .flatMap((name) => manifestOf(name).map(({ file }) => file))
    .filter((file) => file.endsWith('.js'));

/** The hash in the file name that an earlier pass gave to an entry. */
const hashOf = (name: Entry) => {
  const { file = '' } = manifestOf(name).find(({ isEntry }) => isEntry) ?? {};
  const [, hash] = /-(.{6})\.js$/.exec(file) ?? [];
  if (!hash) throw new Error(`${name} is missing: it is built before webchat.js (scripts/build/vite.mjs).`);
  return hash;
};

/** `<platform-webchat>` for pages without a bundler: one module, which loads webchat.js. */
const element = (): UserConfig => ({
  publicDir: false,
  build: {
    outDir,
    target,
    emptyOutDir: false,
    lib: { entry: 'src/packages/widget/element.ts', formats: ['es'], fileName: () => 'element.js' },
  },
});

/** What a service worker of the site imports: a classic script, whose address never changes. */
const pushWorker = (): UserConfig => ({
  publicDir: false,
  build: {
    outDir,
    target,
    emptyOutDir: false,
    lib: {
      entry: 'src/widget/push/worker.ts',
      formats: ['iife'],
      name: 'push',
      fileName: () => 'push-worker.js',
    },
  },
});

/** Everything in one module. Vite resolves the loader of the launcher to one with imports that it can follow. */
const bundledLoad: Plugin = {
  name: 'bundled-load',
  enforce: 'pre',
  resolveId(source, importer) {
    const isLoader =
      importer && resolve(dirname(importer), source) === resolve('src/widget/launcher/load.ts');
    return isLoader ? resolve('src/packages/widget/bundled-load.ts') : undefined;
  },
  // On a server the import has no effect.
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = `if(typeof document<"u"){${file.code}}\n`;
    }
  },
};

const bundled = (): UserConfig => ({
  publicDir: false,
  plugins: [classicJsx, ownNames, signalsBehindGetters, ownOptions, bundledLoad],
  define: {
    __VERSION__: JSON.stringify(version),
    __CHUNKS__: '[]',
    // It becomes a part of other scripts, also of classic ones. Fonts are searched beside the page.
    'import.meta.url': 'document.baseURI',
  },
  oxc: { jsx: { runtime: 'classic', pragma: 'h', pragmaFrag: 'Fragment' } },
  build: {
    outDir: 'dist/packages/widget/dist',
    target,
    emptyOutDir: false,
    lib: { entry: 'src/packages/widget/bundled.ts', formats: ['es'], fileName: () => 'bundled.js' },
    rolldownOptions: { output: { codeSplitting: false, minify: true } },
  },
});

const loader = (): UserConfig => {
  const hashes = Object.fromEntries(Object.keys(entries).map((name) => [name, hashOf(name as Entry)]));
  return {
    publicDir: false,
    plugins: [ownOptions],
    define: { __HASHES__: JSON.stringify(hashes), __VERSION__: JSON.stringify(version) },
    build: {
      outDir,
      target,
      emptyOutDir: false,
      lib: {
        entry: 'src/widget/launcher/main.ts',
        formats: ['iife'],
        name: 'webchat',
        fileName: () => 'webchat.js',
      },
    },
  };
};

/** A mode that is not an entry (Vite's own, other tools) builds the chat. */
export default defineConfig(({ mode }) =>
  mode === 'loader'
    ? loader()
    : mode === 'element'
      ? element()
      : mode === 'push-worker'
        ? pushWorker()
        : mode === 'bundled'
          ? bundled()
          : chunks(mode in entries ? (mode as Entry) : 'chat'),
);
