// Finds rows: filter, search, grouping, order and page. Reads the table in batches and keeps only the data that the
// page needs.
import { limits } from '../../../protocol/limits.ts';
import type { Row, RowQuery } from '../../../protocol/types/tables.ts';
import { ApiError } from '../../api/errors.ts';
import { createYielder } from '../../api/yielder.ts';
import type { Tx } from '../../storage/database.ts';
import type { StoredRow } from '../../storage/tables/rows.ts';
import type { OpenTable } from '../open-table.ts';
import { serializeRow } from '../serializers.ts';
import { cachedText, compare } from './compare.ts';
import { everyRow, type Filter, fits, readFilter } from './filter.ts';
import { createGroups, type Grouping, outputNames, readGroup } from './group.ts';
import { type Path, readPath, systemColumns, valueAt } from './path.ts';
import { loadIds, loadInOrder, scanRows } from './scan.ts';
import { type RowSearch, type Searched, searchableColumns, searchedText } from './search.ts';
import { sortInPieces } from './sort.ts';

export interface FoundRows {
  /** With `group`: the groups, which do not have an `id`. */
  rows: (Row | Record<string, unknown>)[];
  hasMore: boolean;
  offset: number;
  limit: number;
  warnings?: string[];
}

/** A validated query with its defaults. */
interface Plan {
  table: OpenTable;
  limit: number;
  offset: number;
  filter: Filter;
  grouping: Grouping | undefined;
  search: string | undefined;
  /** Undefined: all columns. */
  select: Path[] | undefined;
  /** Undefined: by id, or by similarity. */
  orderBy: string | undefined;
  direction: 'asc' | 'desc';
}

