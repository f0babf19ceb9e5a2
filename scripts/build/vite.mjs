// Builds what browsers load, with Vite: the widget (vite.config.ts), the pages of src/pages, and the bundle of the package.
// All passes run in this process, side by side, because a process for each would load Vite again.
import { build, mergeConfig, runnerImport } from 'vite';
import { onlySections, widgetTexts } from './locale-plugins.mjs';

const logLevel = 'warn';
/** Passes that run side by side wait for each other, of which the bundler would warn. */
const common = { logLevel, build: { rolldownOptions: { checks: { pluginTimings: false } } } };
/** The loaded vite.config.ts, which is read once for all passes. */
let widgetConfig;

/** Builds a pass of the widget. Returns its chunks. */
async function buildPass(mode) {
  widgetConfig ??= runnerImport('./vite.config.ts', { configFile: false, logLevel });
  const { module } = await widgetConfig;
  const results = await build(mergeConfig(module.default({ mode }), { ...common, configFile: false, mode }));
  return results.flatMap(({ output }) => output).filter(({ type }) => type === 'chunk');
}

/** The diagnostics check the files of the others, and webchat.js knows the names of all. */
const passes = [
  ['chat', 'i18n', 'host-page', 'unknown-names', 'element', 'push-worker'],
  ['diagnostics'],
  ['loader'],
];

/** Returns the chunks of all passes. */
export async function buildWidget() {
  const chunks = [];
  for (const modes of passes) chunks.push(...(await Promise.all(modes.map(buildPass))).flat());
  return chunks;
}

/** Builds the whole widget in one module, without the second minifier: it would save 0.8 of 123 KB. */
export const buildBundledWidget = () => buildPass('bundled');

/** Builds the entry of the package for the server of a site, after the compiler. */
export const buildRenderedLauncher = () => buildPass('rendered-launcher');

/** The console shows Markdown as the widget does; the page of links in mails has its texts in all languages. */
const pages = {
  playground: [],
  'api-reference': [],
  console: [widgetTexts],
  return: [onlySections('linkPages')],
  docs: [],
};

export async function buildPages() {
  await Promise.all(
    Object.entries(pages).map(([page, plugins]) =>
      build({ ...common, configFile: `src/pages/${page}/vite.config.ts`, plugins }),
    ),
  );
  // Afterwards, because the build of the page empties the folder.
  await Promise.all(
    ['console/alerts', 'docs/frame'].map((page) =>
      build({ ...common, configFile: `src/pages/${page}/vite.config.ts` }),
    ),
  );
}

/** Builds only the scripts of the documentation site, into another folder. */
export async function buildDocs(outDir) {
  for (const page of ['docs', 'docs/frame'])
    await build(mergeConfig(common, { configFile: `src/pages/${page}/vite.config.ts`, build: { outDir } }));
}
