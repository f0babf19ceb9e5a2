// The state of the computed cells of one row: which are stale, and what responses say about each.
import type { ComputedCell } from '../../../protocol/types/tables.ts';
import { canonicalText } from '../query/compare.ts';
import type { Definition } from './definitions.ts';

/** The stored state of one cell. The names are short, because every computed cell has one. */
export interface CellState {
  /** The version of the definition with which it was computed. */
  v: string;
  /** 1: failed. */
  f?: 1;
  /** The reason of the failure, or of the last attempt. */
  e?: string;
  /** When, in milliseconds since 1970. */
  t: number;
  /** The author: `ai`, `code`, or the id of the sender. */
  b: string;
  /** 1: a column that it depends on has changed since. */
  x?: 1;
  /** The number of failed attempts, while it is tried again. */
  a?: number;
}

/** The states of a row by the keys of the columns. */
export type CellStates = Record<string, CellState>;

/** Why cells of the action `ai` wait, for the whole table. */
export interface Hold {
  status: ComputedCell['status'];
  reason: string;
}

export const readStates = (text: string | null): CellStates => (text === null ? {} : JSON.parse(text));

/** Returns the stored form, without the states of columns that were removed. */
export function statesText(states: CellStates, definitions: readonly Definition[]): string | null {
  const own = definitions.flatMap(({ key }): [string, CellState][] => {
    const state = states[key];
    return state ? [[key, state]] : [];
  });
  return own.length === 0 ? null : JSON.stringify(Object.fromEntries(own));
}

/** A cell is stale when it was never computed, was computed with another definition, or what it depends on has changed. */
export function isStale({ key, version, action }: Definition, states: CellStates): boolean {
  if (action === 'none') return false;
  const state = states[key];
  return state === undefined || state.x === 1 || state.v !== version;
}

/** The stale cells that can be computed now or later: their columns are enabled. */
export const waiting = (definitions: readonly Definition[], states: CellStates): Definition[] =>
  definitions.filter((definition) => definition.isEnabled && isStale(definition, states));

/** The first waiting cell of each kind whose dependencies are not waiting. */
export function ready(
  definitions: readonly Definition[],
  states: CellStates,
  action: Definition['action'],
): Definition | undefined {
  const open = waiting(definitions, states);
  const names = new Set(open.map(({ name }) => name));
  return open.find((one) => one.action === action && !one.dependencies.some((name) => names.has(name)));
}

/** Marks the cells that depend on a changed column, directly or by way of others. `definitions` are in their order. */
export function markDependents(
  definitions: readonly Definition[],
  states: CellStates,
  changed: ReadonlySet<string>,
  except: ReadonlySet<string> = new Set(),
): CellStates {
  const touched = new Set(changed);
  const next = { ...states };
  for (const { name, key, dependencies } of definitions) {
    if (except.has(name) || !dependencies.some((one) => touched.has(one))) continue;
    touched.add(name);
    const state = next[key];
    if (!state) continue;
    // Attempts with the previous values do not count.
    const { a: _, e, ...rest } = state;
    next[key] = { ...rest, ...(state.f && e !== undefined ? { e } : {}), x: 1 };
  }
  return next;
}

/**
 * Returns the states of a row after a write. A computed cell that is sent with another value is written by hand: it keeps
 * this value until something that it depends on changes later; null asks for computing it again.
 */
export function writtenStates(
  definitions: readonly Definition[],
  states: CellStates,
  before: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
  { now, by }: { now: number; by: string },
): CellStates {
  if (definitions.length === 0) return states;
  const changed = changedColumns(Object.keys(changes), before, changes);
  const byHand = definitions.filter(({ name }) => changed.has(name));
  const next = markDependents(definitions, states, changed, new Set(byHand.map(({ name }) => name)));
  for (const { name, key, version } of byHand) {
    if (changes[name] === null) delete next[key];
    else next[key] = { v: version, t: now, b: by };
  }
  return next;
}

/** The names of the columns whose values differ. */
export function changedColumns(
  names: Iterable<string>,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Set<string> {
  const changed = new Set<string>();
  for (const name of names) {
    if (before[name] === after[name]) continue;
    if (canonicalText(before[name] ?? null) !== canonicalText(after[name] ?? null)) changed.add(name);
  }
  return changed;
}

/** The state of the computed cells of a row in responses. */
export function describeCells(
  definitions: readonly Definition[],
  states: CellStates,
  { isEnabled, hold }: { isEnabled: boolean; hold: Hold | undefined },
): { computed: Record<string, ComputedCell>; stale?: string[] } {
  const computed: Record<string, ComputedCell> = {};
  const stale: string[] = [];
  for (const definition of definitions) {
    const state = states[definition.key];
    computed[definition.name] = { ...describe(definition, states, isEnabled, hold), ...origin(state) };
    if (definition.isEnabled && isStale(definition, states)) stale.push(definition.name);
  }
  return { computed, ...(stale.length > 0 ? { stale } : {}) };
}

function describe(
  definition: Definition,
  states: CellStates,
  isTableEnabled: boolean,
  hold: Hold | undefined,
): ComputedCell {
  const { action, problem, isEnabled } = definition;
  if (action === 'none') return { status: 'failed', error: problem ?? 'The definition is wrong.' };
  const state = states[definition.key];
  if (state && !isStale(definition, states)) {
    return state.f ? { status: 'failed', error: state.e ?? 'It failed.' } : { status: 'completed' };
  }
  if (!isEnabled) return { status: 'disabled', error: 'x-zui.computed.enabled of the column is false.' };
  if (!isTableEnabled) return { status: 'disabled', error: 'isComputeEnabled of the table is false.' };
  if (action === 'ai' && hold) return { status: hold.status, error: hold.reason };
  const isRetried = state?.a !== undefined && state.e !== undefined;
  return isRetried
    ? { status: 'pending', error: `Attempt ${state.a} failed: ${state.e}` }
    : { status: 'pending' };
}

/** The author and the time of the present value. */
function origin(state: CellState | undefined): Partial<ComputedCell> {
  if (!state || state.t === 0) return {};
  return { updatedAt: new Date(state.t).toISOString(), updatedBy: state.b };
}
