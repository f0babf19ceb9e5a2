// Answers the operations that this server does not offer with 501 and the alternative (protocol/operations/not-offered.ts).
import type { Context, Hono } from 'hono';
import { type NotOffered, notOffered } from '../../protocol/operations/not-offered.ts';
import { ApiError } from '../api/errors.ts';

/**
 * Adds the routes of an API that are not offered. Must be called before its operations are added: `/workspaces/public`
 * is not the workspace with the id `public`. The table is public, so no token is needed to read it.
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
