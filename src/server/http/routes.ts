// Turns a table of operations into routes: a known path with another method is 405. What a route does is elsewhere.
import type { Hono } from 'hono';
import { ApiError, errorResponse } from '../api/errors.ts';
import type { Operation } from '../operations/operation.ts';
import { createHandler, type PipelineOptions } from './pipeline.ts';

/** Adds the operations to an app. `pages`: its other paths, which only GET answers; `methods`: what it answers itself. */
export function addOperations(
  app: Hono,
  operations: readonly Operation[],
  options: PipelineOptions,
  { pages = [], methods = [] }: { pages?: string[]; methods?: string[] } = {},
): void {
  // The listen route takes ids with a `/`, so it comes last: it must not catch `…/participants/listen`.
  const listenLast = [...operations].sort(
    (a, b) => Number(a.kind === 'listen') - Number(b.kind === 'listen'),
  );
  for (const operation of listenLast) {
    app.on(operation.method, routeOf(operation), createHandler(operation, options));
  }
  for (const path of [...pages, ...new Set(listenLast.map(routeOf))]) {
    const taken = operations.filter((operation) => routeOf(operation) === path).map(({ method }) => method);
    const allow = [...(taken.length > 0 ? taken : ['GET']), ...methods];
    if (allow.includes('GET')) allow.push('HEAD');
    app.all(path, () => wrongMethod(allow.join(', ')));
  }
}

/** The refusal of a method that an address does not take. */
export function wrongMethod(allow: string): Response {
  return errorResponse(new ApiError('MethodNotFound', `This address takes ${allow}.`), { allow });
}

/** The Hono route of an operation. Existing clients do not encode the id in a listen address, so it may hold `/`. */
function routeOf(operation: Operation): string {
  const rest = operation.kind === 'listen' ? '{.+}' : '';
  return operation.path.replace(/\{(\w+)\}/g, `:$1${rest}`) || '/';
}
