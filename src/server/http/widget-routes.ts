// The addresses of the widget's files: of a version (`/webchat/0.3.0/webchat.js`), which never change, of the server's own
// version, and `/webchat/latest/`, which redirects.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context, Hono } from 'hono';
import { createAsset } from '../api/asset.ts';
import { ApiError, errorResponse } from '../api/errors.ts';
import { isVersion, type WidgetVersions } from '../webchat/index.ts';
import { wrongMethod } from './routes.ts';
import { securityHeaders } from './security-headers.ts';
import { assetResponse, fileResponse, findFile } from './static-files.ts';

const reading = 'GET, HEAD';
const fiveMinutes = 'public, max-age=300';
const oneYear = 'public, max-age=31536000, immutable';
/** Every page can read the files, errors and redirects: a page with a wrong version sees the reason. */
const anyOrigin = { 'access-control-allow-origin': '*' };
/** Versions that an error names. */
const maxNames = 50;

interface WidgetRoutesOptions {
  /** The folder of the built widget. */
  built: string;
  versions: WidgetVersions;
  /** The address of this server for a request, without a slash at the end. */
  addressOf(request: Request): string;
  /** Whether this address is the same for all requests. */
  hasFixedAddress: boolean;
}

export function addWidgetRoutes(
  app: Hono,
  { built, versions, addressOf, hasFixedAddress }: WidgetRoutesOptions,
): void {
  app.all('/webchat/*', securityHeaders('widget'), async (c) => {
    if (!['GET', 'HEAD'].includes(c.req.raw.method)) return wrongMethod(reading);
    const path = c.req.path.slice('/webchat/'.length);
    const [, first = '', rest = ''] = /^([^/]*)\/(.*)$/.exec(path) ?? [];
    if (first === 'latest') return latest(versions, new URL(c.req.url));
    if (!isVersion(first)) {
      const file = await findFile(built, `/${path}`);
      // All names except webchat.js contain a hash.
      return file ? fileResponse(c, file, path === 'webchat.js' ? fiveMinutes : oneYear) : c.notFound();
    }
    if (!versions.all.includes(first)) return unknownVersion(first, versions);
    const found = versions.find(first, rest);
    if (!found) return c.notFound();
    if (rest === 'integrity.json') {
      // A shared cache must not give others an address that the headers of one client have determined.
      const caching = hasFixedAddress ? oneYear : 'no-cache';
      return integrity(c, join(found.root, rest), addressOf(c.req.raw), caching);
    }
    const file = await findFile(found.root, found.path);
    return file ? fileResponse(c, file, oneYear) : c.notFound();
  });
}

function unknownVersion(version: string, { all }: WidgetVersions): Response {
  const names = all.slice(0, maxNames);
  const hint =
    names.length > 0 ? `Available: ${names.join(', ')}.` : 'The widget is not built; run `npm run build`.';
  const error = new ApiError('ResourceNotFound', `There is no version ${version} of the widget. ${hint}`, {
    versions: names,
  });
  return errorResponse(error, anyOrigin);
}

/** Redirects to the server's own version. The address is relative, for proxies that add a path. */
function latest({ current }: WidgetVersions, { pathname, search }: URL): Response {
  if (current === undefined)
    throw new ApiError('ResourceNotFound', 'The widget is not built; run `npm run build`.');
  // Without `/webchat/latest/`. Not decoded, because a header field cannot contain every character.
  const rest = pathname.split('/').slice(3);
  const up = '../'.repeat(rest.length);
  const headers = {
    location: `${up}${current}/${rest.join('/')}${search}`,
    'cache-control': 'no-store',
    ...anyOrigin,
  };
  return new Response(null, { status: 302, headers });
}

/** The hashes of the files as the content of an import map, with the addresses of this server. */
async function integrity(c: Context, file: string, address: string, caching: string): Promise<Response> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return c.notFound();
  const json = Buffer.from(text.replaceAll('https://YOUR-SERVER', JSON.stringify(address).slice(1, -1)));
  return assetResponse(c.req.raw, await createAsset(json, 'application/json'), caching);
}
