// Builds the console (src/pages/console/index.html) into dist/console, with relative addresses.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: '../../../dist/console', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
});
