// What a table is: columns that a JSON schema describes, rows, what can be asked of them, and jobs. No behaviour.

/** What a column may hold. */
export type ColumnType = 'string' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** What a value inside a column must be. */
export interface ValueSchema {
  type: ColumnType;
  /** Of texts: an instant, ISO 8601. It is stored in UTC, so that texts compare as instants do. */
  format?: 'date-time';
  description?: string;
  /** Of texts: what must be found in them, a regular expression in RE2 syntax. */
  pattern?: string;
  /** Of texts: the only ones. */
  enum?: string[];
  /** Of arrays: what every item must be. */
  items?: ValueSchema;
  /** Whether null is a value; true when left out. */
  nullable?: boolean;
  /** Of objects: what their fields must be. Other fields are kept as they are. */
  properties?: Record<string, ValueSchema>;
  /** Of objects: fields that must be there. */
  required?: string[];
}

/** What is said of a column beside its values. */
export interface ColumnNotes {
  /** The column's place, from 0. */
  index: number;
  id?: string;
  title?: string;
  /** Its texts are what `search` looks through. */
  searchable?: boolean;
  hidden?: boolean;
  order?: number;
  width?: number;
  schemaId?: string;
  /** Kept, and not run: this server has no model to compute with. */
  computed?: Record<string, unknown>;
  typings?: string;
}

export interface Column extends ValueSchema {
  'x-zui': ColumnNotes;
}

export interface TableSchema {
  $schema?: string;
  type: 'object';
  /** Unknown columns in a row are no error: they are left out, with a warning. */
  additionalProperties: true;
  properties: Record<string, Column>;
  /** Columns that a new row must have. */
  required?: string[];
}

export interface Table {
  id: string;
  /** Unique in its bot; ends with `Table`. */
  name: string;
  /** A row may have 4 KB times this, 1 to 30. */
  factor: number;
  /** Name and columns cannot change any more. Rows can. */
  frozen: boolean;
  /** The column whose values are unique in the table; null: none. */
  keyColumn: string | null;
  schema: TableSchema;
  tags: Record<string, string>;
  isComputeEnabled: boolean;
  createdAt: string;
  updatedAt: string;
}

/** What a table is made of. */
export interface TableFields {
  name: string;
  /** A JSON schema of type `object`, or an example of a row, from which the types are taken. */
  schema: Record<string, unknown>;
  factor?: number;
  frozen?: boolean;
  keyColumn?: string | null;
  tags?: Record<string, string>;
  isComputeEnabled?: boolean;
}

/** What can change of a table. In `schema`, a column that is null is removed; one that is not named stays. */
export type TableChanges = Partial<Omit<TableFields, 'tags'>> & { tags?: Record<string, string | null> };

/** How many rows a table has; none is ever stale or waits for an index here. */
export interface TableCounts {
  rows: number;
  stale: number;
  indexing: number;
}

/** A row: the columns stand beside `id`. */
export interface Row {
  id: number;
  createdAt: string;
  updatedAt: string;
  /** Always empty: nothing is computed here. */
  computed: Record<string, never>;
  /** With `search`: how well the row fits, 0 to 1. */
  similarity?: number;
  [column: string]: unknown;
}

/** A row as it is sent: any of its columns. */
export type RowFields = Record<string, unknown>;

/**
 * A condition for rows: columns (or dotted paths into them) with a value, or with operators; `$and`, `$or`, `$not`
 * join conditions. The operators are listed in docs/guides/tables.md.
 */
export type RowFilter = Record<string, unknown>;

export type GroupOperation = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'unique';

/** Columns by which rows are grouped (`key`), and what is told of the others. */
export type RowGroup = Record<string, 'key' | GroupOperation | GroupOperation[]>;

export interface RowQuery {
  /** 1 to 1000; 100 when left out. */
  limit?: number;
  offset?: number;
  filter?: RowFilter;
  group?: RowGroup;
  /** Words to look for in the searchable columns; at most 1024 characters. */
  search?: string;
  /** Columns, or dotted paths into them, that the rows shall have. `id` and the times are always there. */
  select?: string[];
  /** A column, or a dotted path; `id` when left out, and with `search` the similarity. */
  orderBy?: string;
  orderDirection?: 'asc' | 'desc';
}

export interface FoundRows {
  /** With `group`: the groups, which have no `id`. */
  rows: (Row | Record<string, unknown>)[];
  hasMore: boolean;
  offset: number;
  limit: number;
  warnings?: string[];
}

/** What is said of rows that were sent: some may be refused while others are stored. */
export interface RowReport {
  /** What was left out, of rows that were stored. */
  warnings?: string[];
  /** Rows that were refused, each with its place in the request, from 0. */
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

/** Work on a table that goes on after the answer. */
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
  /** Addition. Why it failed. */
  failedStatusReason?: string;
  /** Addition. Of an import: rows that were refused, at most 100. */
  warnings?: string[];
  createdAt: string;
  updatedAt: string;
}

/** A job as the answer that begins it names it. */
export type StartedJob = Pick<TableJob, 'id' | 'status'>;
