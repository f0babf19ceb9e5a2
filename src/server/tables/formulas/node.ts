// The parts of a parsed formula, and the precedence of its operators.

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
