// Builds the widget into dist/webchat, a pass for each `--mode`: the entries (ES modules, hashed names) with their lazy
// bundles, then `loader`: webchat.js, the one classic script, which must know their names (scripts/build/vite.mjs). Code that two
// entries share is in each of them, because a third file would be a third request.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { defineConfig, type Manifest, type Plugin, type UserConfig } from 'vite';
import { ownOptions, retriedImports } from './scripts/build/chunk-plugins.ts';
import { libraryPatches } from './scripts/build/library-patches.ts';
import { widgetTexts } from './scripts/build/locale-plugins.mjs';

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

/** The file name of a bundle, or the folder's if it is `main`. */
const nameOf = (file: string | null) => /([\w-]+)(?:\/main)?\.tsx?$/.exec(file ?? '')?.[1] ?? 'shared';

/** The bundles that webchat.js loads by name, each with its own lazy bundles. Built apart, so that no two of them share a file. */
const entries = {
  chat: 'src/widget/chat/main.tsx',
  i18n: 'src/widget/i18n/main.ts',
  'host-page': 'src/widget/page/host-page/main.ts',
  'unknown-names': 'src/widget/page/unknown-names/main.ts',
  diagnostics: 'src/widget/diagnostics/main.ts',
};
type Entry = keyof typeof entries;

const chunks = (name: Entry): UserConfig => ({
  base: './',
  publicDir: false,
  plugins: [classicJsx, widgetTexts, libraryPatches, ownOptions, retriedImports],
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
        // Also what only lazy chunks use: another file would be another request.
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
  plugins: [ownOptions],
  build: {
    outDir,
    target,
    emptyOutDir: false,
    lib: { entry: 'src/packages/widget/element.ts', formats: ['es'], fileName: () => 'element.js' },
  },
});

/**
 * `renderLauncher()` with the style sheet in it, in the place of the file that the compiler has written: it leaves the import
 * of the style sheet as it is.
 */
const renderedLauncher = (): UserConfig => ({
  publicDir: false,
  plugins: [widgetTexts],
  build: {
    outDir: 'dist/packages/widget/lib/packages/widget',
    target,
    emptyOutDir: false,
    lib: { entry: 'src/packages/widget/server.ts', formats: ['es'], fileName: () => 'server.js' },
  },
});

/** The script that a service worker of the site imports: a classic script, whose address never changes. */
const pushWorker = (): UserConfig => ({
  publicDir: false,
  plugins: [ownOptions],
  build: {
    outDir,
    target,
    emptyOutDir: false,
    lib: {
      entry: 'src/widget/people/push/worker.ts',
      formats: ['iife'],
      name: 'push',
      fileName: () => 'push-worker.js',
    },
  },
});

/** Everything in one module, with a loader that has imports which Vite can follow. */
const bundledLoad: Plugin = {
  name: 'bundled-load',
  enforce: 'pre',
  resolveId(source, importer) {
    const isLoader =
      importer && resolve(dirname(importer), source) === resolve('src/widget/launcher/load.ts');
    return isLoader ? resolve('src/packages/widget/bundled-load.ts') : undefined;
  },
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = `if(typeof document<"u"){${file.code}}\n`;
    }
  },
};

const bundled = (): UserConfig => ({
  publicDir: false,
  plugins: [classicJsx, widgetTexts, libraryPatches, ownOptions, bundledLoad],
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
    plugins: [widgetTexts, ownOptions],
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
        : mode === 'rendered-launcher'
          ? renderedLauncher()
          : mode === 'bundled'
            ? bundled()
            : chunks(mode in entries ? (mode as Entry) : 'chat'),
);
