// Who calls an operation, for each way that an operation identifies its caller.
import type { UserRow } from '../storage/chat/users.ts';
import type { BotPrincipal, Principal } from './principal.ts';
import type { KeyClaims } from './user-keys.ts';

/** Who calls: the id as answers spell it, the user it stands for, and their key. */
export interface Caller {
  id: string;
  user: UserRow;
  key: KeyClaims;
}

/** Who calls with a valid key; `found` is undefined while the user of an application's key does not exist yet. */
export type KeyCaller = Omit<Caller, 'user'> & { found: UserRow | undefined };

/**
 * How an operation finds its caller: `none` asks no key, `key` takes any valid key (the user may not exist yet),
 * `user` wants the key of an existing user; `token` any token, `workspace` one for the workspace of `x-workspace-id`,
 * `bot` one for the bot of `x-bot-id`.
 */
export interface CallerBy {
  none: undefined;
  key: KeyCaller;
  user: Caller;
  token: Principal;
  workspace: Principal;
  bot: BotPrincipal;
}
export type Auth = keyof CallerBy;
