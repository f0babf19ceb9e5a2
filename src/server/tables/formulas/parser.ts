// Parses a formula: a single expression in a subset of the syntax of JavaScript, over the columns of one row. There are
// no loops, no assignments and no functions of the caller, so the work of a formula is bounded by its length.
import { compilePattern, PatternError } from '../query/pattern.ts';
import { functions } from './functions.ts';
import { FormulaError, type Token, tokenize } from './tokens.ts';

/** The name of a column in the text of a formula, with its position. */
interface Reference {
  name: string;
  start: number;
  end: number;
}

export interface Formula {
  source: string;
  root: Node;
  references: readonly Reference[];
}

const maxCharacters = 4_000;
const maxDepth = 60;
/** Operators and members: each is a level of the tree, which is computed recursively. */
const maxOperators = 500;

const cache = new Map<string, Formula>();
const maxCached = 500;

/** Parses a formula, or returns the cached one. Throws FormulaError. */
export function parseFormula(source: string): Formula {
  const cached = cache.get(source);
  if (cached) return cached;
  if (source.length > maxCharacters) {
    throw new FormulaError(`a formula has at most ${maxCharacters} characters.`);
  }
  const formula = parse(source);
  if (cache.size >= maxCached) cache.clear();
  cache.set(source, formula);
  return formula;
}

/** Returns the text of a formula with other names of columns. */
export function renameColumns({ source, references }: Formula, rename: (name: string) => string): string {
  let text = '';
  let at = 0;
  for (const { name, start, end } of references) {
    const renamed = rename(name);
    text +=
      source.slice(at, start) +
      (renamed === name ? source.slice(start, end) : `row[${JSON.stringify(renamed)}]`);
    at = end;
  }
  return text + source.slice(at);
}

/** `= a + b` and `return a + b;` are the expression `a + b`. Other characters keep their positions. */
function withoutFrame(source: string): string {
  const blank = (text: string) => ' '.repeat(text.length);
  return source.replace(/^\s*(?:=(?!=)|return\b)/, blank).replace(/;\s*$/, blank);
}

