// Builds the scripts and the style sheet of the documentation site into dist/docs/assets. The pages, which scripts/docs/site.mjs
// writes afterwards, find their names in the manifest. `theme` is also a classic script: it must run before the page is drawn.
import { defineConfig, type Plugin } from 'vite';

/** The colors of the dark mode follow the system; `data-theme` on the root is the choice of the reader, which goes before it. */
const themeOfReader: Plugin = {
  name: 'theme-of-reader',
  enforce: 'pre',
  transform(code, id) {
    if (!id.endsWith('.css')) return undefined;
    return code.replace(
      /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/g,
      (_, colors) =>
        `@media (prefers-color-scheme: dark) { :root:not([data-theme='light']) {${colors}} }\n[data-theme='dark'] {${colors}}`,
    );
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  plugins: [themeOfReader],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../../../dist/docs',
    emptyOutDir: true,
    modulePreload: false,
    assetsInlineLimit: 0,
    manifest: 'manifest.json',
    rolldownOptions: {
      input: { site: `${import.meta.dirname}/main.ts`, theme: `${import.meta.dirname}/theme.ts` },
    },
  },
});
