// Computes a formula for one row, with a bound on its work.
// Why not `expr-eval` or `jsonata`: they give formulas access to prototypes, or unlimited time (decision 55).
import { canonicalText, compare, typeOf } from '../query/compare.ts';
import { add, multiply } from '../values.ts';
import { asText, type Charge, functions } from './functions.ts';
import type { Formula, Node } from './parser.ts';
import { FormulaError } from './tokens.ts';

/** Steps and characters of one cell: a few milliseconds. */
const maxWork = 500_000;

/** Returns the value of a formula; null for no value. Throws FormulaError. */
export function evaluate({ root }: Formula, columns: Readonly<Record<string, unknown>>): unknown {
  let work = 0;
  const charge: Charge = (amount) => {
    work += amount;
    if (work > maxWork) throw new FormulaError('the formula needs too much work for this row.');
  };
  const value = run(root);
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new FormulaError('the result is not a number.');
  }
  return value;

  function run(node: Node): unknown {
    const result = compute(node);
    charge(typeof result === 'string' ? 1 + result.length : 1);
    return result;
  }

  function compute(node: Node): unknown {
    switch (node.kind) {
      case 'value':
        return node.value;
      case 'column':
        return Object.hasOwn(columns, node.name) ? (columns[node.name] ?? null) : null;
      case 'member':
        return member(run(node.of), run(node.key));
      case 'unary':
        return unary(node.sign, run(node.of));
      case 'choice':
        return isTrue(run(node.condition)) ? run(node.then) : run(node.otherwise);
      case 'binary':
        return binary(node);
      case 'call':
        return call(node.name, node.parameters);
    }
  }

  function call(name: string, parameters: Node[]): unknown {
    if (name === 'if') {
      const [condition, then, otherwise] = parameters;
      const chosen = condition && isTrue(run(condition)) ? then : otherwise;
      return chosen ? run(chosen) : null;
    }
    if (name === 'coalesce') {
      for (const parameter of parameters) {
        const value = run(parameter);
        if (value !== null) return value;
      }
      return null;
    }
    const values = parameters.map(run);
    for (const value of values) if (Array.isArray(value)) charge(value.length);
    return functions[name]?.run(values, charge);
  }

  function binary({ sign, left, right }: Extract<Node, { kind: 'binary' }>): unknown {
    const first = run(left);
    if (sign === '??') return first ?? run(right);
    if (sign === '&&') return isTrue(first) ? run(right) : first;
    if (sign === '||') return isTrue(first) ? first : run(right);
    const second = run(right);
    if (sign === '==' || sign === '===') return isEqual(first, second);
    if (sign === '!=' || sign === '!==') return !isEqual(first, second);
    if (sign in orders) return isOrdered(sign, first, second);
    return arithmetic(sign, first, second);
  }

  function isEqual(first: unknown, second: unknown): boolean {
    if (typeOf(first) !== typeOf(second)) return false;
    if (typeof first !== 'object') return first === second;
    const texts = [canonicalText(first), canonicalText(second)];
    charge(texts.reduce((sum, text) => sum + text.length, 0));
    return texts[0] === texts[1];
  }
}

function isTrue(value: unknown): boolean {
  return Boolean(value);
}

const orders: Record<string, (difference: number) => boolean> = {
  '<': (difference) => difference < 0,
  '<=': (difference) => difference <= 0,
  '>': (difference) => difference > 0,
  '>=': (difference) => difference >= 0,
};

/** Null is neither greater nor less than any value, as in filters. */
function isOrdered(sign: string, first: unknown, second: unknown): boolean {
  if (first === null || second === null) return false;
  if (typeof first !== typeof second || typeof first === 'object') {
    throw new FormulaError(`${sign} compares two numbers or two texts.`);
  }
  return orders[sign]?.(compare(first, second)) ?? false;
}

function arithmetic(sign: string, first: unknown, second: unknown): unknown {
  if (sign === '+' && (typeof first === 'string' || typeof second === 'string')) {
    return (first === null ? '' : asText(first)) + (second === null ? '' : asText(second));
  }
  if (first === null || second === null) return null;
  if (typeof first !== 'number' || typeof second !== 'number') {
    throw new FormulaError(`${sign} needs numbers; number(…) makes one of a text.`);
  }
  if (second === 0 && (sign === '/' || sign === '%')) throw new FormulaError('division by zero.');
  if (sign === '+') return add(first, second);
  if (sign === '-') return add(first, -second);
  if (sign === '*') return multiply(first, second);
  return sign === '/' ? first / second : first % second;
}

function unary(sign: string, value: unknown): unknown {
  if (sign === '!') return !isTrue(value);
  if (value === null) return null;
  if (typeof value !== 'number') throw new FormulaError(`${sign} needs a number.`);
  return sign === '-' ? -value : value;
}

/** An own field of an object, an item of a list, or null. */
function member(of: unknown, key: unknown): unknown {
  if (typeof of !== 'object' || of === null) return null;
  if (Array.isArray(of)) return typeof key === 'number' ? (of.at(Math.trunc(key)) ?? null) : null;
  const name = typeof key === 'number' ? String(key) : key;
  if (typeof name !== 'string' || !Object.hasOwn(of, name)) return null;
  return (of as Record<string, unknown>)[name] ?? null;
}
