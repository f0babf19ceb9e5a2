// Capabilities for files: texts in an address that let anybody who has them in, and nobody else. Nothing is stored.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What an address lets its holder do. A token for the one is no token for the other. */
export type FilePurpose = 'upload' | 'download';

export interface FileTokens {
  /** `<id>-<256 bits>`; ids alone count up within a millisecond, so they could be guessed. */
  sign(purpose: FilePurpose, id: string): string;
  /** The id in a token, or undefined when the token is not ours or has another purpose. */
  verify(purpose: FilePurpose, token: string): string | undefined;
}

/** The form of a file's id, and of its name on disk. */
export const fileIdPattern = /^file_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Signs and checks with the secret of user keys. No dot is signed, so that no signature fits a user key. */
export function createFileTokens(secret: string): FileTokens {
  const sign = (purpose: FilePurpose, id: string): string =>
    `${id}-${createHmac('sha256', secret).update(`file:${purpose}:${id}`).digest('base64url')}`;
  return {
    sign,
    verify(purpose, token) {
      const id = token.slice(0, token.indexOf('-'));
      if (!fileIdPattern.test(id)) return undefined;
      // Compared as text: base64url has several spellings of the same bytes, and only one is ours.
      const expected = Buffer.from(sign(purpose, id));
      const given = Buffer.from(token);
      return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
    },
  };
}
