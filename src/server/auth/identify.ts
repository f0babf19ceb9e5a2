// Authenticates a request: reads the headers and finds the caller. A missing, an invalid and an orphaned credential cause
// the same error, which must not reveal the reason; but of a user key with a valid signature, the holder of the secret learns it.
import { type Permission, permissionsOf, type WorkspaceCreators } from '../../protocol/permissions.ts';
import type { Auth, BotPrincipal, Caller, KeyCaller, Principal } from '../api/caller.ts';
import { ApiError } from '../api/errors.ts';
import type { ChatEndpoint } from '../api/handler.ts';
import { findKeyState, type KeyState } from '../storage/admin/user-keys.ts';
import type { Tx } from '../storage/database.ts';
import { isServerUserId, publicId } from '../storage/ids.ts';
import { actingInBot, actingInWorkspace, principalOf, principalOfSession } from './principal.ts';
import { isSignedAfter } from './revocation.ts';
import { findValidSession } from './sessions.ts';
import type { MemberSettings } from './settings.ts';
import { findValidToken } from './tokens.ts';
import { assertUnlimited, problemOfId } from './user-keys.ts';

/** The services that authentication needs. */
interface IdentifyOptions {
  settings: MemberSettings;
  now(): number;
}

type AnyCaller = Caller | KeyCaller | Principal | BotPrincipal | undefined;

/** The session of a request, in an API that has sessions. */
export interface SessionAccess {
  /** The value of the cookie; undefined without one. */
  cookie: string | undefined;
  /** Pages of other origins may call the API with a token, which the cookie then does not disturb. */
  isCrossOrigin: boolean;
  /**
   * Throws when the request changes something, and no page of this server has sent it; in an API that pages of other origins may
   * call, also when it only reads.
   */
  assertOwnPage(): void;
}

/** Finds the caller of a request. */
export interface Identify {
  /** Reads the caller from the database. */
  (tx: Tx): Promise<AnyCaller>;
  /** Returns the caller that was read with the chat endpoint, if it was. Throws as the other one. */
  verifiedCaller?(): AnyCaller;
}

interface OperationAccess {
  auth: Auth;
  permission?: Permission | null;
  id: string;
  /** Whether user keys that are limited to one conversation may call the operation. */
  limitedKeys?: boolean;
}

/**
 * Reads the credentials of a request. Throws Unauthorized, at once or when the database is read. The latter also throws
 * Forbidden for a valid token without the required permission.
 */
export function readCaller(
  { auth, permission, id: operationId, limitedKeys = false }: OperationAccess,
  headers: Headers,
  { chat, session }: { chat?: ChatEndpoint | undefined; session?: SessionAccess | undefined },
  services: IdentifyOptions,
): Identify {
  if (auth === 'none') {
    session?.assertOwnPage();
    return async () => undefined;
  }
  if (auth === 'key' || auth === 'user')
    return user(auth, { operationId, limitedKeys }, headers, chat, services.now);
  const hasToken = headers.has('authorization');
  const hasSession = session?.cookie !== undefined && !(hasToken && session.isCrossOrigin);
  if (hasSession && hasToken) throw twoCredentials();
  if (auth === 'session' || hasSession) return signedIn(auth, permission, headers, session, services);
  return tokenHolder(auth, permission, headers, services);
}

/** The error for a caller with a valid token but without access; it names the caller for the audit trail. */
export class CallerRefused extends ApiError {
  readonly principal: Principal;

  constructor(principal: Principal, { type, message }: Pick<ApiError, 'type' | 'message'>) {
    super(type, message);
    this.principal = principal;
  }
}

function user(
  auth: 'key' | 'user',
  { operationId, limitedKeys }: { operationId: string; limitedKeys: boolean },
  headers: Headers,
  chat: ChatEndpoint | undefined,
  now: () => number,
): Identify {
  const text = headers.get('x-user-key');
  const key = text === null ? undefined : chat?.keys.inspect(text);
  if (!chat || !key?.isCurrent)
    throw invalidUserKey(undefined, text === null ? undefined : chat?.keys.explain(text));
  if (!limitedKeys) assertUnlimited(key);
  const callerOf = ({ user, isRevoked, validAfter }: KeyState): Caller | KeyCaller => {
    // The reason is only revealed to a caller whose key has a valid signature.
    // A key with a server id cannot create a user: the user was deleted.
    const isOfServer = key.isIssued || isServerUserId(key.id);
    const isDeleted = !user && (isOfServer || validAfter !== null);
    // Whoever deletes their data and does not get the response learns by the next one that it is done.
    const metadata = isDeleted && operationId === 'deleteUser' ? { userDeleted: true } : undefined;
    if (isRevoked || !isSignedAfter(key, validAfter, now())) throw revokedUserKey(metadata);
    if (!user && isOfServer) throw invalidUserKey(metadata, key.isIssued ? undefined : reservedId);
    if (!user && auth === 'user') {
      const problem = problemOfId(key.id);
      throw problem === undefined ? unusedUserKey() : invalidUserKey(undefined, problem);
    }
    const caller = { id: user && key.isIssued ? publicId(user) : key.id, key };
    return user && auth === 'user' ? { ...caller, user } : { ...caller, found: user };
  };
  const { claimed } = chat;
  // The signature of the key was verified since, so it says what it said before.
  const verifiedState =
    claimed?.key.hash === key.hash && claimed.key.id === key.id ? claimed.state : undefined;
  return Object.assign(async (tx: Tx) => callerOf(await findKeyState(tx, chat.bot.id, key)), {
    verifiedCaller: () => verifiedState && callerOf(verifiedState),
  });
}

