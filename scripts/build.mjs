// Builds everything into dist: the widget (vite.config.ts), the playground, server and client (tsc), the demo site.
// Prints what it made.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const run = (bin, ...args) =>
  execFileSync(join('node_modules/.bin', bin), args, { stdio: ['ignore', 'ignore', 'inherit'] });

rmSync('dist', { recursive: true, force: true });
for (const mode of ['chat', 'language', 'site', 'doctor', 'loader']) {
  run('vite', 'build', '--logLevel', 'warn', '--mode', mode);
}
run('vite', 'build', '--logLevel', 'warn', '--config', 'playground/vite.config.ts');
run('tsc', '-p', 'tsconfig.node.json');
cpSync('demo/site', 'dist/demo', { recursive: true });
copyFonts();

/** The files of widget/fonts: one per script (latin, greek, …), all weights in it; with their licences. */
function copyFonts() {
  for (const family of ['inter', 'rubik', 'ibm-plex-sans', 'fira-code']) {
    const from = `node_modules/@fontsource-variable/${family}`;
    for (const file of readdirSync(`${from}/files`)) {
      const name = /^(.+)-wght-normal\.woff2$/.exec(file)?.[1];
      if (name) cpSync(`${from}/files/${file}`, `dist/webchat/fonts/${name}.woff2`);
    }
    cpSync(`${from}/LICENSE`, `dist/webchat/fonts/${family}-LICENSE.txt`);
  }
}

// The integrity of webchat.js, for pages that pin the static file (subresource integrity).
for (const name of readdirSync('dist/webchat').filter((file) => file.endsWith('.js'))) {
  const bytes = readFileSync(join('dist/webchat', name));
  const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  console.log(`${name}  ${brotliCompressSync(bytes).length} bytes brotli  ${integrity}`);
}
