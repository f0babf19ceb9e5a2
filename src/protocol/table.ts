// Types of the Tables API: tables with columns that a JSON schema describes, rows, queries and jobs.

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

/** The state of one computed cell. */
export interface ComputedCell {
  /**
   * `pending`: waits to be computed. `limited`: waits until a limit of costs allows it. `not_configured`: the server has
   * no language model. `disabled`: the table or the column is switched off.
   */
  status: 'pending' | 'completed' | 'failed' | 'limited' | 'not_configured' | 'disabled';
  /** Why it failed, or why it waits. */
  error?: string;
  /** When the value was written. */
  updatedAt?: string;
  /** Who wrote the value: `ai`, `code`, `import`, or the id of the member, bot or integration that sent it. */
  updatedBy?: string;
}

export interface Column extends ValueSchema {
  'x-zui': ColumnNotes;
}

export interface TableSchema {
  $schema?: string;
  type: 'object';
  /** Unknown columns in a row are not an error: they are omitted, with a warning. */
  additionalProperties: true;
  properties: Record<string, Column>;
  /** Columns that a new row must have. */
  required?: string[];
}

export interface Table {
  id: string;
  /** Unique within its bot; ends with `Table`. */
  name: string;
  /** The maximum size of a row is 4 KB times this factor, 1 to 30. */
  factor: number;
  /** Name and columns cannot be changed any more. Rows can. */
  frozen: boolean;
  /** The column whose values are unique in the table; null: none. */
  keyColumn: string | null;
  schema: TableSchema;
  tags: Record<string, string>;
  isComputeEnabled: boolean;
  createdAt: string;
  updatedAt: string;
}

/** The definition of a table. */
export interface TableFields {
  name: string;
  /** A JSON schema of type `object`, or an example of a row, from which the types are inferred. */
  schema: Record<string, unknown>;
  factor?: number;
  frozen?: boolean;
  keyColumn?: string | null;
  tags?: Record<string, string>;
  isComputeEnabled?: boolean;
}

/** The fields of a table that can change. In `schema`, a column that is null is removed; other columns stay. */
export type TableChanges = Partial<Omit<TableFields, 'tags'>> & { tags?: Record<string, string | null> };

/** The number of rows of a table. */
export interface TableCounts {
  rows: number;
  /** The rows with computed cells that wait to be computed. */
  stale: number;
  /** The rows that are found by words only, because they wait for their vectors. */
  indexing: number;
}

/** A row: the columns are next to `id`. */
export interface Row {
  id: number;
  createdAt: string;
  updatedAt: string;
  /** The states of the computed cells, by column. */
  computed: Record<string, ComputedCell>;
  /** The computed columns whose values wait to be computed (again). */
  stale?: string[];
  /** With `search`: how well the row matches, 0 to 1. */
  similarity?: number;
  [column: string]: unknown;
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

export interface RowQuery {
  /** 1 to 1000. Default: 100. */
  limit?: number;
  offset?: number;
  filter?: RowFilter;
  group?: RowGroup;
  /** Words to search for in the searchable columns; at most 1024 characters. */
  search?: string;
  /** Columns, or dotted paths into them, that the response contains. `id` and the times are always included. */
  select?: string[];
  /** A column, or a dotted path. Default: `id`, or with `search` the similarity. */
  orderBy?: string;
  orderDirection?: 'asc' | 'desc';
}

export interface FoundRows {
  /** With `group`: the groups, which do not have an `id`. */
  rows: (Row | Record<string, unknown>)[];
  hasMore: boolean;
  offset: number;
  limit: number;
  warnings?: string[];
}

/** The result for the rows of a request: some may be refused while others are stored. */
export interface RowReport {
  /** Values that were omitted from rows that were stored. */
  warnings?: string[];
  /** Rows that were refused, each with its index in the request, from 0. */
  errors?: string[];
}

export type TableJobType =
  | 'export'
  | 'import'
  | 'clear_column'
  | 'clear_vectors'
  | 'delete_rows'
  | 'duplicate_table';

export type TableJobStatus = 'pending' | 'in_progress' | 'finalizing' | 'completed' | 'failed';

/** Work on a table that continues after the response. */
export interface TableJob {
  id: string;
  botId: string;
  tableId: string;
  type: TableJobType;
  status: TableJobStatus;
  /** 0 to 100. */
  progress: number;
  /** Of an import: the file that is read. */
  inputFileId: string | null;
  /** Of an export: the file that was written. */
  outputFileId: string | null;
  /** An addition to the API: why it failed. */
  failedStatusReason?: string;
  /** An addition to the API. For an import: rows that were refused, at most 100. */
  warnings?: string[];
  createdAt: string;
  updatedAt: string;
}

/** A job in the response to the request that starts it. */
export type StartedJob = Pick<TableJob, 'id' | 'status'>;
