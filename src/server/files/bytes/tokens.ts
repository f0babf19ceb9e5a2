// Capability tokens of files: a token grants access to everyone who has the address. Tokens are signed, not stored.
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The purpose of a token. A token for one purpose is not valid for another. `download`: of a visitor's file;
 * `link`: of a file of the Files API, for a limited time; `public`: of a file of the Files API, while it is public;
 * `note`: of a file of a note, for a limited time; `archive`: of all data of a user, for a limited time.
 */
export type FilePurpose = 'upload' | 'download' | 'link' | 'public' | 'note' | 'archive';

/** The purposes whose tokens always have an expiry time; others have none. */
const limited: readonly FilePurpose[] = ['link', 'note', 'archive'];

export interface FileTokens {
  /**
   * Returns a token of the form `<id>-<256 bits>`. An id alone could be guessed, because ids of one millisecond are
   * consecutive. `expires`: milliseconds since 1970; without it the token never expires.
   */
  sign(purpose: FilePurpose, id: string, expires?: number): string;
  /**
   * Returns the id in a token; undefined when this server did not sign it, it has another purpose, or it has expired.
   */
  verify(purpose: FilePurpose, token: string, now?: number): string | undefined;
}

/** The form of a file's id, and of its name on disk. */
export const fileIdPattern = /^file_[0-9A-HJKMNP-TV-Z]{26}$/;
const userIdPattern = /^user_[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * Signs with the secret of user keys, and accepts signatures of previous secrets. The signed text contains no dot, so
 * that no signature is valid for a user key.
 */
export function createFileTokens(secret: string, previous: readonly string[] = []): FileTokens {
  const signWith = (key: string, purpose: FilePurpose, id: string, expires?: number): string => {
    const end = expires === undefined ? '' : `${expires}~`;
    const mac = createHmac('sha256', key).update(`file:${purpose}:${id}${end && `:${end}`}`);
    return `${id}-${end}${mac.digest('base64url')}`;
  };
  return {
    sign: (purpose, id, expires) => signWith(secret, purpose, id, expires),
    verify(purpose, token, now = 0) {
      const id = token.slice(0, token.indexOf('-'));
      if (!(purpose === 'archive' ? userIdPattern : fileIdPattern).test(id)) return undefined;
      const [, end] = /^-(\d{1,15})~/.exec(token.slice(id.length)) ?? [];
      const expires = end === undefined ? undefined : Number(end);
      if (limited.includes(purpose) !== (expires !== undefined)) return undefined;
      // Compared as text, because base64url has several encodings of the same bytes, of which only one is valid.
      const tokenBytes = Buffer.from(token);
      const isSigned = [secret, ...previous].some((key) => {
        const expected = Buffer.from(signWith(key, purpose, id, expires));
        return tokenBytes.length === expected.length && timingSafeEqual(tokenBytes, expected);
      });
      if (!isSigned) return undefined;
      return expires !== undefined && expires <= now ? undefined : id;
    },
  };
}
