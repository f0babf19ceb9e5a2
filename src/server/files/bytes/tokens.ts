// Capabilities for files: texts in an address that let anybody who has them in, and nobody else. Nothing is stored.
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What an address lets its holder do. A token for the one is not a token for the other. `download`: of a visitor's file;
 * `link`: of a platform file, for a while; `public`: of a platform file, while it is public.
 */
export type FilePurpose = 'upload' | 'download' | 'link' | 'public';

export interface FileTokens {
  /**
   * `<id>-<256 bits>`; ids alone count up within a millisecond, so they could be guessed. `expires`, milliseconds since
   * 1970: when the token ends; left out: never.
   */
  sign(purpose: FilePurpose, id: string, expires?: number): string;
  /** The id in a token, or undefined when the token is not ours, has another purpose or has ended. */
  verify(purpose: FilePurpose, token: string, now?: number): string | undefined;
}

/** The form of a file's id, and of its name on disk. */
export const fileIdPattern = /^file_[0-9A-HJKMNP-TV-Z]{26}$/;

/**
 * Signs with the secret of user keys, and accepts what a previous one signed. No dot is signed, so that no signature fits
 * a user key.
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
      if (!fileIdPattern.test(id)) return undefined;
      const [, end] = /^-(\d{1,15})~/.exec(token.slice(id.length)) ?? [];
      const expires = end === undefined ? undefined : Number(end);
      // A link for a while says until when: one that says nothing is not ours.
      if ((purpose === 'link') !== (expires !== undefined)) return undefined;
      // Compared as text: base64url has several spellings of the same bytes, and only one is ours.
      const given = Buffer.from(token);
      const isSigned = [secret, ...previous].some((key) => {
        const expected = Buffer.from(signWith(key, purpose, id, expires));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      if (!isSigned) return undefined;
      return expires !== undefined && expires <= now ? undefined : id;
    },
  };
}
