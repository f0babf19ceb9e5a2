// Builds the page of links in mails (src/pages/return/index.html) into dist/return, with relative addresses.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  publicDir: false,
  build: { outDir: '../../../dist/return', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
});
