// The sandbox origin: another address of this server, under which it serves the page that apps of bots run in, and nothing else.
// The page has an origin of its own, so an app reaches neither the page with the chat nor this server as a visitor or member.
import type { MiddlewareHandler } from 'hono';
import { sandboxPath } from '../../../protocol/sandbox-path.ts';
import { createAsset } from '../../api/asset.ts';
import { ApiError } from '../../api/errors.ts';
import { originOf } from '../request-origin.ts';
import { wrongMethod } from '../routes.ts';
import { assetResponse } from '../static-files.ts';
import { contentPolicyOf } from './content-policy.ts';
import { sandboxPage } from './sandbox-page.ts';

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
