// The HTTP application: routes in, answers out. It never listens on a port and reads no environment.
import { join } from 'node:path';
import { type Context, type Handler, Hono } from 'hono';
import type { Logger } from 'pino';
import { type Asset, createAsset } from '../api/asset.ts';
import { ApiError, errorResponse } from '../api/errors.ts';
import { type ChatEndpoint, chatEndpointOf, findChatEndpoint } from '../auth/chat-endpoint.ts';
import { contentPath, uploadPath } from '../files/index.ts';
import { chatPage, createWebchatScript } from '../webchat/index.ts';
import { apis, type ServedApi } from './apis.ts';
import { cors } from './cors.ts';
import { createOpenApi } from './openapi.ts';
import type { PipelineOptions } from './pipeline.ts';
import type { RateLimit } from './rate-limit.ts';
import { originOf } from './request-origin.ts';
import { addOperations, wrongMethod } from './routes.ts';
import { securityHeaders } from './security-headers.ts';
import { assetResponse, fileResponse, findFile, jsonResponse, type StaticFile } from './static-files.ts';

export interface AppOptions extends Omit<PipelineOptions, 'addressOf' | 'bodyBytes' | 'bodyValues'> {
  /** Takes the bytes of files. */
  uploads: Handler;
  /** Give files to everybody who has their address: of visitors, and of the platform. */
  visitorDownloads: Handler;
  platformDownloads: Handler;
  /** Says when somebody asks too often. */
  rateLimit: RateLimit;
  /** Under which address browsers reach the server; undefined: the one that each request came to. */
  publicUrl: string | undefined;
  /** Origins of pages that may use the Chat API; undefined for all. */
  allowedOrigins: readonly string[] | undefined;
  /** The folder of built files: `webchat/`, `demo/`, `playground/` and `reference/` lie in it. */
  dist: string;
  logger: Logger;
}

/** Files of ours are read, and nothing else. */
const reading = 'GET, HEAD';
const fiveMinutes = 'public, max-age=300';
const oneYear = 'public, max-age=31536000, immutable';

const pages = [
  { path: '/playground', folder: 'playground', kind: 'playground', name: 'The playground' },
  { path: '/v1/docs', folder: 'reference', kind: 'reference', name: 'The API reference' },
] as const;

/**
 * The whole server as one Hono app: every chat below `/chat/{webhookId}`, the other apis of the API below `/v1`,
 * the widget's files, the playground, the demo pages.
 */
export function createApp(options: AppOptions): Hono {
  const { dist, logger, services, rateLimit } = options;
  const app = new Hono();

  app.use(securityHeaders());
  app.onError((error) => errorResponse(refusal(error, logger)));
  const nothing = () => new ApiError('ResourceNotFound', 'There is nothing at this address.');
  // Read by any page: one that has the address of the chat wrong is to see that it is wrong.
  const anyOrigin = { 'access-control-allow-origin': '*' };
  app.notFound((c) => errorResponse(nothing(), c.req.path.startsWith('/v1/') ? {} : anyOrigin));

  const chat = '/chat/:webhookId';
  // Beside the Chat API and its list of origins: any page may show what has an address of its own. An <img> sends no
  // origin, a player may send its own. What every page view needs is limited for itself, before the database is asked.
  // `findChatEndpoint` leaves no request without one.
  const views = [rateLimit.ofViews, findChatEndpoint(options.db, services.keys)] as const;
  const script = createWebchatScript(join(dist, 'webchat', 'webchat.js'), services.configurations);
  app.all(`${chat}/webchat.js`, securityHeaders('widget'), ...views, async (c) => {
    const { bot } = chatEndpointOf(c) as ChatEndpoint;
    const asset = await script(bot);
    if (asset && !isReading(c)) return wrongMethod(reading);
    if (!asset) throw new ApiError('ResourceNotFound', 'The widget is not built; run `npm run build`.');
    return assetResponse(c.req.raw, asset, fiveMinutes);
  });
  app.all(`${chat}/page`, securityHeaders('demo'), ...views, async (c) => {
    if (!isReading(c)) return wrongMethod(reading);
    const { bot } = chatEndpointOf(c) as ChatEndpoint;
    const page = await services.configurations.derived(bot, `page ${bot.name}`, ({ botName = bot.name }) =>
      createAsset(Buffer.from(chatPage(botName)), 'text/html; charset=utf-8'),
    );
    return assetResponse(c.req.raw, page, 'no-cache');
  });
  app.all(`${chat}/files/:token/*`, ...views, options.visitorDownloads);
  app.all(`${contentPath}/:token/*`, rateLimit.ofViews, options.platformDownloads);
  const openApi = createAsset(Buffer.from(JSON.stringify(createOpenApi(apis))), 'application/json');
  app.all('/v1/openapi.json', rateLimit.ofViews, async (c) =>
    isReading(c) ? jsonResponse(c.req.raw, await openApi) : wrongMethod(reading),
  );
  for (const api of apis) app.route(api.base.replace('{webhookId}', ':webhookId'), createApi(api, options));

  const webchat = join(dist, 'webchat');
  app.all('/webchat/*', securityHeaders('widget'), async (c) => {
    const path = c.req.path.slice('/webchat'.length);
    // All other names contain a version or a hash.
    return serve(c, await findFile(webchat, path), path === '/webchat.js' ? fiveMinutes : oneYear);
  });

  // The pages, each a folder of built files. Their own addresses are relative to it.
  for (const { path, folder, kind, name } of pages) {
    const root = join(dist, folder);
    // Relative, too, for proxies that add a path.
    const location = `${path.slice(path.lastIndexOf('/') + 1)}/`;
    app.get(path, () => new Response(null, { status: 302, headers: { location } }));
    app.all(`${path}/*`, securityHeaders(kind), async (c) => {
      const file = await findFile(root, c.req.path.slice(path.length));
      if (!file && !(await findFile(root, '/'))) {
        throw new ApiError('ResourceNotFound', `${name} is not built; run \`npm run build\`.`);
      }
      return serve(c, file, 'no-cache');
    });
  }

  app.all('/*', securityHeaders('demo'), async (c) =>
    serve(c, await findFile(join(dist, 'demo'), c.req.path), 'no-cache'),
  );
  return app;
}

