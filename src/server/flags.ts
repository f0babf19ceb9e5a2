// Parses the flags of `serve`, which are derived from the table of settings: `--port 3000` is PORT=3000.
import { Command } from '@commander-js/extra-typings';
import { settingsTable } from './composition/settings.ts';
import { parseSetting, type Setting } from './startup/setting.ts';
import { StartError } from './startup/start-error.ts';

/** The flag of a setting: `--data-dir` for DATA_DIR. */
const flagOf = (name: string): string => `--${name.toLowerCase().replaceAll('_', '-')}`;

/**
 * Returns the settings that are set as flags, as texts by name. Throws StartError with one line and exit code 2 for an
 * unknown flag, a wrong value, and a flag of a secret.
 */
export function readFlags(args: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  const command = new Command('serve')
    .helpOption(false)
    .configureOutput({ outputError: () => {} })
    .exitOverride(({ message }) => {
      throw wrong(problemOf(message));
    });
  for (const [name, row] of Object.entries<Setting<unknown>>(settingsTable)) {
    if (row.switch) {
      const { flag, text } = row.switch;
      command.option(flag, row.doc).on(`option:${flag.slice(2)}`, () => {
        found[name] = text;
      });
      continue;
    }
    const flag = flagOf(name);
    command.option(`${flag} <value>`, row.doc, (value) => {
      const text = value.trim();
      if (row.isSecret) {
        const reason = 'would be visible to every user of this machine';
        throw new StartError(`${flag} ${reason}: set ${name} in the environment instead.`, 2);
      }
      if (!text) throw wrong(`${flag} needs a value.`);
      const result = parseSetting(row, text);
      if ('problem' in result) throw new StartError(`${flag} ${result.problem}.`, 2);
      found[name] = text;
      return text;
    });
  }
  command.parse(args, { from: 'user' });
  return found;
}

const wrong = (problem: string) => new StartError(`${problem} --help lists the flags.`, 2);

/** Returns the problem that commander reports, in one line. Values are omitted, because one may be a secret. */
function problemOf(message: string): string {
  const [, unknown] = /^error: unknown option '(--[^=']*|-.?)/s.exec(message) ?? [];
  const [, suggestion = ''] = /\n\((Did you mean .*\?)\)$/.exec(message) ?? [];
  if (unknown) return `Unknown flag ${unknown}. ${suggestion}`.trimEnd();
  const [, incomplete] = /^error: option '(\S+) .* argument missing$/.exec(message) ?? [];
  return incomplete ? `${incomplete} needs a value.` : 'Only flags are allowed.';
}
