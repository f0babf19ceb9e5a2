// Adds the handlers of an API to an app as routes. A known path with another method is 405.
import type { Context, Hono } from 'hono';
import { type NotOffered, notOffered } from '../../protocol/operations/not-offered.ts';
import { ApiError, errorResponse } from '../api/errors.ts';
import type { Handler } from '../api/handler.ts';
import type { Services } from './apis.ts';
import { createHandler, type PipelineOptions } from './pipeline.ts';

/**
 * Adds the operations to an app. `pages`: its other paths, which support only GET; `methods`: paths with their own
 * methods.
 */
export function addOperations(
  app: Hono,
  handlers: readonly Handler<Services>[],
  options: PipelineOptions,
  { pages = [], methods = [] }: { pages?: string[]; methods?: string[] } = {},
): void {
  // The ids in the listen route can contain a `/`, so it is registered last: it must not match `…/participants/listen`.
  const isSubscription = ({ operation }: Handler<Services>) => operation.kind === 'subscription';
  const subscriptionsLast = [...handlers].sort(
    (a, b) => Number(isSubscription(a)) - Number(isSubscription(b)),
  );
  /** The methods of each path. A search for each path among all operations would take a sixth of the start of a server. */
  const methodsOf = new Map<string, string[]>(pages.map((path) => [path, []]));
  for (const handler of subscriptionsLast) {
    const path = routeOf(handler);
    const { method } = handler.operation;
    app.on(method, path, createHandler(handler, options));
    methodsOf.set(path, [...(methodsOf.get(path) ?? []), method]);
  }
  for (const [path, taken] of methodsOf) {
    const allow = [...(taken.length > 0 ? taken : ['GET']), ...methods];
    if (allow.includes('GET')) allow.push('HEAD');
    app.all(path, () => wrongMethod(allow.join(', ')));
  }
}

/** Returns the error for a method that an address does not support. */
export function wrongMethod(allow: string): Response {
  return errorResponse(new ApiError('MethodNotFound', `The methods of this address are ${allow}.`), {
    allow,
  });
}

/**
 * Returns the Hono route of an operation. Existing clients do not encode the id in a listen address, so it can contain
 * `/`.
 */
function routeOf({ operation }: Handler<Services>): string {
  const rest = operation.kind === 'subscription' ? '{.+}' : '';
  return operation.path.replace(/\{(\w+)\}/g, `:$1${rest}`) || '/';
}

/**
 * Adds the routes of an API that this server does not offer (protocol/operations/not-offered.ts), which respond with 501 and
 * the alternative. Must be called before its operations are added: `/workspaces/public` is not the workspace with the id
 * `public`. The table is public, so no token is needed to read it.
 */
export function addNotOffered(app: Hono, api: NotOffered['api']): void {
  for (const { subject, routes, alternative } of notOffered.filter((row) => row.api === api)) {
    const refuse = (_: Context): never => {
      throw new ApiError('NotImplemented', `${subject} are not part of this server. ${alternative}`, {
        alternative,
      });
    };
    for (const route of routes) {
      const [method = '', path = ''] = route.split(' ');
      const pattern = path.replace(/\{(\w+)\}/g, ':$1');
      if (method === 'ANY') app.all(pattern, refuse);
      else app.on(method, pattern, refuse);
    }
  }
}
