// Files in conversations: which are accepted, and their addresses.
import { ApiError } from '../api/errors.ts';
import { isAllowed } from './bytes/media-type.ts';
import { encodeName, fileName } from './bytes/name.ts';
import type { FileTokens } from './bytes/tokens.ts';
import { contentPath, uploadPath } from './platform-files.ts';

export interface FileService {
  /** The addresses of a file below the address of the chat. They grant access to everyone who has them. */
  addresses(chat: string, id: string, key: string): { url: string; uploadUrl: string };
  /** Returns the address for sending the bytes of a file of a note. `server`: the address of the server. */
  noteUploadUrl(server: string, id: string): string;
  /** Returns the address for reading the bytes of a file of a note, which is valid for a few minutes. */
  noteUrl(server: string, file: { id: string; key: string }, now: number): string;
}

/** The limits of the server. */
export interface FileLimits {
  /** Bytes of one file. */
  maxBytes: number;
  /** Patterns of media types; empty for all. */
  types: readonly string[];
}

/** The limits of one bot. */
export interface BotFileLimits {
  maxBytes: number;
  /** Lists of patterns that are not empty. A type must match each list. */
  types: readonly (readonly string[])[];
  /** Files in one message; undefined if they are not limited. */
  perMessage: number | undefined;
}

/** Throws UnsupportedMediaType if the bot does not accept files of this type. */
export function assertAllowed(type: string, { types }: BotFileLimits): void {
  const list = types.find((patterns) => !isAllowed(type, patterns));
  if (!list) return;
  throw new ApiError(
    'UnsupportedMediaType',
    `Files of type ${type} are not allowed. Allowed types: ${list.join(', ')}.`,
    { allowed: [...list] },
  );
}

/** Milliseconds that the address of a file of a note is valid: five minutes. */
const noteLinkLifetimeMs = 5 * 60 * 1000;

export function createFileService(tokens: FileTokens): FileService {
  return {
    addresses: (chat, id, key) => ({
      url: `${chat}/files/${tokens.sign('download', id)}/${encodeName(fileName(key))}`,
      uploadUrl: `${chat}/uploads/${tokens.sign('upload', id)}`,
    }),
    noteUploadUrl: (server, id) => `${server}${uploadPath}/${tokens.sign('upload', id)}`,
    noteUrl(server, { id, key }, now) {
      const token = tokens.sign('note', id, now + noteLinkLifetimeMs);
      return `${server}${contentPath}/${token}/${encodeName(fileName(key))}`;
    },
  };
}
