// The type of one setting: its documentation, its default, and how its text is parsed.

/** One row of the table of settings. */
export interface Setting<T> {
  /** The description in the documentation and in `--help`. */
  doc: string;
  /** The text that is used for an unset variable; undefined when the value is then optional or generated. */
  default?: string;
  /** The description of a default that is not a text. */
  defaultDoc?: string;
  /** The value, or undefined when the text is not one; `must` says what it has to be. */
  read(text: string): T | undefined;
  must: string;
  /** Only read from the environment: every user of the machine can see command lines. */
  isSecret?: true;
}