function parse(source: string): Formula {
  const tokens = tokenize(withoutFrame(source));
  const references: Reference[] = [];
  let at = 0;
  let depth = 0;
  let operatorCount = 0;

  const peek = (): Token => tokens[at] as Token;
  const take = (): Token => tokens[at++] as Token;
  const isSign = (value: string) => peek().kind === 'sign' && peek().value === value;

  function accept(value: string): boolean {
    if (!isSign(value)) return false;
    at += 1;
    return true;
  }

  function expect(value: string): Token {
    if (isSign(value)) return take();
    throw unexpected(`${JSON.stringify(value)} is expected`);
  }

  function unexpected(what: string): FormulaError {
    const { kind, value, start } = peek();
    const place = kind === 'end' ? 'at the end' : `at ${start + 1}, where ${JSON.stringify(value)} is`;
    return new FormulaError(`${what} ${place}.`);
  }

  function countOperator(): void {
    operatorCount += 1;
    if (operatorCount > maxOperators) throw new FormulaError('the formula has too many operators.');
  }

  function expression(): Node {
    depth += 1;
    if (depth > maxDepth) throw new FormulaError('the formula is nested too deeply.');
    const condition = operators(1);
    let node = condition;
    if (accept('?')) {
      const then = expression();
      expect(':');
      node = { kind: 'choice', condition, then, otherwise: expression() };
    }
    depth -= 1;
    return node;
  }

  function operators(least: number): Node {
    let left = unary();
    for (;;) {
      const sign = peek().kind === 'sign' ? peek().value : '';
      const own = Object.hasOwn(precedence, sign) ? (precedence[sign] ?? 0) : 0;
      if (own < least) return left;
      at += 1;
      countOperator();
      left = { kind: 'binary', sign, left, right: operators(own + 1) };
    }
  }

  function unary(): Node {
    const sign = peek().kind === 'sign' && ['-', '!', '+'].includes(peek().value) ? take().value : undefined;
    if (sign === undefined) return members(primary());
    depth += 1;
    if (depth > maxDepth) throw new FormulaError('the formula is nested too deeply.');
    const node: Node = { kind: 'unary', sign, of: unary() };
    depth -= 1;
    return node;
  }

  function members(first: Node): Node {
    let node = first;
    for (;;) {
      countOperator();
      if (accept('.')) node = { kind: 'member', of: node, key: { kind: 'value', value: nameAfterDot() } };
      else if (accept('[')) {
        node = { kind: 'member', of: node, key: expression() };
        expect(']');
      } else return node;
    }
  }

  function nameAfterDot(): string {
    if (peek().kind !== 'name') throw unexpected('a name is expected');
    return take().value;
  }

  function primary(): Node {
    const token = take();
    if (token.kind === 'number') return { kind: 'value', value: Number(token.value) };
    if (token.kind === 'text') return { kind: 'value', value: token.value };
    if (token.kind === 'name') return named(token);
    if (token.kind === 'sign' && token.value === '(') {
      const inner = expression();
      expect(')');
      return inner;
    }
    at -= 1;
    throw unexpected('a value is expected');
  }

  function named({ value, start, end }: Token): Node {
    if (Object.hasOwn(constants, value)) return { kind: 'value', value: constants[value] };
    if (isSign('(')) return call(value);
    if (value !== 'row') return column(value, start, end);
    // `row.total` and `row["net total"]` are columns, too.
    if (accept('.')) {
      const name = nameAfterDot();
      return column(name, start, tokens[at - 1]?.end ?? end);
    }
    if (isSign('[') && tokens[at + 1]?.kind === 'text' && tokens[at + 2]?.value === ']') {
      const name = tokens[at + 1]?.value ?? '';
      at += 3;
      return column(name, start, tokens[at - 1]?.end ?? end);
    }
    return column(value, start, end);
  }

  function column(name: string, start: number, end: number): Node {
    references.push({ name, start, end });
    return { kind: 'column', name };
  }

  function call(name: string): Node {
    const definition = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (!definition) {
      throw new FormulaError(
        `there is no function ${name}; the functions are ${Object.keys(functions).sort().join(', ')}.`,
      );
    }
    expect('(');
    const parameters: Node[] = [];
    if (!accept(')')) {
      do parameters.push(expression());
      while (accept(','));
      expect(')');
    }
    const [least, most] = definition.parameters;
    if (parameters.length < least || parameters.length > most) {
      const count =
        least === most
          ? `${least}`
          : most === Number.POSITIVE_INFINITY
            ? `at least ${least}`
            : `${least} to ${most}`;
      throw new FormulaError(`${name} takes ${count} parameters.`);
    }
    if (name === 'matches') assertPattern(parameters[1]);
    return { kind: 'call', name, parameters };
  }

  const root = expression();
  if (peek().kind !== 'end') throw unexpected('an operator is expected');
  return { source, root, references };
}

const constants: Record<string, unknown> = { true: true, false: false, null: null, undefined: null };

/** A pattern is part of the formula, so that it is checked once. */
function assertPattern(node: Node | undefined): void {
  if (node?.kind !== 'value' || typeof node.value !== 'string') {
    throw new FormulaError('the pattern of matches is a text in quotes.');
  }
  try {
    compilePattern(node.value);
  } catch (error) {
    if (error instanceof PatternError) throw new FormulaError(error.message);
    throw error;
  }
}

/** A part of a parsed formula. */
export type Node =
  | { kind: 'value'; value: unknown }
  | { kind: 'column'; name: string }
  | { kind: 'member'; of: Node; key: Node }
  | { kind: 'unary'; sign: string; of: Node }
  | { kind: 'binary'; sign: string; left: Node; right: Node }
  | { kind: 'choice'; condition: Node; then: Node; otherwise: Node }
  | { kind: 'call'; name: string; parameters: Node[] };

/** Precedence of the operators with two operands; a higher one binds more tightly. */
export const precedence: Record<string, number> = {
  '??': 1,
  '||': 1,
  '&&': 2,
  '==': 3,
  '===': 3,
  '!=': 3,
  '!==': 3,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '%': 6,
};
