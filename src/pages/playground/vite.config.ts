// Builds the playground (index.html in the root) into dist/playground. Addresses are relative: it may lie anywhere.
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  publicDir: 'public/playground',
  build: { outDir: 'dist/playground', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
});
