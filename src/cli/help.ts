// The texts of --help and the tables of docs/reference/cli.md, derived from the table of commands. No text of a command stands here.
import type { Command, Option, OptionTable } from './command.ts';
import { everyConnectionOption } from './connection.ts';
import { exitCodes } from './errors.ts';
import { optionsOf } from './parse.ts';

/** Characters in a line of help. */
const width = 100;

const codes = `Exit codes: ${exitCodes.done} done, ${exitCodes.failed} failed, ${exitCodes.usage} the command line is wrong, ${exitCodes.stopped} stopped by Ctrl-C.`;

/** The help of all commands, or of those that begin with the word `group`. */
export function overview(commands: readonly Command[], group?: string): string {
  const shown = commands.filter(({ name }) => group === undefined || name.split(' ')[0] === group);
  return [
    `Usage: platform-webchat ${group ? `${group} ` : ''}COMMAND [options]`,
    '',
    ...columns(shown.map((one) => [usageOf(one), one.summary])),
    '',
    ...(shown.some(({ needs }) => needs)
      ? ['Which server, and as whom:', '', ...columns(optionRows(everyConnectionOption)), '']
      : []),
    'Every command says more with --help; --version says which version this is.',
    codes,
    '',
  ].join('\n');
}

/** The help of one command. */
export function helpOf(command: Command): string {
  const { parameter, options, needs, example, summary } = command;
  const own: [string, string][] = [
    ...(parameter ? ([[parameter.name, parameter.doc]] as [string, string][]) : []),
    ...optionRows(options),
  ];
  const connection = Object.entries(optionsOf(command)).filter(([name]) => !Object.hasOwn(options, name));
  return [
    `Usage: platform-webchat ${usageOf(command)} [options]`,
    '',
    ...wrap(summary, width),
    '',
    ...(own.length > 0 ? [...columns(own), ''] : []),
    ...(needs
      ? ['Which server, and as whom:', '', ...columns(optionRows(Object.fromEntries(connection))), '']
      : []),
    `Example: platform-webchat ${example}`,
    '',
  ].join('\n');
}

/** The commands as Markdown, for docs/reference/cli.md. */
export function commandsMarkdown(commands: readonly Command[]): string {
  const sections = commands.map((one) => {
    const rows = [
      ...(one.parameter ? [`| \`${one.parameter.name}\` | ${one.parameter.doc} |`] : []),
      ...Object.entries(one.options).map(
        ([name, option]) => `| \`${flagOf(name, option)}\` | ${option.doc} |`,
      ),
    ];
    const table = rows.length > 0 ? ['', '| | |', '|---|---|', ...rows] : [];
    return [
      `### ${one.name}`,
      '',
      one.summary,
      ...table,
      '',
      '```sh',
      `npx platform-webchat ${one.example}`,
      '```',
    ].join('\n');
  });
  return sections.join('\n\n');
}

/** The options of the connection as a table of Markdown. */
export function connectionMarkdown(): string {
  const rows = Object.entries(everyConnectionOption).map(
    ([name, option]) =>
      `| \`${flagOf(name, option)}\` | ${option.env ? `\`${option.env}\`` : ''} | ${option.doc} |`,
  );
  return ['| Option | Variable | |', '|---|---|---|', ...rows].join('\n');
}

const usageOf = ({ name, parameter }: Command) => (parameter ? `${name} ${parameter.name}` : name);

const flagOf = (name: string, { value }: Option) => (value ? `--${name} ${value}` : `--${name}`);

const optionRows = (options: OptionTable): [string, string][] =>
  Object.entries(options).map(([name, option]) => [
    flagOf(name, option),
    option.env ? `${option.doc} Variable: ${option.env}.` : option.doc,
  ]);

/** Two columns: what it is called, what it means. Code of Markdown is plain on a terminal. */
function columns(rows: [string, string][]): string[] {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, text]) =>
    wrap(text.replaceAll('`', ''), width - left).map(
      (line, index) => (index === 0 ? `  ${name}` : '').padEnd(left) + line,
    ),
  );
}

function wrap(text: string, size: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last && last.length + 1 + word.length > size) lines.push(word);
    else lines[lines.length - 1] = last ? `${last} ${word}` : word;
  }
  return lines;
}
