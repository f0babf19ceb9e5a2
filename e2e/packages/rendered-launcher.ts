// The built entry of the package for a site's own server, as the site imports it: Vite's runner loads no style sheets.
import { pathToFileURL } from 'node:url';

const entry = pathToFileURL('dist/packages/widget/lib/packages/widget/server.js').href;
export const { renderLauncher } = (await import(
  entry
)) as typeof import('../../src/packages/widget/server.ts');
