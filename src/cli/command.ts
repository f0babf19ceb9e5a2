// What a command is: one row, from which parsing, --help and docs/reference/cli.md are derived. It runs nothing.
import type { Readable } from 'node:stream';
import type { Client } from '../client/index.ts';

/** A stream of text that may be a terminal. */
export interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  /** Of a terminal: characters in a line. */
  columns?: number | undefined;
}

/** What the program is given of the world. */
export interface Io {
  stdin: Readable & { isTTY?: boolean | undefined };
  stdout: Output;
  stderr: Output;
  env: Record<string, string | undefined>;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

export interface Option {
  /** What --help and the documentation say. */
  doc: string;
  /** The word for its value; left out for a switch. */
  value?: string;
  /** The variable of the environment that stands in for it. */
  env?: string;
}
export type OptionTable = Record<string, Option>;

/** The options as values: texts as they were given, switches as true or false. */
export type Values<O extends OptionTable> = {
  [N in keyof O]: O[N] extends { value: string } ? string | undefined : boolean;
};

/** What a command works with. */
export interface Call<O extends OptionTable = OptionTable, P extends string | undefined = string> {
  /** What stands in the place of its parameter. */
  parameter: P;
  options: Values<O>;
  io: Io;
  /** The address of the server, for what is said about it. */
  apiUrl: string;
  /** A client with the settings of the connection. Throws UsageError for what is missing. */
  connect(): Promise<Client>;
}

interface Common {
  /** Its words: `bots create`. */
  name: string;
  /** One line, as a sentence. */
  summary: string;
  /** The one thing that is named without an option. */
  parameter?: { name: string; doc: string };
  /** Whose things are meant: which settings of the connection it takes. Left out: it needs no server. */
  needs?: 'workspace' | 'bot';
  options: OptionTable;
  /** What follows the program's name in an example. */
  example: string;
}

/** A row, its types forgotten. With `takesAll` it reads all arguments by itself, `--help` too. */
export type Command = Common &
  (
    | { run(call: Call): Promise<void>; takesAll?: never }
    | { takesAll(args: readonly string[], io: Io): Promise<void>; run?: never }
  );

type Row<O extends OptionTable, P extends Common['parameter']> = Omit<Common, 'options' | 'parameter'> & {
  options: O;
  parameter?: P;
  run(call: Call<O, P extends object ? string : undefined>): Promise<void>;
};

/** Makes a row of the table. */
export function command<const O extends OptionTable, const P extends Common['parameter'] = undefined>(
  row: Row<O, P>,
): Command {
  return row as unknown as Command;
}
