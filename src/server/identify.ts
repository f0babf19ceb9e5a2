// Who calls: the headers of a request to a caller. One refusal for a missing, a wrong and an orphaned credential, which
// does not tell which.
import { isPermitted, type Permission } from '../protocol/permissions.ts';
import type { Chat } from './chat.ts';
import type { Tx } from './db/database.ts';
import { findUser } from './db/users.ts';
import { ApiError } from './errors.ts';
import type { Caller, Operation } from './operation.ts';
import { type BotPrincipal, botFor, type Principal, principalOf } from './principal.ts';
import { readToken } from './tokens.ts';

/** A caller as the database knows them now. */
export type Identify = (tx: Tx) => Promise<Caller | { id: string } | Principal | BotPrincipal | undefined>;

/**
 * Reads what identifies the caller of an operation. Throws Unauthorized, at once or when the database is asked; then
 * also Forbidden, where a token is good and the table of permissions says no.
 */
export function readCaller(
  { auth, permission }: Pick<Operation, 'auth' | 'permission'>,
  headers: Headers,
  chat: Chat | undefined,
  now: () => number,
): Identify {
  if (auth === 'none') return async () => undefined;
  if (auth === 'key' || auth === 'user') return user(auth, headers, chat);
  return holder(auth, permission, headers, now);
}

function user(auth: 'key' | 'user', headers: Headers, chat: Chat | undefined): Identify {
  const key = headers.get('x-user-key');
  const id = key === null ? undefined : chat?.keys.verify(key);
  if (!chat || id === undefined) throw unknownUser();
  if (auth === 'key') return async () => ({ id });
  return async (tx) => {
    const user = await findUser(tx, chat.bot.id, id);
    if (!user) throw unknownUser();
    return { id, user };
  };
}

/** What names the place where a token is to be good. */
const placeHeaders = { token: undefined, workspace: 'x-workspace-id', bot: 'x-bot-id' } as const;

function holder(
  auth: keyof typeof placeHeaders,
  permission: Permission | null | undefined,
  headers: Headers,
  now: () => number,
): Identify {
  // RFC 6750, 2.1; the name of the scheme in any case (RFC 9110, 11.1).
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  const header = placeHeaders[auth];
  const place = header && headers.get(header);
  if (!token || (header && !place)) throw unknownHolder(header);
  return async (tx) => {
    const row = await readToken(tx, token, now());
    const principal = row && (await principalOf(tx, row));
    if (!principal || (auth === 'workspace' && principal.workspaceId !== place)) throw unknownHolder(header);
    if (auth === 'bot' && !(await botFor(tx, principal, place ?? ''))) {
      // The same for a bot of others and for one that is nowhere.
      throw new ApiError('Forbidden', 'The token does not open the bot that x-bot-id names.');
    }
    if (permission && !isPermitted(principal.kind, permission)) {
      throw new ApiError(
        'Forbidden',
        `The permission ${permission} is missing: ${principal.kind} has it not.`,
      );
    }
    return auth === 'bot' ? { ...principal, botId: place ?? '' } : principal;
  };
}

const unknownUser = () => new ApiError('Unauthorized', 'The header x-user-key holds no valid user key.');
const unknownHolder = (header: string | undefined) =>
  new ApiError(
    'Unauthorized',
    header === 'x-workspace-id'
      ? 'The headers authorization and x-workspace-id hold no valid token for a workspace.'
      : header === undefined
        ? 'The header authorization holds no valid token.'
        : 'The headers authorization and x-bot-id hold no valid token and bot.',
  );
