// The sandbox origin: another address of this server, under which it serves the page that apps of bots run in, and nothing else.
// The page has an origin of its own, so an app reaches neither the page with the chat nor this server as a visitor or member.
import type { MiddlewareHandler } from 'hono';
import { sandboxPath } from '../../protocol/sandbox-path.ts';
import { createAsset } from '../api/asset.ts';
import { ApiError } from '../api/errors.ts';
import type { AddressSettings } from '../startup/address-settings.ts';
import { StartError } from '../startup/start-error.ts';
import { originOf } from './cors.ts';
import { wrongMethod } from './routes.ts';
import { assetResponse } from './static-files.ts';

/**
 * Answers all requests to the host of `origin`. The policy of the page is that of the app, which inherits it: both are sent to the
 * browser with the page, so that no markup of the app precedes it.
 * @param embedders origins whose pages can show the frame; undefined for all.
 */
export function serveSandbox(origin: string, embedders: readonly string[] | undefined): MiddlewareHandler {
  const { host } = new URL(origin);
  const ancestors = embedders?.filter((one) => one !== 'null').join(' ') ?? '*';
  const page = createAsset(Buffer.from(sandboxPage), 'text/html; charset=utf-8');
  return async (c, next) => {
    if (new URL(originOf(c.req.raw)).host !== host) return next();
    if (c.req.path !== sandboxPath)
      throw new ApiError('ResourceNotFound', 'There is nothing at this address.');
    if (!['GET', 'HEAD'].includes(c.req.raw.method)) return wrongMethod('GET, HEAD');
    const response = assetResponse(c.req.raw, await page, 'public, max-age=300');
    const policy = `${contentPolicyOf(parse(c.req.query('policy')))}; frame-ancestors ${ancestors || "'none'"}`;
    response.headers.set('content-security-policy', policy);
    // Apps have no permissions of the browser, and do not take the focus by themselves.
    response.headers.set('permissions-policy', permissions);
    response.headers.set('cross-origin-resource-policy', 'cross-origin');
    response.headers.delete('access-control-allow-origin');
    return response;
  };
}

const permissions = [
  'camera',
  'microphone',
  'geolocation',
  'display-capture',
  'clipboard-read',
  'payment',
  'usb',
]
  .map((name) => `${name}=()`)
  .join(', ');

function parse(json: string | undefined): unknown {
  try {
    return JSON.parse(json ?? '');
  } catch {
    return undefined;
  }
}

/**
 * The page of the sandbox origin: it shows a document in a frame with an opaque origin, and passes messages between this frame
 * and the page with the chat (the sandbox proxy of MCP Apps). Messages of the app are copied as JSON and counted here, in the
 * process of the frame: neither huge messages nor many of them reach the page with the chat. `allow-forms`: otherwise browsers
 * do not even tell the app of a form that was submitted; the policy refuses to send it.
 */
export const sandboxPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>App</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; overflow: hidden }</style>
<body>
<script>
{
  const reserved = 'ui/notifications/sandbox-';
  const [longest, most, perSecond] = [100000, 100, 50];
  const host = parent;
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-forms');
  frame.title = document.title;
  let hostOrigin;
  let remaining = most;
  let time = performance.now();
  const isReserved = (data) => String(data?.method).startsWith(reserved);

  function receiveOfHost({ data, origin }) {
    if (hostOrigin !== undefined) {
      if (origin !== hostOrigin) return;
      if (!isReserved(data)) frame.contentWindow.postMessage(data, '*');
      else if (data.method === reserved + 'activation') answer();
    } else if (data?.method === reserved + 'resource-ready') {
      hostOrigin = origin;
      frame.srcdoc = String(data.params?.html);
      document.body.append(frame);
    }
  }

  // Actions of the visitor in the app count here, and actions in the page with the chat do not.
  function answer() {
    const isActive = navigator.userActivation?.isActive !== false;
    host.postMessage({ jsonrpc: '2.0', method: reserved + 'activation', params: { isActive } }, hostOrigin);
  }

  function receiveOfApp({ data }) {
    const now = performance.now();
    remaining = Math.min(most, remaining + ((now - time) / 1000) * perSecond);
    time = now;
    if (remaining < 1) return;
    remaining -= 1;
    let json;
    try {
      json = JSON.stringify(data);
    } catch {}
    if (json === undefined || json.length > longest || isReserved(data)) return;
    host.postMessage(JSON.parse(json), hostOrigin);
  }

  if (host !== window) {
    addEventListener('message', (event) => {
      if (event.source === host) receiveOfHost(event);
      else if (event.source && event.source === frame.contentWindow) receiveOfApp(event);
    });
    host.postMessage({ jsonrpc: '2.0', method: reserved + 'proxy-ready', params: {} }, '*');
  }
}
</script>
`;

/** Names of the lists of a policy, with the directives of a Content Security Policy that they extend. */
const directives = {
  connectDomains: ['connect-src'],
  resourceDomains: ['script-src', 'style-src', 'img-src', 'font-src', 'media-src'],
  frameDomains: ['frame-src'],
  baseUriDomains: ['base-uri'],
} as const;

/** The sources of an app without a declaration: only its document. */
const contained: Record<string, string> = {
  'script-src': "'unsafe-inline'",
  'style-src': "'unsafe-inline'",
  'img-src': 'data: blob:',
  'font-src': 'data:',
  'media-src': 'data: blob:',
};

/** An origin, in which the first label of the host may be `*`. Nothing that could end a directive. */
const domain = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?$/i;
/** Domains in a list, and characters of one: the policy is a header. */
const [mostDomains, longestDomain] = [10, 100];

/** Returns the Content Security Policy of an app. `policy` is of any shape: what is not a domain is left out. */
export function contentPolicyOf(policy: unknown): string {
  const sources: Record<string, string> = { ...contained };
  for (const [name, names] of Object.entries(directives)) {
    const list: unknown = Object(policy)[name];
    const domains = (Array.isArray(list) ? list : [])
      .filter((one) => typeof one === 'string' && one.length <= longestDomain && domain.test(one))
      .slice(0, mostDomains);
    for (const directive of names) {
      sources[directive] = [sources[directive], ...domains].filter(Boolean).join(' ') || "'none'";
    }
  }
  const listed = Object.entries(sources).map(([directive, list]) => `${directive} ${list}`);
  return ["default-src 'none'", ...listed, "form-action 'none'"].join('; ');
}

/**
 * Throws StartError if apps would run under the host name of the server. Cookies ignore ports, and browsers put pages of one host
 * name into one process.
 */
export function checkSandboxOrigin(settings: Pick<AddressSettings, 'SANDBOX_ORIGIN' | 'PUBLIC_URL'>): void {
  const { SANDBOX_ORIGIN: origin, PUBLIC_URL: publicUrl = 'http://127.0.0.1' } = settings;
  if (origin === undefined || new URL(origin).hostname !== new URL(publicUrl).hostname) return;
  throw new StartError(
    'SANDBOX_ORIGIN needs another host name than PUBLIC_URL: nothing else is served there.',
  );
}
