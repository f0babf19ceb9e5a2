// The addresses of archives of users: signed, for ten minutes, and the permission to download. Nothing is stored.
import type { Context } from 'hono';
import { ApiError, errorResponse } from '../../api/errors.ts';
import type { FileTokens } from '../../files/index.ts';
import { botById } from '../../storage/bots/bots.ts';
import { userById } from '../../storage/chat/users.ts';
import { type ArchiveSource, openArchive, type TeamNotes } from './archive.ts';

/** The path of downloads; the token follows. */
export const archivePath = '/v1/archives';
/** Milliseconds that an address is valid. A download that has begun may take longer. */
const lifetimeMs = 10 * 60 * 1000;

export interface Archives {
  /** Returns the address of the archive of a user and when it expires, in milliseconds since 1970. */
  addressOf(server: string, userId: string): { url: string; expires: number };
}

export function createArchives(tokens: FileTokens, now: () => number): Archives {
  return {
    addressOf(server, userId) {
      const expires = now() + lifetimeMs;
      return { url: `${server}${archivePath}/${tokens.sign('archive', userId, expires)}`, expires };
    },
  };
}

interface DownloadOptions extends Omit<ArchiveSource, 'user' | 'team'> {
  tokens: FileTokens;
  team: TeamNotes;
}

const headers = {
  'content-type': 'application/zip',
  'content-disposition': 'attachment; filename="visitor.zip"',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Handles all methods of `/v1/archives/:token`. */
export function createArchiveHandler({ tokens, ...source }: DownloadOptions) {
  return async (c: Context): Promise<Response> => {
    const { method } = c.req.raw;
    if (method !== 'GET' && method !== 'HEAD') {
      const error = new ApiError('MethodNotFound', 'The methods of this address are GET, HEAD.');
      return errorResponse(error, { allow: 'GET, HEAD' });
    }
    const id = tokens.verify('archive', c.req.param('token') ?? '', source.now());
    const user = await source.db.read(async (tx) => {
      const found = id === undefined ? undefined : await userById(tx, id);
      return found && (await botById(tx, found.botId)) ? found : undefined;
    });
    if (!user)
      return errorResponse(new ApiError('ResourceNotFound', 'There is no archive at this address.'), {});
    // A HEAD response has no body whose end would close what is read.
    return new Response(method === 'HEAD' ? null : openArchive({ ...source, user }), { headers });
  };
}
