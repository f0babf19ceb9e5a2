// The definitions of computed columns (`x-zui.computed`): their checks, their dependencies and the order in which they
// are computed.
import { createHash } from 'node:crypto';
import type { Column, ColumnComputation } from '../../../protocol/table.ts';
import type { TableSchema } from '../../../protocol/types/tables.ts';
import { type Formula, parseFormula, renameColumns } from '../formulas/parser.ts';
import { FormulaError } from '../formulas/tokens.ts';

/** The definition of one computed column of a table. */
export interface Definition {
  name: string;
  column: Column;
  /** The key of the column in the JSON of rows. */
  key: string;
  action: 'ai' | 'code' | 'none';
  /** The names of the columns that it depends on. */
  dependencies: string[];
  /** With the action `code`. */
  formula?: Formula;
  /** With the action `ai`. */
  prompt: string;
  isEnabled: boolean;
  /** Identifies the meaning of the definition: a cell that was computed with another one is stale. Renaming keeps it. */
  version: string;
  /** With the action `none`: why no cell can be computed. */
  problem?: string;
}

/** The definition is wrong; the message is for the caller. */
export class DefinitionError extends Error {}

const actions = ['ai', 'code', 'workflow'] as const;

/** Checks a definition that a request contains. Throws DefinitionError. */
export function checkComputation(input: Record<string, unknown>): ColumnComputation {
  assertFields(input);
  if (input.action === 'code') formulaOf(input);
  return input;
}

function assertFields(
  input: Record<string, unknown>,
): asserts input is Record<string, unknown> & ColumnComputation {
  const { action, dependencies, enabled } = input;
  if (!actions.some((one) => one === action)) throw new DefinitionError('action is ai, code or workflow.');
  for (const name of ['prompt', 'code', 'model', 'workflowId']) {
    if (input[name] !== undefined && typeof input[name] !== 'string')
      throw new DefinitionError(`${name} is a text.`);
  }
  if (enabled !== undefined && typeof enabled !== 'boolean')
    throw new DefinitionError('enabled is true or false.');
  const isList = Array.isArray(dependencies) && dependencies.every((name) => typeof name === 'string');
  if (dependencies !== undefined && !isList)
    throw new DefinitionError('dependencies is a list of names of columns.');
}

function formulaOf({ code = '' }: ColumnComputation): Formula {
  if (code.trim() === '') throw new DefinitionError('code is a formula.');
  try {
    return parseFormula(code);
  } catch (error) {
    if (error instanceof FormulaError) throw new DefinitionError(`code: ${error.message}`);
    throw error;
  }
}

/** Returns whether a column is computed. A definition that was stored by an earlier version may be of any form. */
export const isComputed = (column: Column | undefined): boolean =>
  column?.['x-zui'].computed !== undefined && column['x-zui'].computed !== null;

/** Checks the computed columns of a whole schema: what they depend on exists, and none depends on itself. */
export function assertDefinitions(schema: TableSchema, keyColumn: string | null): void {
  const computed = Object.entries(schema.properties).filter(([, column]) => isComputed(column));
  const dependenciesBy = new Map<string, string[]>();
  for (const [name, column] of computed) {
    if (name === keyColumn) throw new DefinitionError(`${name} is the keyColumn, which cannot be computed.`);
    let dependencies: string[];
    try {
      dependencies = dependenciesOf(schema, name, checkComputation(column['x-zui'].computed ?? {}));
    } catch (error) {
      // A definition that an earlier version has stored is not checked here: the cells have the error.
      if (error instanceof DefinitionError) continue;
      throw error;
    }
    const missing = dependencies.find((one) => !Object.hasOwn(schema.properties, one));
    if (missing !== undefined) {
      throw new DefinitionError(`${name} depends on ${JSON.stringify(missing)}, which is not a column.`);
    }
    dependenciesBy.set(name, dependencies);
  }
  ordered([...dependenciesBy.keys()], (name) => dependenciesBy.get(name) ?? []);
}

