// Builds the service worker of the console into dist/console, after the page: a classic script, whose address never changes.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    outDir: '../../../../dist/console',
    emptyOutDir: false,
    lib: { entry: 'worker.ts', formats: ['iife'], name: 'alerts', fileName: () => 'alert-worker.js' },
  },
});
