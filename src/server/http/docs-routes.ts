// The documentation site below `/docs/`: pages for browsers, the same pages as Markdown for those who ask for it, by `Accept:
// text/markdown` or by an address that ends with `.md`.
import { readFile } from 'node:fs/promises';
import type { Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { ApiError } from '../api/errors.ts';
import { wrongMethod } from './routes.ts';
import { docsHeaders, securityHeaders } from './security-headers.ts';
import { fileResponse, findFile, type StaticFile } from './static-files.ts';

const base = '/docs';
const reading = 'GET, HEAD';
/** Their names contain a hash. */
const oneYear = 'public, max-age=31536000, immutable';
const html = 'text/html';
const markdown = 'text/markdown';

/** @param root the folder of the built site */
export function addDocsRoutes(app: Hono, root: string): void {
  app.get(base, () => new Response(null, { status: 302, headers: { location: 'docs/' } }));
  app.all(`${base}/*`, securityHeaders('docs'), async (c) => {
    if (!['GET', 'HEAD'].includes(c.req.raw.method)) return wrongMethod(reading);
    const path = c.req.path.slice(base.length);
    const type = accepts(c, { header: 'Accept', supports: [html, markdown], default: html });
    const forms = formsOf(path, type);
    for (const form of forms) {
      const file = await findFile(root, form);
      if (!file) continue;
      const response = await fileResponse(c, file, path.startsWith('/assets/') ? oneYear : 'no-cache');
      if (isNegotiated(path)) response.headers.set('vary', 'Accept, Accept-Encoding');
      return response;
    }
    const page = await findFile(root, '/404.html');
    if (!page && !(await findFile(root, '/')))
      throw new ApiError('ResourceNotFound', 'The documentation is not built; run `npm run build`.');
    // Programs get the error as everywhere.
    const isBrowser = c.req.header('accept')?.includes(html);
    return page && isBrowser ? notFoundPage(c, page, path) : c.notFound();
  });
}

/** Whether the address has both forms: of a page, with or without `.html`. */
const isNegotiated = (path: string) => /(?:\/|\.html|\/[^./]+)$/.test(path);

/** The files that answer an address, in their order. */
function formsOf(path: string, type: string): string[] {
  if (path === '/404.html') return [];
  if (!isNegotiated(path)) return [path];
  const name = path.endsWith('/') ? undefined : path.replace(/\.html$/, '');
  if (type === markdown)
    return [name === undefined || name === '/index' ? `${parentOf(path)}README.md` : `${name}.md`];
  return name === undefined ? [`${path}index.html`, `${path}README.html`] : [`${name}.html`];
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf('/') + 1);

/** The page for an address without one. Its links are relative to the address, for proxies that add a path. */
async function notFoundPage(c: Context, { path: file }: StaticFile, path: string): Promise<Response> {
  const depth = path.split('/').length - 2;
  const text = (await readFile(file, 'utf8')).replaceAll('%ROOT%/', '../'.repeat(depth) || './');
  return new Response(c.req.raw.method === 'HEAD' ? null : text, {
    status: 404,
    headers: { ...docsHeaders, 'content-type': 'text/html; charset=utf-8', vary: 'Accept' },
  });
}
