// The limits of the files of visitors for one bot: those of the server's settings, narrowed by the stored configuration.
import type { Configuration } from '../../protocol/page-api/config.ts';
import { readMediaTypes } from '../../protocol/page-api/file-fields.ts';
import { type BotFileLimits, type FileLimits, isAllowed } from '../files/index.ts';

export function fileLimitsOf(server: FileLimits, configuration: Configuration): BotFileLimits {
  const { maxFiles, maxFileBytes, fileTypes } = configuration;
  return {
    maxBytes: Math.min(server.maxBytes, Math.floor(maxFileBytes ?? server.maxBytes)),
    // A type must match both lists: the intersection of two lists of patterns can be empty, which would mean all.
    types: [server.types, readMediaTypes(fileTypes)].filter((patterns) => patterns.length > 0),
    perMessage: maxFiles === undefined ? undefined : Math.floor(maxFiles),
  };
}

/** The patterns of both lists, for clients that read one list. The bot's list if the two have nothing in common. */
export function commonTypes([first = [], second = first]: readonly (readonly string[])[]): string[] {
  const common = [
    ...second.filter((type) => isAllowed(type, first)),
    ...first.filter((type) => isAllowed(type, second)),
  ];
  return common.length > 0 ? [...new Set(common)] : [...second];
}
