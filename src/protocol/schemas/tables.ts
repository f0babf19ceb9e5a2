// Schemas of the Tables API: tables, rows, queries and jobs.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import type { Column, FoundRow } from '../table.ts';
import type { Row } from '../types/tables.ts';
import { queries } from './query.ts';
import { tagsOf, tagsWithLimit } from './tags.ts';
import {
  boundedArray,
  described,
  describedObject,
  maybe,
  storableText,
  timestamp,
  writtenType,
} from './values.ts';

/** An object with any fields. v.record would accept a list; an empty list would be a filter that matches all rows. */
const data = v.pipe(
  v.unknown(),
  Object.assign(
    v.rawTransform<unknown, Record<string, unknown>>(({ dataset, addIssue, NEVER }) => {
      const { value } = dataset;
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
      addIssue({ message: 'Expected an object.' });
      return NEVER;
    }),
    // For the OpenAPI document, which cannot be derived from a function.
    { metadata: { documentedAs: { type: 'object' } } },
  ),
);
const whole = (least: number, most: number) =>
  v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));
const text = (most: number) => v.pipe(storableText, v.maxLength(most));

/** src/server/tables/structure.ts checks the other rules. */
const name = v.pipe(
  v.string(),
  v.maxLength(limits.tables.name),
  v.regex(/^[^\0\ud800-\udfff]*Table$/, 'Expected a name that ends with "Table".'),
);
const factor = whole(1, limits.tables.factor);
const tag = v.pipe(text(limits.tables.tagKey), v.minLength(1));
const limitedTags = <T extends v.GenericSchema>(value: T) => tagsWithLimit(tag, value, limits.tables.tags);

/** The definition of a table, without its name. */
const tableFields = {
  schema: described(
    data,
    'A JSON schema of type `object`, or an example of a row, from which the types are inferred.',
  ),
  factor: maybe(factor),
  frozen: maybe(v.boolean()),
  keyColumn: maybe(v.nullable(v.string())),
  tags: maybe(limitedTags(text(limits.tables.tagValue))),
  isComputeEnabled: maybe(v.boolean()),
};
const newTable = describedObject('The definition of a table.', { name, ...tableFields });

const tableChanges = describedObject(
  'The fields of a table that can change. In `schema`, a column that is null is removed; other columns stay.',
  {
    ...tableFields,
    name: maybe(name),
    schema: maybe(tableFields.schema),
    tags: maybe(limitedTags(v.nullable(text(limits.tables.tagValue)))),
  },
);

/** Columns are nested; src/server/tables/columns.ts checks their other fields. */
const column = writtenType<Column>(
  'Column',
  'table.ts',
  v.looseObject({
    type: v.picklist(['string', 'number', 'boolean', 'object', 'array', 'null']),
    'x-zui': v.looseObject({ index: v.number() }),
  }),
);

const tableSchema = v.object({
  $schema: maybe(v.string()),
  type: v.literal('object'),
  additionalProperties: described(
    v.literal(true),
    'Unknown columns in a row are not an error: they are omitted, with a warning.',
  ),
  properties: v.record(v.string(), column),
  required: maybe(v.array(v.string()), 'Columns that a new row must have.'),
});