/** Columns in an order in which each follows those that it depends on. Throws DefinitionError for a cycle. */
function ordered(names: string[], dependenciesOfName: (name: string) => string[]): string[] {
  const done: string[] = [];
  const open: string[] = [];
  const visit = (name: string): void => {
    if (done.includes(name)) return;
    if (open.includes(name)) {
      throw new DefinitionError(
        `${[...open.slice(open.indexOf(name)), name].join(' → ')} depend on each other.`,
      );
    }
    open.push(name);
    for (const dependency of dependenciesOfName(name)) if (names.includes(dependency)) visit(dependency);
    open.pop();
    done.push(name);
  };
  for (const name of names) visit(name);
  return done;
}

/** Without `dependencies`, a model gets all columns that are not computed. */
function dependenciesOf(schema: TableSchema, name: string, computation: ColumnComputation): string[] {
  const { action, dependencies } = computation;
  if (action === 'code') {
    const referenced = formulaOf(computation).references.map((reference) => reference.name);
    return [...new Set([...(dependencies ?? []), ...referenced])];
  }
  if (dependencies && dependencies.length > 0) return [...new Set(dependencies)];
  const plain = Object.entries(schema.properties).filter(
    ([other, column]) => other !== name && !isComputed(column),
  );
  return plain.map(([other]) => other);
}

const definitionsBySchema = new WeakMap<TableSchema, Definition[]>();

/** The computed columns of a table in the order in which they are computed. */
export function definitionsOf({
  schema,
  layout,
}: {
  schema: TableSchema;
  layout: { keys: Record<string, string> };
}): Definition[] {
  const cached = definitionsBySchema.get(schema);
  if (cached) return cached;
  const computed = Object.entries(schema.properties).filter(([, column]) => isComputed(column));
  const definitions = computed.map(([name, column]) => definitionOf(schema, layout.keys, name, column));
  const byName = new Map(definitions.map((definition) => [definition.name, definition]));
  let names = [...byName.keys()];
  try {
    names = ordered(names, (name) => byName.get(name)?.dependencies ?? []);
  } catch (error) {
    // Only a schema that an earlier version has stored can have a cycle.
    if (!(error instanceof DefinitionError)) throw error;
    for (const definition of definitions)
      Object.assign(definition, { action: 'none', problem: error.message });
  }
  const result = names.map((name) => byName.get(name) as Definition);
  definitionsBySchema.set(schema, result);
  return result;
}

function definitionOf(
  schema: TableSchema,
  keys: Record<string, string>,
  name: string,
  column: Column,
): Definition {
  const key = keys[name] ?? '';
  const base = { name, column, key, prompt: '', dependencies: [] as string[], version: '' };
  try {
    const computation = checkComputation(column['x-zui'].computed ?? {});
    const { action, prompt = '', enabled = true } = computation;
    if (action === 'workflow') throw new DefinitionError('This server has no workflows: use ai or code.');
    const dependencies = dependenciesOf(schema, name, computation);
    const formula = action === 'code' ? formulaOf(computation) : undefined;
    const keyOf = (one: string) => keys[one] ?? one;
    const { 'x-zui': _, ...value } = column;
    const meaning = [
      action,
      prompt,
      dependencies.map(keyOf).sort(),
      formula && renameColumns(formula, keyOf),
      value,
    ];
    const version = createHash('sha256').update(JSON.stringify(meaning)).digest('base64url').slice(0, 10);
    return {
      ...base,
      action,
      dependencies,
      prompt,
      isEnabled: enabled,
      version,
      ...(formula ? { formula } : {}),
    };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { ...base, action: 'none', isEnabled: false, problem: error.message };
  }
}

/** Returns the definition of a column after a column was renamed. */
export function renameDependency(
  computed: Record<string, unknown>,
  rename: (name: string) => string,
): Record<string, unknown> {
  try {
    const checked = checkComputation(computed);
    return {
      ...computed,
      ...(checked.dependencies ? { dependencies: checked.dependencies.map(rename) } : {}),
      ...(checked.action === 'code' ? { code: renameColumns(formulaOf(checked), rename) } : {}),
    };
  } catch (error) {
    if (error instanceof DefinitionError) return computed;
    throw error;
  }
}
