// Builds the script of the page in the frame of a live chat, after the site: a classic script, which runs before the chat's own.
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  publicDir: false,
  build: {
    outDir: '../../../../dist/docs',
    emptyOutDir: false,
    lib: { entry: 'main.ts', formats: ['iife'], name: 'frame', fileName: () => 'frame.js' },
  },
});