/** Validates the query and finds rows. Throws InvalidPayload. Equal rows are ordered by id. */
export async function findRows(
  tx: Tx,
  table: OpenTable,
  query: RowQuery,
  rank: RowSearch,
): Promise<FoundRows> {
  const plan = readQuery(table, query);
  assertReach(plan);
  const { offset, limit } = plan;
  const similarities =
    plan.search === undefined ? undefined : await rank(plan.search, searched(tx, plan), table.record.storeId);
  const page = plan.grouping
    ? await grouped(tx, plan, plan.grouping, similarities)
    : await ordered(tx, plan, similarities);
  const warnings = warningsOf(plan);
  return {
    rows: page.slice(0, limit),
    hasMore: page.length > limit,
    offset,
    limit,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function readQuery(table: OpenTable, query: RowQuery): Plan {
  const { schema } = table;
  const grouping = query.group === undefined ? undefined : readGroup(schema, query.group);
  const { orderBy } = query;
  if (orderBy !== undefined) {
    if (!grouping) readPath(schema, orderBy);
    else if (!outputNames(grouping).includes(orderBy)) {
      throw new ApiError('InvalidPayload', 'orderBy: groups have no such column.');
    }
  }
  return {
    table,
    limit: query.limit ?? limits.tables.defaultRows,
    offset: query.offset ?? 0,
    filter: query.filter === undefined ? everyRow : readFilter(schema, query.filter),
    grouping,
    search: query.search?.trim() ? query.search : undefined,
    select: query.select?.map((text) => readPath(schema, text)),
    orderBy,
    direction: query.orderDirection ?? 'asc',
  };
}

/**
 * Throws when the page is too far from the beginning. The order by id has an index; for any other order all rows before
 * the page are kept in memory.
 */
function assertReach({ grouping, search, orderBy = 'id', offset, limit }: Plan): void {
  if (grouping || (search === undefined && orderBy === 'id')) return;
  const most = limits.tables.orderedRows;
  if (offset + limit > most) {
    throw new ApiError(
      'InvalidPayload',
      `offset: Rows in an order are found up to ${most} (offset and limit together): use a filter.`,
    );
  }
}

/** Returns warnings about parts of the query that have no effect. */
function warningsOf({ table, search, grouping, select }: Plan): string[] {
  const warnings: string[] = [];
  if (search !== undefined && searchableColumns(table).length === 0) {
    warnings.push('No column is searchable (x-zui.searchable), so the search finds nothing.');
  }
  if (grouping && search !== undefined) warnings.push('Groups have no similarity.');
  if (grouping && select) warnings.push('Groups have the columns of `group`, so `select` changes nothing.');
  return warnings;
}

async function* matching(tx: Tx, { table, filter }: Plan, direction: 'asc' | 'desc'): AsyncGenerator<Row[]> {
  const yielder = createYielder();
  for await (const rows of scanRows((work) => work(tx), table, direction)) {
    const found: Row[] = [];
    for (const row of rows) {
      if (fits(filter, row)) found.push(row);
      if (yielder.shouldYield()) await yielder.yieldToEventLoop();
    }
    yield found;
  }
}

async function* searched(tx: Tx, plan: Plan): AsyncGenerator<Searched[]> {
  const columns = searchableColumns(plan.table);
  if (columns.length === 0) return;
  for await (const rows of matching(tx, plan, 'asc')) {
    yield rows.map((row) => ({ id: row.id, text: searchedText(row, columns) }));
  }
}

type Similarities = Map<number, number> | undefined;

/** Returns the page of groups, and one more group if there is one. */
async function grouped(tx: Tx, plan: Plan, grouping: Grouping, similarities: Similarities) {
  const groups = createGroups(grouping);
  for await (const found of matching(tx, plan, 'asc')) {
    for (const row of found) if (!similarities || similarities.has(row.id)) groups.add(row);
  }
  let rows = await groups.rows();
  const { orderBy } = plan;
  const sign = plan.direction === 'asc' ? 1 : -1;
  // The sort is stable, so equal groups keep the order of their keys.
  if (orderBy !== undefined) {
    rows = await sortInPieces(rows, (a, b) => sign * compare(a[orderBy], b[orderBy]));
  }
  return rows.slice(plan.offset, plan.offset + plan.limit + 1);
}

/** Returns the page of rows, and one more row if there is one. */
async function ordered(tx: Tx, plan: Plan, similarities: Similarities) {
  const { table } = plan;
  const byId = similarities === undefined && (plan.orderBy ?? 'id') === 'id';
  const stored = byId ? await byIds(tx, plan) : await byValue(tx, plan, similarities);
  const yielder = createYielder();
  const rows: Record<string, unknown>[] = [];
  for (const one of stored) {
    const row = serializeRow(table, one);
    const similarity = similarities?.get(row.id);
    const shown = plan.select ? selected(row, plan.select) : row;
    rows.push(similarity === undefined ? shown : { ...shown, similarity });
    if (yielder.shouldYield()) await yielder.yieldToEventLoop();
  }
  return rows;
}

async function byIds(tx: Tx, plan: Plan): Promise<StoredRow[]> {
  const { table, offset, limit, direction } = plan;
  const { storeId } = table.record;
  if (plan.filter === everyRow) return loadInOrder(tx, storeId, direction, limit + 1, offset);
  const ids: number[] = [];
  let passed = 0;
  for await (const found of matching(tx, plan, direction)) {
    for (const row of found) {
      passed += 1;
      if (passed > offset) ids.push(row.id);
    }
    if (ids.length > limit) break;
  }
  ids.length = Math.min(ids.length, limit + 1);
  return loadIds(tx, storeId, ids);
}

/** Keeps the sort keys of all rows up to the end of the page, and loads the page. */
async function byValue(tx: Tx, plan: Plan, similarities: Similarities): Promise<StoredRow[]> {
  const { table, offset, limit } = plan;
  const path = plan.orderBy === undefined ? undefined : readPath(table.schema, plan.orderBy);
  const sign = path && plan.direction === 'asc' ? 1 : -1;
  const needed = offset + limit + 1;
  let best: { key: unknown; id: number; size: number }[] = [];
  let characters = 0;
  const cut = async () => {
    best = (await sortInPieces(best, (a, b) => sign * compare(a.key, b.key) || a.id - b.id)).slice(0, needed);
    characters = best.reduce((sum, { size }) => sum + size, 0);
    if (characters > limits.tables.sortText) {
      throw new ApiError(
        'LimitExceeded',
        `orderBy: there is too much text to sort by in ${needed} rows: ask for a smaller offset and limit.`,
      );
    }
  };
  for await (const found of matching(tx, plan, 'asc')) {
    for (const row of found) {
      if (similarities && !similarities.has(row.id)) continue;
      const key = path ? (valueAt(row, path) ?? null) : similarities?.get(row.id);
      const size = sizeOf(key);
      best.push({ key, id: row.id, size });
      characters += size;
    }
    if (best.length >= 2 * needed + 1_000 || characters > 2 * limits.tables.sortText) await cut();
  }
  await cut();
  return loadIds(
    tx,
    table.record.storeId,
    best.slice(offset).map(({ id }) => id),
  );
}

/** The number of characters of a sort key. */
function sizeOf(key: unknown): number {
  if (typeof key === 'string') return key.length;
  return typeof key === 'object' && key !== null ? cachedText(key).length : 0;
}

/** Returns the fields that every row has, and the selected paths. */
function selected(row: Row, paths: Path[]): Record<string, unknown> {
  const result: Record<string, unknown> = { computed: row.computed };
  for (const name of systemColumns) result[name] = row[name];
  for (const { steps, text } of paths) {
    const value = valueAt(row, { steps });
    if (value === undefined) continue;
    const inner = steps.slice(0, -1).reduce<Record<string, unknown>>((target, step) => {
      // A column is null, or an object that a previous path created.
      const next = Object.hasOwn(target, step) ? target[step] : undefined;
      const object = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : {};
      target[step] = object;
      return object;
    }, result);
    inner[steps.at(-1) ?? text] = value;
  }
  return result;
}
