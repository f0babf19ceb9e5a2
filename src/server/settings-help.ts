// Renders the table of settings as the text of `--help` and as the table of the documentation.

import { settingsTable } from './composition/settings.ts';
import type { Setting } from './startup/setting.ts';

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