/**
 * A member who has signed in, with the rights of their role. They act in their own workspace unless the header names another, and
 * in the bot that its header names.
 */
function signedIn(
  auth: 'session' | 'token' | 'workspace' | 'bot',
  permission: Permission | null | undefined,
  headers: Headers,
  session: SessionAccess | undefined,
  { now, settings }: IdentifyOptions,
): Identify {
  const value = session?.cookie;
  if (!session || value === undefined) throw invalidSession();
  session.assertOwnPage();
  return async (tx) => {
    const row = await findValidSession(tx, value, now());
    const found = row && (await principalOfSession(tx, row));
    if (!found) throw invalidSession();
    if (auth === 'session' || auth === 'token') return found;
    const workspaceId = headers.get(scopeHeaders.workspace) ?? found.homeWorkspaceId;
    const inWorkspace = await resolveScope(tx, 'workspace', found, workspaceId);
    const principal =
      auth === 'workspace'
        ? inWorkspace
        : await resolveScope(tx, auth, found, headers.get(scopeHeaders.bot) ?? '');
    if (principal.workspaceId !== inWorkspace.workspaceId) throw new CallerRefused(found, noAccessToBot());
    assertPermitted(principal, permission, settings.WORKSPACES);
    return principal;
  };
}

/** The headers that name the workspace or bot of a request with a token. */
const scopeHeaders = { token: undefined, workspace: 'x-workspace-id', bot: 'x-bot-id' } as const;

function tokenHolder(
  auth: keyof typeof scopeHeaders,
  permission: Permission | null | undefined,
  headers: Headers,
  { now, settings }: IdentifyOptions,
): Identify {
  // RFC 6750, 2.1; the scheme is case-insensitive (RFC 9110, 11.1).
  const [, token] = /^bearer +([\x21-\x7e]+)$/i.exec(headers.get('authorization') ?? '') ?? [];
  const header = scopeHeaders[auth];
  const scopeId = header && headers.get(header);
  if (!token || (header && !scopeId)) throw invalidToken(header);
  return async (tx) => {
    const row = await findValidToken(tx, token, now());
    const found = row && (await principalOf(tx, row));
    if (!found) throw invalidToken(header);
    const principal = await resolveScope(tx, auth, found, scopeId ?? '');
    assertPermitted(principal, permission, settings.WORKSPACES);
    return principal;
  };
}

function assertPermitted(
  principal: Principal,
  permission: Permission | null | undefined,
  workspaceCreators: WorkspaceCreators,
): void {
  if (!permission || permissionsOf(principal.kind, workspaceCreators).includes(permission)) return;
  const message = `The permission ${permission} is required, and ${principal.kind} does not have it.`;
  throw new CallerRefused(principal, { type: 'Forbidden', message });
}

async function resolveScope(
  tx: Tx,
  auth: keyof typeof scopeHeaders,
  found: Principal,
  scopeId: string,
): Promise<Principal | BotPrincipal> {
  if (auth === 'token') return found;
  if (auth === 'workspace') {
    const principal = await actingInWorkspace(tx, found, scopeId);
    if (!principal) throw new CallerRefused(found, invalidToken(scopeHeaders.workspace));
    return principal;
  }
  const principal = await actingInBot(tx, found, scopeId);
  if (!principal) throw new CallerRefused(found, noAccessToBot());
  return principal;
}

/** The same message for a bot of another workspace and for one that does not exist. */
const noAccessToBot = () => new ApiError('Forbidden', 'The token has no access to the bot in x-bot-id.');

const invalidSession = () => new ApiError('Unauthorized', 'Sign in first: the session has ended.');
const twoCredentials = () =>
  new ApiError('Unauthorized', 'The request has both a token and a session. Send only one of them.');
/** `reason`: of a key with a valid signature, for the developer of the application that has signed it. */
const invalidUserKey = (metadata?: { userDeleted: boolean }, reason?: string) =>
  new ApiError(
    'Unauthorized',
    reason === undefined
      ? 'The header x-user-key contains no valid user key.'
      : `The signature of the user key is right, but the key is not accepted: ${reason}`,
    metadata,
  );
const reservedId = '`id` has the form of the ids of this server, and no user has it.';
const unusedUserKey = () =>
  new ApiError(
    'Unauthorized',
    'The user key is valid, and its user does not exist yet: getOrCreateUser creates it.',
    // The widget checks the key of a visitor who has not opened the chat, and creates nobody for that.
    { userExists: false },
  );
const revokedUserKey = (metadata?: { userDeleted: boolean }) =>
  new ApiError(
    'Unauthorized',
    'The user key was revoked, or its user was deleted after the key was signed. The application can sign a new key with ' +
      'iat, the time of signing in seconds since 1970; a key that is signed one minute later is accepted.',
    metadata,
  );
const invalidToken = (header: string | undefined) =>
  new ApiError(
    'Unauthorized',
    header === 'x-workspace-id'
      ? 'The headers authorization and x-workspace-id contain no valid token for a workspace.'
      : header === undefined
        ? 'The header authorization contains no valid token.'
        : 'The headers authorization and x-bot-id contain no valid token and bot.',
  );
