// Builds the API reference page (src/pages/api-reference/index.html) into dist/reference, with relative addresses.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: '../../../dist/reference', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
});
