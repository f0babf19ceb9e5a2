// Capabilities for files: texts in an address that let anybody who has them in, and nobody else. Nothing is stored.
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What an address lets its holder do. A token for the one is no token for the other. `download`: of a visitor's file;
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

/** Signs and checks with the secret of user keys. No dot is signed, so that no signature fits a user key. */
export function createFileTokens(secret: string): FileTokens {
  const sign = (purpose: FilePurpose, id: string, expires?: number): string => {
    const end = expires === undefined ? '' : `${expires}~`;
    const mac = createHmac('sha256', secret).update(`file:${purpose}:${id}${end && `:${end}`}`);
    return `${id}-${end}${mac.digest('base64url')}`;
  };
  return {
    sign,
    verify(purpose, token, now = 0) {
      const id = token.slice(0, token.indexOf('-'));
      if (!fileIdPattern.test(id)) return undefined;
      const [, end] = /^-(\d{1,15})~/.exec(token.slice(id.length)) ?? [];
      const expires = end === undefined ? undefined : Number(end);
      // A link for a while says until when: one that says nothing is not ours.
      if ((purpose === 'link') !== (expires !== undefined)) return undefined;
      // Compared as text: base64url has several spellings of the same bytes, and only one is ours.
      const expected = Buffer.from(sign(purpose, id, expires));
      const given = Buffer.from(token);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      return expires !== undefined && expires <= now ? undefined : id;
    },
  };
}
