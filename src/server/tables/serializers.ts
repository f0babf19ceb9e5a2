// Serializes tables and rows for responses.
import type { Row, Table, TableSchema } from '../../protocol/types/tables.ts';
import { timestamp } from '../api/serializers.ts';
import type { StoredRow } from '../storage/tables/rows.ts';
import type { TableRow } from '../storage/tables/tables.ts';
import { describeCells, readStates } from './computed/cells.ts';
import { definitionsOf } from './computed/definitions.ts';
import { isComputeEnabled, type OpenTable, valuesOf } from './open-table.ts';

/** Serializes a table for responses. */
export function serializeTable(record: TableRow): Table {
  const schema: TableSchema = JSON.parse(record.schema);
  return {
    id: record.id,
    name: record.name,
    factor: record.factor,
    frozen: record.frozen === 1,
    keyColumn: record.keyColumn,
    schema,
    tags: JSON.parse(record.tags),
    isComputeEnabled: isComputeEnabled(record, schema),
    createdAt: timestamp(record.createdAt),
    updatedAt: timestamp(record.updatedAt),
  };
}

/** Serializes a row for responses: every column of the table, null if there is no value. */
export function serializeRow(table: OpenTable, stored: StoredRow): Row {
  const row = valuesOf(table, stored) as Row;
  row.id = stored.id;
  row.createdAt = timestamp(stored.createdAt);
  row.updatedAt = timestamp(stored.updatedAt);
  return Object.assign(row, computedOf(table, stored));
}

/** The states of the computed cells of a row. */
function computedOf(table: OpenTable, { computed }: StoredRow): Pick<Row, 'computed' | 'stale'> {
  const definitions = definitionsOf(table);
  if (definitions.length === 0) return { computed: {} };
  const isEnabled = isComputeEnabled(table.record, table.schema);
  return describeCells(definitions, readStates(computed), { isEnabled, hold: table.hold });
}
