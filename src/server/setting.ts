// The type of one setting: how its text is read, what it means, and what the documentation says.

/** One row of the table of settings. */
export interface Setting<T> {
  /** What the table of the documentation says. */
  doc: string;
  /** The text that stands in for an unset variable; undefined where the value is then made elsewhere. */
  default?: string;
  /** The default in words, where it is not a text. */
  defaultDoc?: string;
  /** The value, or undefined when the text is not one; `must` says what it has to be. */
  read(text: string): T | undefined;
  must: string;
  /** Only in the environment: what stands on a command line is seen by everybody on the machine. */
  isSecret?: true;
}
