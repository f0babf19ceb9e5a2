// Schemas of the Tables API on the wire. The compiler checks them against the types.
import * as v from 'valibot';
import { limits } from '../limits.ts';
import type {
  Column,
  ComputedCell,
  FoundRow,
  Row,
  RowQuery,
  StartedJob,
  Table,
  TableChanges,
  TableFields,
  TableJob,
  TableSchema,
} from '../table.ts';
import { schemaOf } from './base/schema-of.ts';
import { maybe, storableText, timestamp } from './base/values.ts';
import { boundedArray } from './pre-validation.ts';
import { queries } from './query.ts';
import { tagsOf, tagsWithLimit } from './tags.ts';

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
  schema: data,
  factor: maybe(factor),
  frozen: maybe(v.boolean()),
  keyColumn: maybe(v.nullable(v.string())),
  tags: maybe(limitedTags(text(limits.tables.tagValue))),
  isComputeEnabled: maybe(v.boolean()),
};
const newTable = schemaOf<TableFields>()(v.object({ name, ...tableFields }));

const tableChanges = schemaOf<TableChanges>()(
  v.object({
    ...tableFields,
    name: maybe(name),
    schema: maybe(data),
    tags: maybe(limitedTags(v.nullable(text(limits.tables.tagValue)))),
  }),
);

/** Columns are nested; src/server/tables/columns.ts checks their other fields. */
const column = v.looseObject({
  type: v.picklist(['string', 'number', 'boolean', 'object', 'array', 'null']),
  'x-zui': v.looseObject({ index: v.number() }),
}) as v.GenericSchema<Column>;

const tableSchema = schemaOf<TableSchema>()(
  v.object({
    $schema: maybe(v.string()),
    type: v.literal('object'),
    additionalProperties: v.literal(true),
    properties: v.record(v.string(), column),
    required: maybe(v.array(v.string())),
  }),
);

const table = schemaOf<Table>()(
  v.object({
    id: v.string(),
    name: v.string(),
    factor,
    frozen: v.boolean(),
    keyColumn: v.nullable(v.string()),
    schema: tableSchema,
    tags: v.record(v.string(), v.string()),
    isComputeEnabled: v.boolean(),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
);

const computedCell = schemaOf<ComputedCell>()(
  v.object({
    status: v.picklist(['pending', 'completed', 'failed', 'limited', 'not_configured', 'disabled']),
    error: maybe(v.string()),
    updatedAt: maybe(timestamp),
    updatedBy: maybe(v.string()),
  }),
);

const row: v.GenericSchema<unknown, Row> = schemaOf<Row>()(
  v.looseObject({
    id: whole(1, limits.tables.rowId),
    createdAt: timestamp,
    updatedAt: timestamp,
    computed: v.record(v.string(), computedCell),
    stale: maybe(v.array(v.string())),
    similarity: maybe(v.number()),
  }),
);

const jobStatus = v.picklist(['pending', 'in_progress', 'finalizing', 'completed', 'failed']);
const job = schemaOf<TableJob>()(
  v.object({
    id: v.string(),
    botId: v.string(),
    tableId: v.string(),
    type: v.picklist(['export', 'import', 'clear_column', 'clear_vectors', 'delete_rows', 'duplicate_table']),
    status: jobStatus,
    progress: whole(0, 100),
    inputFileId: v.nullable(v.string()),
    outputFileId: v.nullable(v.string()),
    failedStatusReason: maybe(v.string()),
    warnings: maybe(v.array(v.string())),
    createdAt: timestamp,
    updatedAt: timestamp,
  }),
);
const startedJob = schemaOf<StartedJob>()(v.object({ id: v.string(), status: jobStatus }));

const rows = boundedArray(data, limits.tables.rows, 1);
const waitComputed = maybe(v.boolean());
const path = v.pipe(v.string(), v.minLength(1), v.maxLength(1_000));

/** src/server/tables checks the functions of `group`. */
type UncheckedRowQuery = Omit<RowQuery, 'group'> & { group?: Record<string, unknown> };
const rowQuery = schemaOf<UncheckedRowQuery>()(
  v.object({
    limit: maybe(whole(1, limits.tables.rows)),
    offset: maybe(whole(0, limits.tables.rowId)),
    filter: maybe(data),
    group: maybe(data),
    search: maybe(v.pipe(v.string(), v.maxLength(limits.tables.search))),
    select: maybe(boundedArray(path, 100)),
    orderBy: maybe(path),
    orderDirection: maybe(v.picklist(['asc', 'desc'])),
  }),
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
  counts: { rows: v.number(), stale: v.number(), indexing: v.number() },
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
  foundRow: v.looseObject({}) as unknown as v.GenericSchema<unknown, FoundRow>,
  removal,
  report: { warnings: maybe(v.array(v.string())), errors: maybe(v.array(v.string())) },
  warnings: maybe(v.array(v.string())),
  job,
  startedJob,
  exportQuery: v.object({ format: maybe(v.picklist(['csv', 'json'])), compress: maybe(queries.flag) }),
  importBody: v.object({ fileId: v.pipe(text(1_000), v.minLength(1)) }),
};
