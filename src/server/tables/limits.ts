// Every limit of tables in one table, with its unit. No behaviour.

export const tableLimits = {
  /** Characters of a table's name. */
  name: 64,
  /** Columns of a table. */
  columns: 20,
  /** Characters of a column's name. */
  columnName: 30,
  /** Bytes of a table's schema as JSON: it is read with every request. */
  schemaBytes: 100_000,
  /** Levels of objects and arrays within a schema, a value or a filter. */
  depth: 32,
  /** Tags of a table, and characters of their keys and values. */
  tags: 50,
  tagKey: 100,
  tagValue: 1_000,
  /** Bytes of a row as JSON, for each unit of the table's factor (4 KB). */
  rowBytes: 4_096,
  factor: 30,
  /** The greatest id of a row: 32 bits with a sign. */
  rowId: 2_147_483_647,
  /** Rows, or ids, in one request, and rows in one answer. */
  rows: 1_000,
  /** Rows in an answer when nobody says. */
  defaultRows: 100,
  /** Bytes of one answer with rows (as of one request: SPEC "Limits", Tables API). */
  answerBytes: 40_000_000,
  /** Characters of a search. */
  search: 1_024,
  /** Different words of a search that are looked for: the first. */
  searchWords: 32,
  /** Conditions in one filter; a regular expression counts as 100. */
  conditions: 1_000,
  /** Characters of a regular expression, and instructions of the program that it becomes. */
  pattern: 500,
  patternProgram: 500,
  /** Characters that patterns read in one request, all rows together: a second of work at the worst. */
  patternWork: 2_000_000,
  /** Groups, and different values that `unique` counts, in one answer. */
  groups: 100_000,
  /** Bytes of one row in a file that is imported. */
  importedRowBytes: 1_000_000,
  /** Bytes of a file that is imported, when it is unpacked. */
  importBytes: 1_000_000_000,
  /** Refused rows that a job remembers. */
  jobWarnings: 100,
} as const;
