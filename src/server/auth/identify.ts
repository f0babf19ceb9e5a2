// Who calls: the headers of a request to a caller. One refusal for a missing, a wrong and an orphaned credential, which
// does not tell which.
import { type Permission, permissionsOf, type WorkspaceCreators } from '../../protocol/permissions.ts';
import { ApiError } from '../api/errors.ts';
import { findKeyState } from '../storage/auth/user-keys.ts';
import type { Tx } from '../storage/database.ts';
import { isServerUserId, publicId } from '../storage/ids.ts';
import type { Auth, Caller, KeyCaller } from './caller.ts';
import type { Chat } from './chat-endpoint.ts';
import {
  actingInBot,
  actingInWorkspace,
  type BotPrincipal,
  type Principal,
  principalOf,
} from './principal.ts';
import { isSignedAfter } from './revocation.ts';
import { readToken } from './tokens.ts';

/** What identification needs beside the request. */
interface IdentifyOptions {
  workspaceCreators: WorkspaceCreators;
  now(): number;
}

/** A caller as the database knows them now. */
export type Identify = (tx: Tx) => Promise<Caller | KeyCaller | Principal | BotPrincipal | undefined>;

/**
 * Reads what identifies the caller of an operation. Throws Unauthorized, at once or when the database is asked; then
 * also Forbidden, where a token is good and the table of permissions says no.
 */
export function readCaller(
  { auth, permission }: { auth: Auth; permission?: Permission | null },
  headers: Headers,
  chat: Chat | undefined,
  services: IdentifyOptions,
): Identify {
  if (auth === 'none') return async () => undefined;
  if (auth === 'key' || auth === 'user') return user(auth, headers, chat, services.now);
  return holder(auth, permission, headers, services);
}

/** A refusal of a caller whose token is good, but not for this. */
export class CallerRefused extends ApiError {
  readonly principal: Principal;

  constructor(principal: Principal, { type, message }: Pick<ApiError, 'type' | 'message'>) {
    super(type, message);
    this.principal = principal;
  }
}

function user(auth: 'key' | 'user', headers: Headers, chat: Chat | undefined, now: () => number): Identify {
  const text = headers.get('x-user-key');
  const key = text === null ? undefined : chat?.keys.inspect(text);
  if (!chat || !key?.isCurrent) throw unknownUser();
  return async (tx) => {
    const { user, isRevoked, validAfter } = await findKeyState(tx, chat.bot.id, key);
    // Only the holder of a key with a right signature is told why it is refused.
    if (isRevoked || !isSignedAfter(key, validAfter, now())) throw endedKey();
    // A key that names a server id makes nobody: its user was deleted.
    if (!user && (auth === 'user' || key.isIssued || isServerUserId(key.id))) throw unknownUser();
    const caller = { id: user && key.isIssued ? publicId(user) : key.id, key };
    return user && auth === 'user' ? { ...caller, user } : { ...caller, found: user };
  };
}

/** What names the place where a token is to be good. */
const placeHeaders = { token: undefined, workspace: 'x-workspace-id', bot: 'x-bot-id' } as const;

function holder(
  auth: keyof typeof placeHeaders,
  permission: Permission | null | undefined,
  headers: Headers,
  { now, workspaceCreators }: IdentifyOptions,
): Identify {
  // RFC 6750, 2.1; the name of the scheme in any case (RFC 9110, 11.1).
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  const header = placeHeaders[auth];
  const place = header && headers.get(header);
  if (!token || (header && !place)) throw unknownHolder(header);
  return async (tx) => {
    const row = await readToken(tx, token, now());
    const found = row && (await principalOf(tx, row));
    if (!found) throw unknownHolder(header);
    const principal = await actingIn(tx, auth, found, place ?? '');
    if (permission && !permissionsOf(principal.kind, workspaceCreators).includes(permission)) {
      const message = `The permission ${permission} is missing: ${principal.kind} has it not.`;
      throw new CallerRefused(principal, { type: 'Forbidden', message });
    }
    return principal;
  };
}

async function actingIn(
  tx: Tx,
  auth: keyof typeof placeHeaders,
  found: Principal,
  place: string,
): Promise<Principal | BotPrincipal> {
  if (auth === 'token') return found;
  if (auth === 'workspace') {
    const principal = await actingInWorkspace(tx, found, place);
    if (!principal) throw new CallerRefused(found, unknownHolder(placeHeaders.workspace));
    return principal;
  }
  const principal = await actingInBot(tx, found, place);
  // The same for a bot of others and for one that is nowhere.
  const message = 'The token does not open the bot that x-bot-id names.';
  if (!principal) throw new CallerRefused(found, { type: 'Forbidden', message });
  return principal;
}

const unknownUser = () => new ApiError('Unauthorized', 'The header x-user-key holds no valid user key.');
const endedKey = () =>
  new ApiError(
    'Unauthorized',
    'The user key was revoked, or its user was deleted after it was signed. The application can sign a new one with ' +
      'iat, the time of signing in seconds since 1970; one that is signed a minute later is accepted.',
  );
const unknownHolder = (header: string | undefined) =>
  new ApiError(
    'Unauthorized',
    header === 'x-workspace-id'
      ? 'The headers authorization and x-workspace-id hold no valid token for a workspace.'
      : header === undefined
        ? 'The header authorization holds no valid token.'
        : 'The headers authorization and x-bot-id hold no valid token and bot.',
  );
