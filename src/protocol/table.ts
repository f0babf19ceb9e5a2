// Types of the Tables API that say more than their schemas: columns, which a JSON schema describes, and queries of rows.

/** The type of the values of a column. */
export type ColumnType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** The constraints of a value in a column. */
export interface ValueSchema {
  type: ColumnType;
  /** For texts: an instant, ISO 8601. It is stored in UTC, so that texts sort like instants. */
  format?: 'date-time';
  description?: string;
  /** For texts: a regular expression in RE2 syntax that must match. */
  pattern?: string;
  /** For texts: the allowed values. */
  enum?: string[];
  /** For arrays: the constraints of every item. */
  items?: ValueSchema;
  /** Whether null is allowed. Default: true. */
  nullable?: boolean;
  /** For objects: the constraints of their fields. Other fields are kept unchanged. */
  properties?: Record<string, ValueSchema>;
  /** For objects: the required fields. */
  required?: string[];
}

/** The properties of a column in addition to its values. */
export interface ColumnNotes {
  /** The index of the column, from 0. */
  index: number;
  id?: string;
  title?: string;
  /** Whether `search` includes its texts. */
  searchable?: boolean;
  hidden?: boolean;
  order?: number;
  width?: number;
  schemaId?: string;
  /** How the values of the column are computed. */
  computed?: Record<string, unknown>;
  typings?: string;
}

/** The definition of a computed column. */
export interface ColumnComputation {
  /** `code`: a formula. `ai`: a language model. `workflow`: not on this server; the cells say so. */
  action: 'ai' | 'code' | 'workflow';
  /** The columns whose changes make a cell stale. The model sees these, by default all that are not computed. */
  dependencies?: string[];
  /** With `ai`: what the model has to do. */
  prompt?: string;
  /** With `code`: a formula (docs/guides/tables.md). */
  code?: string;
  /** Stored; the setting AGENT_MODEL names the model that is used. */
  model?: string;
  workflowId?: string;
  /** Default: true. */
  enabled?: boolean;
}

export interface Column extends ValueSchema {
  'x-zui': ColumnNotes;
}

/** A row of a search: the selected columns, or all. With `group`, the columns of the groups, which have no `id`. */
export interface FoundRow {
  id: number;
  [column: string]: unknown;
}

/** A row as a client sends it: any of its columns. */
export type RowFields = Record<string, unknown>;

/**
 * A condition for rows: columns (or dotted paths into them) with a value, or with operators; `$and`, `$or`, `$not`
 * combine conditions. The operators are listed in docs/guides/tables.md.
 */
export type RowFilter = Record<string, unknown>;

export type GroupOperation = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'unique';

/** Columns by which rows are grouped (`key`), and aggregations of the others. */
export type RowGroup = Record<string, 'key' | GroupOperation | GroupOperation[]>;
