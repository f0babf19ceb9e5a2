// The settings of user keys, of the administrator's token, and of who can create workspaces.
import * as v from 'valibot';
import { listOf, matching, oneOf, type SettingsOf, setting, wholeNumber } from '../startup/setting.ts';
import { isRandomEnough } from './entropy.ts';

const adminTokenMessage =
  'must be 32 to 1000 random ASCII characters without spaces: use the output of `openssl rand -hex 32`';
const secretMessage = 'must be at least 16 random characters: use the output of `openssl rand -hex 32`';

export const userKeySettings = {
  USER_KEY_SECRET: setting({
    doc: 'Secret that signs user keys (HS256): at least 16 random characters, such as the output of `openssl rand -hex 32`.',
    defaultDoc: 'generated at the first start and stored in `DATA_DIR/user-key-secret`',
    schema: v.pipe(v.string(), v.minLength(16, secretMessage), v.check(isRandomEnough, secretMessage)),
    isSecret: true,
  }),
  USER_KEY_SECRET_PREVIOUS: setting({
    doc: 'The previous secret. Keys that were signed with it are still accepted, but it signs no new keys.',
    defaultDoc: 'none',
    // Not checked for randomness: replacing a weak secret is a reason for a rotation.
    schema: v.pipe(
      v.string(),
      v.minLength(16, 'must be the previous secret, which had at least 16 characters'),
    ),
    isSecret: true,
  }),
  USER_KEY_SECRETS: setting({
    doc: 'Several secrets instead of the two above, separated by commas, the newest first: the first one signs, and keys that the others have signed are still accepted.',
    defaultDoc: 'none',
    schema: v.pipe(
      listOf(
        (secret) => secret.length >= 16,
        'must be secrets of at least 16 characters, separated by commas',
      ),
      v.check(
        ([newest = '', ...others]) => isRandomEnough(newest) && !others.includes(newest),
        'must begin with a new secret of at least 16 random characters: use the output of `openssl rand -hex 32`',
      ),
    ),
    isSecret: true,
  }),
  USER_KEYS: setting({
    doc: '`issued`: this server issues user keys. `personal`: your application signs them with `USER_KEY_SECRET`, and `POST /users` is rejected.',
    default: 'issued',
    schema: oneOf('issued', 'personal'),
  }),
  ANONYMOUS_USER_IDS: setting({
    doc: 'Whether `POST /users` accepts an `id` that the caller chooses: `refuse` or `allow`. With `allow` anybody can claim an id before your application signs a key for it.',
    default: 'refuse',
    schema: oneOf('refuse', 'allow'),
  }),
  USER_KEY_LIFETIME: setting({
    doc: 'Seconds until a user key that this server issues expires, at least 60; `0` for keys that do not expire. The widget renews its key before it expires.',
    default: '0',
    schema: v.pipe(
      matching(/^(0|[6-9]\d|[1-9]\d{2,8})$/, 'must be 0 or a whole number from 60 to 999999999'),
      v.transform(Number),
    ),
  }),
  PROOF_OF_WORK: setting({
    doc: 'Difficulty of the proof of work that a client computes before `POST /users` creates a user: the number of leading zero bits, at most 24. `0` turns it off, `16` is recommended ([security.md](../concepts/security.md#proof-of-work)).',
    default: '0',
    schema: wholeNumber(0, 24),
  }),
};

export type UserKeySettings = SettingsOf<typeof userKeySettings>;

export const memberSettings = {
  ADMIN_TOKEN: setting({
    doc: 'The administrator’s token, at least 32 random characters, such as the output of `openssl rand -hex 32`; it permanently replaces the previous one.',
    defaultDoc: 'generated at the first start',
    schema: v.pipe(
      matching(/^[\x21-\x7e]{32,1000}$/, adminTokenMessage),
      v.check(isRandomEnough, adminTokenMessage),
    ),
    isSecret: true,
  }),
  WORKSPACES: setting({
    doc: 'Who can create workspaces: `operator` (only the owners of the first workspace) or `owners` (the owners of all workspaces).',
    default: 'operator',
    schema: oneOf('operator', 'owners'),
  }),
};

export type MemberSettings = SettingsOf<typeof memberSettings>;
