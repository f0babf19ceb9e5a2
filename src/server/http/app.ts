// The HTTP application: maps requests to responses. It does not listen on a port or read the environment.
import { join } from 'node:path';
import { type Context, type Handler, Hono, type MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import { billingBase } from '../../protocol/operations/not-offered.ts';
import { type Asset, createAsset } from '../api/asset.ts';
import {
  ApiError,
  databaseUnavailable,
  errorResponse,
  isStorageFull,
  notFoundResponse,
  storageFull,
} from '../api/errors.ts';
import type { ChatEndpoint } from '../api/handler.ts';
import { chatEndpointOf, findChatEndpoint } from '../auth/chat-endpoint.ts';
import { sendCookies } from '../auth/session-requests.ts';
import { archivePath } from '../chat/index.ts';
import { contentPath, uploadPath } from '../files/index.ts';
import type { AddressSettings } from '../startup/address-settings.ts';
import { DatabaseUnavailable } from '../storage/database.ts';
import { chatPage, type WidgetVersions } from '../webchat/index.ts';
import { apis, type ServedApi, type Services } from './apis.ts';
import { cors, originOf } from './cors.ts';
import { addDocsRoutes } from './docs-routes.ts';
import { createHealth, type Readiness } from './health.ts';
import { createOpenApi } from './openapi.ts';
import type { PipelineOptions } from './pipeline.ts';
import type { RateLimit } from './rate-limit.ts';
import { addNotOffered, addOperations, wrongMethod } from './routes.ts';
import { serveSandbox } from './sandbox.ts';
import { securityHeaders } from './security-headers.ts';
import { assetResponse, fileResponse, findFile, jsonResponse, type StaticFile } from './static-files.ts';
import { addWidgetRoutes } from './widget-routes.ts';

export interface AppOptions
  extends Omit<PipelineOptions, 'addressOf' | 'bodyBytes' | 'bodyValues' | 'hasCors'> {
  /** Receives the bytes of files. */
  uploads: Handler;
  /** Send files of visitors, and of the Files API. The address of a file grants access to everyone who has it. */
  visitorDownloads: Handler;
  platformDownloads: Handler;
  /** Sends all data of a user as a ZIP archive to everyone who has its address. */
  archiveDownloads: Handler;
  /** Rejects callers that send too many requests. */
  rateLimit: RateLimit;
  settings: AddressSettings;
  /** The folder of built files, which contains `webchat/`, `demo/`, `docs/`, `playground/`, `reference/` and `console/`. */
  dist: string;
  widgetVersions: WidgetVersions;
  readiness: Readiness;
  /** Responds to a request that ends mails to an address. */
  unsubscribe(request: Request, token: string): Promise<Response>;
  logger: Logger;
}

/** The methods that static files support. */
const reading = 'GET, HEAD';
const fiveMinutes = 'public, max-age=300';

const pages = [
  { path: '/playground', folder: 'playground', kind: 'playground', name: 'The playground' },
  { path: '/v1/docs', folder: 'reference', kind: 'reference', name: 'The API reference' },
  { path: '/c', folder: 'return', kind: 'return', name: 'The page of links in mails' },
  { path: '/console', folder: 'console', kind: 'console', name: 'The console' },
] as const;

/**
 * Creates the whole server as one Hono app: every chat below `/chat/{webhookId}`, the other APIs below `/v1`, the files
 * of the widget, the playground and the demo pages.
 */
export function createApp(options: AppOptions): Hono {
  const { dist, logger, services, rateLimit, settings } = options;
  const app = new Hono();

  app.use(securityHeaders());
  app.onError((error) => errorResponse(refusal(error, logger)));
  app.notFound((c) => notFoundResponse(c.req.raw, c.req.path));

  // Before everything else: this origin has nothing else.
  if (settings.SANDBOX_ORIGIN) app.use(serveSandbox(settings.SANDBOX_ORIGIN, settings.ALLOWED_ORIGINS));

  app.route('/', createHealth(options.db, options.readiness));

  const chat = '/chat/:webhookId';
  // Outside of the Chat API and its list of origins, because any page can embed a resource that has its own address. An
  // <img> sends no origin, and a player may send another one. Requests of page views have their own rate limit, which
  // is checked before the database is read. `findChatEndpoint` rejects requests without a chat endpoint.
  const views = [rateLimit.ofViews, findChatEndpoint(options.db, services.keys)] as const;
  const noted = noteOrigins(services.botOrigins);
  const script = join(dist, 'webchat', 'webchat.js');
  app.all(`${chat}/webchat.js`, securityHeaders('widget'), ...views, noted, async (c) => {
    const { bot } = chatEndpointOf(c) as ChatEndpoint;
    const asset = await services.configurations.script(bot, script);
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
  app.all(`${archivePath}/:token`, rateLimit.ofViews, options.archiveDownloads);
  // Created by the first request: it takes 70 ms of the start of a server, and most are never asked.
  let openApi: Promise<Asset> | undefined;
  app.all('/v1/openapi.json', rateLimit.ofViews, async (c) => {
    if (!isReading(c)) return wrongMethod(reading);
    // Compressed, because the page of the reference loads it.
    openApi ??= createAsset(Buffer.from(JSON.stringify(createOpenApi(apis))), 'application/json', true);
    return assetResponse(c.req.raw, await openApi, 'no-cache', true);
  });
  for (const api of apis) app.route(api.base.replace('{webhookId}', ':webhookId'), createApi(api, options));

  const billing = new Hono();
  billing.use(options.rateLimit.byAddress);
  addNotOffered(billing, 'billing');
  app.route(billingBase, billing);

  addWidgetRoutes(app, {
    built: join(dist, 'webchat'),
    versions: options.widgetVersions,
    addressOf: (request) => serverAddress(options, request),
    hasFixedAddress: settings.PUBLIC_URL !== undefined,
  });

  app.all('/c/unsubscribe/:token', securityHeaders('unsubscribe'), rateLimit.ofViews, (c) =>
    options.unsubscribe(c.req.raw, c.req.param('token')),
  );

  // The pages, each a folder of built files. Their addresses are relative to this folder.
  for (const { path, folder, kind, name } of pages) {
    const root = join(dist, folder);
    // Also relative, for proxies that add a path.
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

  addDocsRoutes(app, join(dist, 'docs'));

  // The address of the inbox before it became a part of the console, in links, bookmarks and redirect URIs of sign-in services. The
  // browser keeps the fragment, which contains the token of a link.
  app.get('/inbox', (c) => movedPage(c, 'console/'));
  app.get('/inbox/*', (c) => movedPage(c, c.req.path === '/inbox/' ? '../console/' : undefined));

  app.all('/*', securityHeaders('demo'), async (c) =>
    serve(c, await findFile(join(dist, 'demo'), c.req.path), 'no-cache'),
  );
  return app;
}

/** Redirects to a page at a relative address, for proxies that add a path; 404 without one. */
const movedPage = (c: Context, location: string | undefined) =>
  location === undefined
    ? c.notFound()
    : new Response(null, { status: 302, headers: { location: location + new URL(c.req.url).search } });

/** Returns the file as a response, 404 without a file, or 405 for methods other than GET and HEAD. */
function serve(c: Context, file: StaticFile | undefined, cacheControl: string) {
  if (!file) return c.notFound();
  return isReading(c) ? fileResponse(c, file, cacheControl) : wrongMethod(reading);
}

const isReading = (c: Context): boolean => ['GET', 'HEAD'].includes(c.req.raw.method);

/** Notes the pages that request a chat. */
const noteOrigins =
  (origins: Services['botOrigins']): MiddlewareHandler =>
  (c, next) => {
    const endpoint = chatEndpointOf(c);
    if (endpoint) origins.note(endpoint.bot.id, c.req.raw.headers);
    return next();
  };

/** Creates the routes of one API. */
function createApi(served: ServedApi, options: AppOptions): Hono {
  const { name, hasCors, hasSessions = false, handlers, bodyBytes, bodyValues } = served;
  const api = new Hono();
  api.use(async (c, next) => {
    await next();
    // RFC 9110, 15.5.2.
    if (c.res.status === 401 && name !== 'chat' && name !== 'session')
      c.res.headers.set('www-authenticate', 'Bearer');
  });
  // In this order, because a browser shows an error to its page only with CORS headers.
  const ownAddress = hasSessions ? (request: Request) => serverAddress(options, request) : undefined;
  if (hasCors) api.use(cors(options.settings.ALLOWED_ORIGINS, ownAddress));
  if (hasSessions) api.use(sendCookies);
  api.use(options.rateLimit.byAddress);
  if (name === 'chat')
    api.use(
      findChatEndpoint(options.db, options.services.keys),
      options.rateLimit.byUser,
      noteOrigins(options.services.botOrigins),
    );
  const pages = name === 'chat' ? addChatPages(api, served, options) : [];
  if (name === 'files') api.all(`${uploadPath.slice(served.base.length)}/:token`, options.uploads);
  const addressOf = (request: Request) => serverAddress(options, request) + chatPath(name, request);
  const methods = hasCors ? ['OPTIONS'] : [];
  if (name !== 'chat' && name !== 'session') addNotOffered(api, name);
  addOperations(
    api,
    handlers,
    {
      ...options,
      addressOf,
      bodyBytes,
      bodyValues,
      hasSessions,
      hasCors,
    },
    { pages, methods },
  );
  return api;
}

/** Adds the paths of a chat that are not operations. Returns those that support only GET. */
function addChatPages(chat: Hono, api: ServedApi, options: AppOptions): string[] {
  const hello = () => new Response('Hello from the Chat API.\n');
  chat.get('/hello', hello).get('/hello/', hello);
  const openApi = createChatOpenApi(api);
  chat.get('/openapi.json', async (c) => jsonResponse(c.req.raw, await openApi(chatPath('chat', c.req.raw))));
  chat.all('/uploads/:token', options.uploads);
  return ['/hello', '/openapi.json'];
}

/**
 * Returns a function that creates the document of one chat from its path. Everything except the path is created once, by
 * the first call.
 */
function createChatOpenApi(api: ServedApi): (path: string) => Promise<Asset> {
  const mark = '%CHAT_PATH%';
  const create = () =>
    JSON.stringify({ ...createOpenApi([api], ''), servers: [{ url: mark }] }).split(JSON.stringify(mark));
  let parts: string[] | undefined;
  return (path) => {
    parts ??= create();
    return createAsset(Buffer.from(parts.join(JSON.stringify(path))), 'application/json');
  };
}

/** Returns the path of the chat that a request is for; '' for other APIs. */
function chatPath(name: ServedApi['name'], request: Request): string {
  if (name !== 'chat') return '';
  return /^\/chat\/[^/]+/.exec(new URL(request.url).pathname)?.[0] ?? '';
}

const serverAddress = ({ settings }: AppOptions, request: Request): string =>
  settings.PUBLIC_URL ?? originOf(request);

/** Returns an ApiError unchanged. Logs any other error and returns Internal with the error's id. */
function refusal(error: unknown, logger: Logger): ApiError {
  if (error instanceof ApiError) return error;
  // The start of the state is logged, not each request (server.ts).
  if (isStorageFull(error)) return storageFull();
  if (error instanceof DatabaseUnavailable) return databaseUnavailable();
  const internal = new ApiError('Internal', 'Internal server error. See the server log for this id.');
  logger.error({ errorId: internal.id, err: error }, 'request failed');
  return internal;
}
