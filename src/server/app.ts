// The HTTP application: routes in, answers out. It never listens on a port and reads no environment.
import { join } from 'node:path';
import { type Context, type Handler, Hono } from 'hono';
import type { Logger } from 'pino';
import { assetResponse, createAssetFolder } from './assets.ts';
import { cors } from './cors.ts';
import { ApiError, errorResponse } from './errors.ts';
import { createOpenApi } from './openapi.ts';
import type { Operation } from './operation.ts';
import { operations } from './operations/index.ts';
import { originOf } from './origin.ts';
import { createHandler, type PipelineOptions } from './pipeline.ts';
import { createWebchatScript } from './webchat-script.ts';

export interface AppOptions extends Omit<PipelineOptions, 'addressOf'> {
  webhookId: string;
  /** Takes the bytes of files. */
  uploads: Handler;
  /** Gives files to everybody who has their address. */
  downloads: Handler;
  /** Under which address browsers reach the server; undefined: the one that each request came to. */
  publicUrl: string | undefined;
  /** Origins of pages that may use the Chat API; undefined for all. */
  allowedOrigins: readonly string[] | undefined;
  /** The folder of built files: `webchat/`, `demo/` and `playground/` lie in it. */
  dist: string;
  logger: Logger;
}

const fiveMinutes = 'public, max-age=300';
const oneYear = 'public, max-age=31536000, immutable';

/** The whole server as one Hono app: the Chat API below `/chat/{webhookId}`, the widget's files, the demo pages. */
export function createApp(options: AppOptions): Hono {
  const { webhookId, dist, logger } = options;
  const app = new Hono();

  app.use(async (c, next) => {
    await next();
    c.res.headers.set('x-content-type-options', 'nosniff');
  });
  app.onError((error) => errorResponse(refusal(error, logger)));
  app.notFound(() => errorResponse(new ApiError('ResourceNotFound', 'There is nothing at this address.')));

  const base = `/chat/${webhookId}`;
  const script = createWebchatScript(join(dist, 'webchat', 'webchat.js'), options.services.webchat);
  app.all(`${base}/webchat.js`, async (c) => {
    const asset = await script();
    if (asset && !isReading(c)) return wrongMethod();
    if (!asset) throw new ApiError('ResourceNotFound', 'The widget is not built; run `npm run build`.');
    return assetResponse(c.req.raw, asset, fiveMinutes);
  });
  // Beside the Chat API and its list of origins: an <img> of any page sends none, a player may send its own.
  app.all(`${base}/files/:token/*`, options.downloads);
  app.route(base, createChatApi(options, base));

  const widget = createAssetFolder(join(dist, 'webchat'));
  app.all('/webchat/*', async (c) => {
    const path = c.req.path.slice('/webchat'.length);
    const asset = await widget.find(path);
    if (asset && !isReading(c)) return wrongMethod();
    // Chunks have a hash in their name; the script that names them has not.
    return asset
      ? assetResponse(c.req.raw, asset, path === '/webchat.js' ? fiveMinutes : oneYear)
      : c.notFound();
  });

  const playground = createAssetFolder(join(dist, 'playground'));
  // The page's own addresses are relative to the folder. So is this one, for proxies that put a path before all.
  app.get('/playground', () => new Response(null, { status: 302, headers: { location: 'playground/' } }));
  app.all('/playground/*', async (c) => {
    const asset = await playground.find(c.req.path.slice('/playground'.length));
    if (asset && !isReading(c)) return wrongMethod();
    return asset ? assetResponse(c.req.raw, asset, 'no-cache') : c.notFound();
  });

  const demo = createAssetFolder(join(dist, 'demo'));
  app.all('/*', async (c) => {
    const asset = await demo.find(c.req.path);
    if (asset && !isReading(c)) return wrongMethod();
    return asset ? assetResponse(c.req.raw, asset, 'no-cache') : c.notFound();
  });
  return app;
}

const isReading = (c: Context): boolean => ['GET', 'HEAD'].includes(c.req.raw.method);

/** Files of ours are read, and nothing else. */
function wrongMethod(): Response {
  const allow = 'GET, HEAD';
  return errorResponse(new ApiError('MethodNotFound', `This address takes ${allow}.`), { allow });
}

/** The routes of the Chat API; a known path with another method is 405, an unknown one 404. */
function createChatApi(options: AppOptions, base: string): Hono {
  const chat = new Hono();
  chat.use(cors(options.allowedOrigins));

  const hello = () => new Response('Hello from the Chat API.\n');
  const openApi = createOpenApi(operations, base);
  chat.get('/hello', hello).get('/hello/', hello);
  chat.get('/openapi.json', (c) => c.json(openApi));
  chat.all('/uploads/:token', options.uploads);

  const pipeline = {
    ...options,
    addressOf: (request: Request) => (options.publicUrl ?? originOf(request)) + base,
  };
  // The listen route takes ids with a `/`, so it comes last: it must not catch `…/participants/listen`.
  const listenLast = [...operations].sort(
    (a, b) => Number(a.kind === 'listen') - Number(b.kind === 'listen'),
  );
  for (const operation of listenLast) {
    chat.on(operation.method, routeOf(operation), createHandler(operation, pipeline));
  }
  for (const path of ['/hello', '/openapi.json', ...new Set(listenLast.map(routeOf))]) {
    chat.all(path, () => {
      const methods = operations
        .filter((operation) => routeOf(operation) === path)
        .map(({ method }) => method);
      const allow = [...(methods.length > 0 ? methods : ['GET']), 'OPTIONS'];
      if (allow.includes('GET')) allow.push('HEAD');
      const error = new ApiError('MethodNotFound', `This address takes ${allow.join(', ')}.`);
      return errorResponse(error, { allow: allow.join(', ') });
    });
  }
  return chat;
}

/** The Hono route of an operation. Existing clients do not encode the id in a listen address, so it may hold `/`. */
function routeOf(operation: Operation): string {
  const rest = operation.kind === 'listen' ? '{.+}' : '';
  return operation.path.replace(/\{(\w+)\}/g, `:$1${rest}`);
}

/** What goes out: a refusal as it is, anything else as Internal, with the error's id in the log. */
function refusal(error: unknown, logger: Logger): ApiError {
  if (error instanceof ApiError) return error;
  const internal = new ApiError('Internal', 'The server failed. The id stands in its log.');
  logger.error({ errorId: internal.id, err: error }, 'request failed');
  return internal;
}
