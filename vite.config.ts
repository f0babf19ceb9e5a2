// Builds the widget in two passes into dist/webchat: first the chunks (ES modules, hashed names), then webchat.js, the
// one classic script, which must know the chat chunk's name. (The IIFE format cannot be split, hence two passes.)
import { readFileSync } from 'node:fs';
import { defineConfig, type Manifest, type UserConfig } from 'vite';

const outDir = 'dist/webchat';
/** Chrome 108, Firefox 101, Safari 16.4: the oldest with constructable style sheets, cascade layers and dvh. */
const target = ['chrome108', 'firefox101', 'safari16.4'];

const chunks: UserConfig = {
  base: './',
  publicDir: false,
  build: {
    outDir,
    target,
    emptyOutDir: true,
    manifest: 'manifest.json',
    modulePreload: false,
    rolldownOptions: {
      input: { chat: 'src/widget/chat/main.tsx' },
      preserveEntrySignatures: 'strict',
      output: { entryFileNames: '[name]-[hash].js', chunkFileNames: 'rich-[hash].js' },
    },
  },
};

const loader = (): UserConfig => {
  const manifest = JSON.parse(readFileSync(`${outDir}/manifest.json`, 'utf8')) as Manifest;
  const file = manifest['src/widget/chat/main.tsx']?.file;
  if (!file)
    throw new Error('The chat chunk is missing: run `vite build` before `vite build --mode loader`.');
  return {
    publicDir: false,
    define: { __CHAT_FILE__: JSON.stringify(file) },
    build: {
      outDir,
      target,
      emptyOutDir: false,
      lib: {
        entry: 'src/widget/shell/main.ts',
        formats: ['iife'],
        name: 'webchat',
        fileName: () => 'webchat.js',
      },
    },
  };
};

export default defineConfig(({ mode }) => (mode === 'loader' ? loader() : chunks));
