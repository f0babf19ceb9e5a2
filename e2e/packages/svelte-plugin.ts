// The components of Svelte in the projects of sites (site-project.ts).
import { compile } from 'svelte/compiler';
import type { Plugin } from 'vite';

/** Compiles components as the plugin of Svelte does. */
export const svelte: Plugin = {
  name: 'svelte',
  transform(code, id) {
    if (!id.endsWith('.svelte')) return;
    return compile(code, { generate: 'client', filename: id }).js.code;
  },
};
