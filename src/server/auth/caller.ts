// The types of callers of an operation, by the authentication that the operation requires.
import type { UserRow } from '../storage/chat/users.ts';
import type { BotPrincipal, Principal, SessionPrincipal } from './principal.ts';
import type { KeyClaims } from './user-keys.ts';

/** A caller with a user key: the id as responses show it, the user, and the key. */
export interface Caller {
  id: string;
  user: UserRow;
  key: KeyClaims;
}

/** A caller with a valid key; `found` is undefined while the user of an application's key does not exist yet. */
export type KeyCaller = Omit<Caller, 'user'> & { found: UserRow | undefined };

/**
 * The authentication of an operation: `none`; `key` for any valid user key (the user may not exist yet); `user` for the
 * key of an existing user; `token` for any token; `workspace` for a token of the workspace in `x-workspace-id`; `bot` for
 * a token of the bot in `x-bot-id`; `session` for a member who has signed in. Where an API has sessions, `token` and
 * `workspace` accept one, too.
 */
export interface CallerBy {
  none: undefined;
  key: KeyCaller;
  user: Caller;
  token: Principal;
  workspace: Principal;
  bot: BotPrincipal;
  session: SessionPrincipal;
}
export type Auth = keyof CallerBy;
