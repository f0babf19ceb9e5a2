// Flags of `serve`, which are derived from the table of settings (`--port 3000` is PORT=3000), and the text of `--help`.
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

const usage = `Usage: platform-webchat serve [flags]

Starts the server. Every setting is an environment variable and, except for secrets, a flag: PORT=3000 is --port 3000, and
a flag takes precedence.`;

/** The text of `--help`. */
export function help(): string {
  const rows = Object.entries(settingsTable).map(
    ([name, row]: [string, Setting<unknown>]) =>
      `  ${name.padEnd(16)} ${row.doc}\n${' '.repeat(19)}Default: ${defaultOf(row)}.`,
  );
  return `${usage}\n\n${rows.join('\n')}\n`;
}

/** The list of secrets and the table of the documentation (Markdown). */
export function settingsMarkdown(): string {
  const settings = Object.entries<Setting<unknown>>(settingsTable);
  const secrets = settings.filter(([, row]) => row.isSecret).map(([name]) => `\`${name}\``);
  const rows = settings.map(([name, row]) => `| \`${name}\` | ${defaultOf(row)} | ${row.doc} |`);
  return [
    `The secrets are ${new Intl.ListFormat('en-GB').format(secrets)}.`,
    '',
    '| Setting | Default | Meaning |',
    '|---|---|---|',
    ...rows,
  ].join('\n');
}

function defaultOf(row: Setting<unknown>): string {
  return row.defaultDoc ?? `\`${row.default}\``;
}
