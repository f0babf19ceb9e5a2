// Finds the command of a command line and reads its options by its row. It runs nothing and prints nothing.
import { parseArgs } from 'node:util';
import type { Command, OptionTable } from './command.ts';
import { connectionOptions } from './connection.ts';
import { UsageError } from './errors.ts';

/** What a command line asks for. */
export type Asked =
  | { kind: 'version' }
  /** `group`: the first word of the commands that are to be shown; undefined for all. */
  | { kind: 'help'; group?: string; command?: Command }
  | {
      kind: 'run';
      command: Command;
      parameter: string | undefined;
      values: Record<string, string | boolean | undefined>;
    }
  | { kind: 'pass'; command: Command; args: readonly string[] };

/** Reads a command line. Throws UsageError, in one line with the cure. */
export function readCommandLine(args: readonly string[], commands: readonly Command[]): Asked {
  const [first] = args;
  if (first === undefined || first === '--help' || first === '-h' || first === 'help')
    return { kind: 'help' };
  if (first === '--version') return { kind: 'version' };
  const { command, rest } = findCommand(args, commands);
  if (!command) {
    if (rest.some(isHelp)) return { kind: 'help', group: first };
    const { names } = groupOf(first, commands);
    throw new UsageError(`\`${first}\` needs one of these words: ${names.join(', ')}.`);
  }
  if (command.takesAll) return { kind: 'pass', command, args: rest };
  if (rest.some(isHelp)) return { kind: 'help', command };
  return { kind: 'run', command, ...readOptions(command, rest) };
}

const isHelp = (arg: string) => arg === '--help' || arg === '-h';

/** The options that a command takes: its own, and those of the connection. */
export const optionsOf = ({ options, needs }: Command): OptionTable => ({
  ...options,
  ...connectionOptions(needs),
});

/** The command whose words come first; none where only its first word is there. */
function findCommand(
  args: readonly string[],
  commands: readonly Command[],
): { command?: Command; rest: readonly string[] } {
  const [first = '', second = ''] = args;
  const named = (name: string) => commands.find((one) => one.name === name);
  const alone = named(first);
  if (alone) return { command: alone, rest: args.slice(1) };
  const pair = named(`${first} ${second}`);
  if (pair) return { command: pair, rest: args.slice(2) };
  const { names } = groupOf(first, commands);
  if (names.length > 0 && (second === '' || second.startsWith('-'))) return { rest: args.slice(1) };
  const asked = names.length > 0 ? `${first} ${second}` : first;
  const close = closest(`${first} ${second}`.trim(), commands) ?? closest(first, commands);
  const hint = close ? `Did you mean \`${close}\`? ` : '';
  throw new UsageError(`There is no command \`${asked}\`. ${hint}\`platform-webchat --help\` lists all.`);
}

/** The second words of the commands that begin with this one. */
function groupOf(first: string, commands: readonly Command[]): { names: string[] } {
  const names = commands.map(({ name }) => name.split(' '));
  return { names: names.filter(([one, two]) => one === first && two).map(([, two = '']) => two) };
}

/** The name of a command that differs by little: at most two letters. */
function closest(asked: string, commands: readonly Command[]): string | undefined {
  const ranked = commands
    .map(({ name }) => ({ name, far: distance(asked.slice(0, 40), name) }))
    .sort((a, b) => a.far - b.far);
  return ranked[0] && ranked[0].far <= 2 ? ranked[0].name : undefined;
}

/** Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function readOptions(command: Command, args: readonly string[]) {
  const table = optionsOf(command);
  const types = Object.entries(table).map(([name, { value }]) => [
    name,
    { type: value === undefined ? ('boolean' as const) : ('string' as const) },
  ]);
  // Not strict: its words for what is wrong know no cure.
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(types),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, string | boolean | undefined> = {};
  for (const [name, { value }] of Object.entries(table)) if (value === undefined) values[name] = false;
  const words: string[] = [];
  const cure = `\`platform-webchat ${command.name} --help\` says more.`;
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (!option) throw new UsageError(`\`${command.name}\` has no option ${token.rawName}. ${cure}`);
    if (option.value === undefined) {
      if (token.value !== undefined) throw new UsageError(`${token.rawName} takes no value. ${cure}`);
      values[token.name] = true;
      continue;
    }
    // `--url --json` forgot the value; `--url=--json` means it.
    const isForgotten = !token.inlineValue && /^-./.test(token.value ?? '');
    if (!token.value || isForgotten) {
      throw new UsageError(`${token.rawName} needs a value: ${token.rawName} ${option.value}. ${cure}`);
    }
    values[token.name] = token.value;
  }
  const [parameter, extra] = words;
  const wanted = command.parameter;
  if (wanted && !parameter) throw new UsageError(`\`${command.name}\` needs ${wanted.name}. ${cure}`);
  const surplus = wanted ? extra : parameter;
  if (surplus !== undefined) throw new UsageError(`'${surplus}' is one word too many. ${cure}`);
  return { parameter, values };
}
