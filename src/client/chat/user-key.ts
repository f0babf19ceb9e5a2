// Signs user keys on the application's own server. The secret can sign a key for every visitor, so it must never
// reach a page.
import { foreignUserIdPattern, foreignUserIdRule } from '../../protocol/user.ts';

/** The options of `signUserKey`. */
export interface UserKeyOptions {
  /** The application's own id of the user: 1 to 120 visible ASCII characters, such as `ada@example.com`. */
  id: string;
  /** `USER_KEY_SECRET` of the chat's server, at least 16 characters. */
  secret: string;
  /** Seconds until the key expires. Without it, the key is valid until it is revoked or the secret changes. */
  expiresInSeconds?: number;
}

/** The server does not accept a shorter `USER_KEY_SECRET` either. */
const secretLength = 16;

/**
 * Creates the key of a user: a JSON Web Token (RFC 7519) with the payload `{id, iat, exp?}`, signed with HS256
 * (RFC 7518, 3.2). Needs only Web Crypto: Node 20, Deno, Bun, edge runtimes.
 * @throws RangeError (as a rejection) for an id, a secret or a time that the server would refuse.
 */
export async function signUserKey({ id, secret, expiresInSeconds }: UserKeyOptions): Promise<string> {
  if (typeof id !== 'string' || !foreignUserIdPattern.test(id)) {
    throw new RangeError(`signUserKey: id must be ${foreignUserIdRule}.`);
  }
  if (typeof secret !== 'string' || secret.length < secretLength) {
    throw new RangeError(`signUserKey: secret must have at least ${secretLength} characters.`);
  }
  if (expiresInSeconds !== undefined && !(Number.isFinite(expiresInSeconds) && expiresInSeconds > 0)) {
    throw new RangeError('signUserKey: expiresInSeconds must be a number above 0.');
  }
  const now = Date.now() / 1_000;
  // With fractions of a second, so that keys revoked within a second differ from keys signed later in it.
  const exp = expiresInSeconds && Math.ceil(now + expiresInSeconds);
  const text = [
    { alg: 'HS256', typ: 'JWT' },
    { id, iat: now, ...(exp && { exp }) },
  ]
    .map((part) => base64url(encode(JSON.stringify(part))))
    .join('.');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encode(secret), algorithm, false, ['sign']);
  return `${text}.${base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, encode(text))))}`;
}

const encode = (text: string) => new TextEncoder().encode(text);

/** RFC 4648, 5, without padding. */
const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/=+$/, '')
    .replaceAll('+', '-')
    .replaceAll('/', '_');
