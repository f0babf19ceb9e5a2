// Generated from src/protocol/schemas/tables.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Column, RowGroup } from '../table.ts';

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
export interface TableChanges {
  /** A JSON schema of type `object`, or an example of a row, from which the types are inferred. */
  schema?: Record<string, unknown>;
  factor?: number;
  frozen?: boolean;
  keyColumn?: string | null;
  tags?: Record<string, string | null>;
  isComputeEnabled?: boolean;
  name?: string;
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
  /** The author of the value: `ai`, `code`, `import`, or the id of the member, bot or integration that sent it. */
  updatedBy?: string;
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
  [key: string]: unknown;
}

export interface RowQuery {
  /** 1 to 1000. Default: 100. */
  limit?: number;
  offset?: number;
  /** Conditions for rows: docs/guides/tables.md. */
  filter?: Record<string, unknown>;
  group?: RowGroup;
  /** Words to search for in the searchable columns; at most 1024 characters. */
  search?: string;
  /** Columns, or dotted paths into them, that the response contains. `id` and the times are always included. */
  select?: string[];
  /** A column, or a dotted path. Default: `id`, or with `search` the similarity. */
  orderBy?: string;
  orderDirection?: 'asc' | 'desc';
}

/** The result for the rows of a request: some may be refused while others are stored. */
export interface RowReport {
  /** Values that were omitted from rows that were stored. */
  warnings?: string[];
  /** Rows that were refused, each with its index in the request, from 0. */
  errors?: string[];
}

export type TableJobType = 'export' | 'import' | 'clear_column' | 'clear_vectors' | 'delete_rows' | 'duplicate_table';

export type TableJobStatus = 'pending' | 'in_progress' | 'finalizing' | 'completed' | 'failed';

/** Work on a table that continues after the response. */
export interface TableJob extends StartedJob {
  botId: string;
  tableId: string;
  type: TableJobType;
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
export interface StartedJob {
  id: string;
  status: TableJobStatus;
}
