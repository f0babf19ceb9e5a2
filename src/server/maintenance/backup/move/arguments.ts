// Reads the source and the target of a move from the command line.
import { StartError } from '../../../startup/start-error.ts';
import { isAddress } from '../../../storage/open.ts';
import type { DataLocation } from './data-locations.ts';

const variable = 'DATABASE_URL';

/**
 * A data folder, the word `DATABASE_URL` for the address in this variable, or an address without a password. Throws StartError
 * for an address with a password, because every user of the machine can read a command line.
 */
export function readLocation(
  option: string,
  text: string,
  env: Record<string, string | undefined>,
): DataLocation {
  if (text === variable) {
    const url = env[variable]?.trim() ?? '';
    if (!isAddress(url)) throw new StartError(`${variable} must be the address of a database of PostgreSQL.`);
    return { kind: 'postgres', url };
  }
  if (!isAddress(text)) return { kind: 'folder', path: text };
  if (URL.canParse(text) && new URL(text).password === '') return { kind: 'postgres', url: text };
  throw new StartError(
    `${option}: this address has a password, which other users of the machine can read in a command line: set ${variable}, and write \`${option} ${variable}\`.`,
  );
}
