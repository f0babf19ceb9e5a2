// Builds the playground (index.html in the root) into dist/playground. Addresses are relative, so it can be served under any path.
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  publicDir: 'public/playground',
  build: { outDir: 'dist/playground', emptyOutDir: true, modulePreload: false, assetsInlineLimit: 0 },
});
