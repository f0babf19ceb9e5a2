// Says why a user key is refused although its signature is right: the reason is for the developer who has signed it.
import { foreignUserIdPattern, foreignUserIdRule } from '../../protocol/user.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * No application signs a key for the year 5138: a larger NumericDate (RFC 7519, section 2) is in milliseconds. As seconds, the
 * `exp` of such a key would never come.
 */
const latestSeconds = 100_000_000_000;

/** Returns why the claims of a key name no user, or limit it to nothing; undefined for a key that does. */
export function problemOfClaims({ id, sub, conversation }: Claims): string | undefined {
  if (id === undefined || id === null) {
    return sub === undefined ? 'Its payload has no `id`.' : 'Its payload has `sub` in place of `id`.';
  }
  if (typeof id !== 'string') {
    return `\`id\` must be a text, not ${typeof id === 'object' ? 'an object' : `a ${typeof id}`}.`;
  }
  if (id === '' || id.includes('\0')) return problemOfId(id);
  if (conversation !== undefined && !isLimit(conversation)) {
    return '`conversation` must be a list of ids of one conversation, or be left out.';
  }
  return undefined;
}

/** Returns why no user can have an id; undefined for a usual one. A key with such an id is valid, but cannot create its user. */
export const problemOfId = (id: string): string | undefined =>
  foreignUserIdPattern.test(id) ? undefined : `\`id\` must be ${foreignUserIdRule}.`;

/** Returns why a key is not valid now; undefined for one that is. `now`: milliseconds since 1970. */
export function problemOfTimes(claims: Claims, now: number): string | undefined {
  // Not `iat`: until a revocation, a key with any `iat` is accepted.
  for (const name of ['exp', 'nbf'] as const) {
    const time = claims[name];
    if (time === undefined) continue;
    if (typeof time !== 'number') return `\`${name}\` must be a number: seconds since 1970.`;
    if (time > latestSeconds) return `\`${name}\` must be in seconds since 1970, not in milliseconds.`;
  }
  const seconds = now / 1_000;
  const { exp, nbf } = claims as { exp?: number; nbf?: number };
  if (exp !== undefined && seconds >= exp) return `It has expired (\`exp\` ${exp}).`;
  if (nbf !== undefined && seconds < nbf) return `It is not valid yet (\`nbf\` ${nbf}).`;
  return undefined;
}

/** Whether the claim names a conversation. A key whose claim names none would not be limited, or open nothing. */
export const isLimit = (claim: unknown): claim is string[] =>
  Array.isArray(claim) && claim.length > 0 && claim.every((id) => typeof id === 'string' && id !== '');