/** The file as a response, or 404 without one, or 405 for methods other than GET and HEAD. */
function serve(c: Context, file: StaticFile | undefined, cacheControl: string) {
  if (!file) return c.notFound();
  return isReading(c) ? fileResponse(c, file, cacheControl) : wrongMethod(reading);
}

const isReading = (c: Context): boolean => ['GET', 'HEAD'].includes(c.req.raw.method);

/** The routes of one API. */
function createApi(served: ServedApi, options: AppOptions): Hono {
  const { name, hasCors, handlers, bodyBytes, bodyValues } = served;
  const api = new Hono();
  api.use(async (c, next) => {
    await next();
    // RFC 9110, 15.5.2.
    if (c.res.status === 401 && name !== 'chat') c.res.headers.set('www-authenticate', 'Bearer');
  });
  // In this order: a browser lets its page read a refusal only with the headers of CORS.
  if (hasCors) api.use(cors(options.allowedOrigins));
  api.use(options.rateLimit.byAddress);
  if (name === 'chat') api.use(findChatEndpoint(options.db, options.services.keys), options.rateLimit.byUser);
  const pages = name === 'chat' ? addChatPages(api, served, options) : [];
  if (name === 'files') api.all(`${uploadPath.slice(served.base.length)}/:token`, options.uploads);
  const addressOf = (request: Request) => serverAddress(options, request) + chatPath(name, request);
  const methods = hasCors ? ['OPTIONS'] : [];
  addOperations(api, handlers, { ...options, addressOf, bodyBytes, bodyValues }, { pages, methods });
  return api;
}

/** What a chat has beside its operations. Gives the paths that only GET answers. */
function addChatPages(chat: Hono, api: ServedApi, options: AppOptions): string[] {
  const hello = () => new Response('Hello from the Chat API.\n');
  chat.get('/hello', hello).get('/hello/', hello);
  const openApi = createChatOpenApi(api);
  chat.get('/openapi.json', async (c) => jsonResponse(c.req.raw, await openApi(chatPath('chat', c.req.raw))));
  chat.all('/uploads/:token', options.uploads);
  return ['/hello', '/openapi.json'];
}

/** Gives a function that makes the document of one chat by its path; all but the path is made once. */
function createChatOpenApi(api: ServedApi): (path: string) => Promise<Asset> {
  const mark = '%CHAT_PATH%';
  const document = { ...createOpenApi([api], ''), servers: [{ url: mark }] };
  const [before = '', after = ''] = JSON.stringify(document).split(JSON.stringify(mark));
  return (path) => createAsset(Buffer.from(before + JSON.stringify(path) + after), 'application/json');
}

/** The path of the chat that a request goes to; of other APIs nothing. */
function chatPath(name: ServedApi['name'], request: Request): string {
  if (name !== 'chat') return '';
  return /^\/chat\/[^/]+/.exec(new URL(request.url).pathname)?.[0] ?? '';
}

const serverAddress = ({ publicUrl }: AppOptions, request: Request): string => publicUrl ?? originOf(request);

/** What goes out: a refusal as it is, anything else as Internal, with the error's id in the log. */
function refusal(error: unknown, logger: Logger): ApiError {
  if (error instanceof ApiError) return error;
  const internal = new ApiError('Internal', 'The server failed. The id stands in its log.');
  logger.error({ errorId: internal.id, err: error }, 'request failed');
  return internal;
}