const table = v.object({
  id: v.string(),
  name: described(v.string(), 'Unique within its bot; ends with `Table`.'),
  factor: described(factor, 'The maximum size of a row is 4 KB times this factor, 1 to 30.'),
  frozen: described(v.boolean(), 'Name and columns cannot be changed any more. Rows can.'),
  keyColumn: described(
    v.nullable(v.string()),
    'The column whose values are unique in the table; null: none.',
  ),
  schema: tableSchema,
  tags: v.record(v.string(), v.string()),
  isComputeEnabled: v.boolean(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const computedCell = describedObject('The state of one computed cell.', {
  status: described(
    v.picklist(['pending', 'completed', 'failed', 'limited', 'not_configured', 'disabled']),
    '`pending`: waits to be computed. `limited`: waits until a limit of costs allows it. ' +
      '`not_configured`: the server has no language model. `disabled`: the table or the column is ' +
      'switched off.',
  ),
  error: maybe(v.string(), 'Why it failed, or why it waits.'),
  updatedAt: maybe(timestamp, 'When the value was written.'),
  updatedBy: maybe(
    v.string(),
    'The author of the value: `ai`, `code`, `import`, or the id of the member, bot or integration that sent it.',
  ),
});

/** The inferred type would be an intersection. */
const row: v.GenericSchema<unknown, Row> = described(
  v.looseObject({
    id: whole(1, limits.tables.rowId),
    createdAt: timestamp,
    updatedAt: timestamp,
    computed: described(v.record(v.string(), computedCell), 'The states of the computed cells, by column.'),
    stale: maybe(v.array(v.string()), 'The computed columns whose values wait to be computed (again).'),
    similarity: maybe(v.number(), 'With `search`: how well the row matches, 0 to 1.'),
  }),
  'A row: the columns are next to `id`.',
);

const jobStatus = v.picklist(['pending', 'in_progress', 'finalizing', 'completed', 'failed']);
const jobType = v.picklist([
  'export',
  'import',
  'clear_column',
  'clear_vectors',
  'delete_rows',
  'duplicate_table',
]);
const job = describedObject('Work on a table that continues after the response.', {
  id: v.string(),
  botId: v.string(),
  tableId: v.string(),
  type: jobType,
  status: jobStatus,
  progress: described(whole(0, 100), '0 to 100.'),
  inputFileId: described(v.nullable(v.string()), 'Of an import: the file that is read.'),
  outputFileId: described(v.nullable(v.string()), 'Of an export: the file that was written.'),
  failedStatusReason: maybe(v.string(), 'An addition to the API: why it failed.'),
  warnings: maybe(
    v.array(v.string()),
    'An addition to the API. For an import: rows that were refused, at most 100.',
  ),
  createdAt: timestamp,
  updatedAt: timestamp,
});
const { id, status } = job.entries;
const startedJob = describedObject('A job in the response to the request that starts it.', { id, status });

const rows = boundedArray(data, limits.tables.rows, 1);
const waitComputed = maybe(v.boolean());
const path = v.pipe(v.string(), v.minLength(1), v.maxLength(1_000));

const rowQuery = v.object({
  limit: maybe(whole(1, limits.tables.rows), '1 to 1000. Default: 100.'),
  offset: maybe(whole(0, limits.tables.rowId)),
  filter: maybe(data, 'Conditions for rows: docs/guides/tables.md.'),
  // src/server/tables checks the functions.
  group: maybe(writtenType<Record<string, unknown>>('RowGroup', 'table.ts', data)),
  search: maybe(
    v.pipe(v.string(), v.maxLength(limits.tables.search)),
    'Words to search for in the searchable columns; at most 1024 characters.',
  ),
  select: maybe(
    boundedArray(path, 100),
    'Columns, or dotted paths into them, that the response contains. `id` and the times are always included.',
  ),
  orderBy: maybe(path, 'A column, or a dotted path. Default: `id`, or with `search` the similarity.'),
  orderDirection: maybe(v.picklist(['asc', 'desc'])),
});

/** The number of rows of a table. */
const counts = {
  rows: v.number(),
  stale: described(v.number(), 'The rows with computed cells that wait to be computed.'),
  indexing: described(
    v.number(),
    'The rows that are found by words only, because they wait for their vectors.',
  ),
};

const report = describedObject(
  'The result for the rows of a request: some may be refused while others are stored.',
  {
    warnings: maybe(v.array(v.string()), 'Values that were omitted from rows that were stored.'),
    errors: maybe(v.array(v.string()), 'Rows that were refused, each with its index in the request, from 0.'),
  },
);

const removal = v.object({
  ids: maybe(boundedArray(whole(1, limits.tables.rowId), limits.tables.rows, 1)),
  filter: maybe(data),
  deleteAllRows: maybe(v.literal(true)),
});

export const tableSchemas = {
  tableName: name,
  newTable,
  /** The fields of a table whose name is in the address. */
  tableFields: v.object(tableFields),
  tableChanges,
  renaming: v.object({ name: v.string(), newName: v.string() }),
  duplication: v.object({ tableName: maybe(name), schemaOnly: maybe(v.boolean()), factor: maybe(factor) }),
  table,
  counts,
  tagQuery: tagsOf(v.string(), v.string()),
  row,
  rowId: queries.wholeNumber(1, limits.tables.rowId),
  newRows: v.object({ rows, waitComputed }),
  /** The same, because a row without an id is reported in `errors`. */
  changedRows: v.object({
    rows: v.pipe(rows, v.metadata({ clientType: '{ id: number; [column: string]: unknown }[]' })),
    waitComputed,
  }),
  upsert: v.object({ rows, keyColumn: maybe(v.string()), waitComputed }),
  rowQuery,
  /** Rows, or groups, which have no `id`: the type is that of a row. */
  foundRow: writtenType<FoundRow>('FoundRow', 'table.ts', v.looseObject({})),
  removal,
  report: report.entries,
  warnings: maybe(v.array(v.string())),
  job,
  startedJob,
  exportQuery: v.object({ format: maybe(v.picklist(['csv', 'json'])), compress: maybe(queries.flag) }),
  importBody: v.object({ fileId: v.pipe(text(1_000), v.minLength(1)) }),
};

export const types = {
  TableSchema: tableSchema,
  Table: table,
  TableFields: newTable,
  TableChanges: tableChanges,
  ComputedCell: computedCell,
  Row: row,
  RowQuery: rowQuery,
  RowReport: report,
  TableJobType: jobType,
  TableJobStatus: jobStatus,
  TableJob: job,
  StartedJob: startedJob,
};
