// The settings as flags of the command line, from the same table: `--port 3000` is PORT=3000. Secrets are no flags.
import { parseArgs } from 'node:util';
import type { Setting } from './setting.ts';
import { settingsTable } from './settings.ts';
import { StartError } from './start-error.ts';

/** The flag of a setting: `--data-dir` for DATA_DIR. */
const flagOf = (name: string): string => name.toLowerCase().replaceAll('_', '-');

const rows: [string, Setting<unknown>][] = Object.entries(settingsTable);
const byFlag = new Map(rows.map(([name, row]) => [flagOf(name), { name, row }]));
const options = Object.fromEntries([...byFlag.keys()].map((flag) => [flag, { type: 'string' as const }]));

/**
 * Flags as settings by name, the texts unread. Throws StartError with one line, of exit code 2, for a flag that is none,
 * that is a secret, or that has a wrong value.
 */
export function readFlags(args: readonly string[]): Record<string, string> {
  const { tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const found: Record<string, string> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') throw wrong(`'${token.value}' is no flag.`);
    if (token.kind !== 'option') continue;
    const known = byFlag.get(token.name);
    if (!known) throw wrong(`There is no flag ${token.rawName}.`);
    const { name, row } = known;
    if (row.isSecret) {
      const why = 'would be seen by everybody on this machine';
      throw new StartError(`${token.rawName} ${why}: set ${name} in the environment instead.`, 2);
    }
    const text = token.value?.trim();
    if (!text) throw wrong(`${token.rawName} needs a value.`);
    if (row.read(text) === undefined) throw new StartError(`${token.rawName} ${row.must}.`, 2);
    found[name] = text;
  }
  return found;
}

const wrong = (problem: string) => new StartError(`${problem} --help lists what there is.`, 2);
