// Builds the inbox page (src/pages/inbox/index.html) into dist/inbox, with relative addresses.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { outDir: '../../../dist/inbox', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
});
