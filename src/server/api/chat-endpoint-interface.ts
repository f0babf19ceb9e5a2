// The chat endpoint of a request and its user keys.
import type { KeyState } from '../storage/auth/user-keys.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import type { KeyClaims } from './caller.ts';

export interface ChatEndpoint {
  bot: BotRow;
  keys: UserKeys;
  /** The user whom the key of the request names, before its signature is verified; undefined if none was found. */
  claimed?: { key: Pick<KeyClaims, 'id' | 'isIssued' | 'hash'>; state: KeyState } | undefined;
}

export interface UserKeys {
  /** Signs a key for the user `id` with further claims. */
  sign(id: string, claims?: object): string;
  /** Returns the claims of a key with a valid signature, expired or not; undefined for any other text. */
  inspect(key: string): KeyClaims | undefined;
  /**
   * Says in a sentence why a key is refused; undefined for a valid key, and for one without a valid signature, of which nothing
   * is revealed.
   */
  explain(key: string): string | undefined;
  /**
   * Returns the id in a key; undefined when its signature is invalid, or it has expired (`exp`) or is not valid yet
   * (`nbf`).
   */
  verify(key: string): string | undefined;
}
