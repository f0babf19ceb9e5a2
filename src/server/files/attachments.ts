// Attachments of visitors: the accepted files and their addresses.
import { encodeName, fileName } from './bytes/name.ts';
import type { FileTokens } from './bytes/tokens.ts';

export interface FileService {
  /** Bytes of one file. */
  readonly maxBytes: number;
  /** Patterns of media types; empty for all. */
  readonly types: readonly string[];
  /** The addresses of a file below the address of the chat. They grant access to everyone who has them. */
  addresses(chat: string, id: string, key: string): { url: string; uploadUrl: string };
}

export interface FileLimits {
  maxBytes: number;
  types: readonly string[];
}

export function createFileService(limits: FileLimits, tokens: FileTokens): FileService {
  return {
    ...limits,
    addresses: (chat, id, key) => ({
      url: `${chat}/files/${tokens.sign('download', id)}/${encodeName(fileName(key))}`,
      uploadUrl: `${chat}/uploads/${tokens.sign('upload', id)}`,
    }),
  };
}
