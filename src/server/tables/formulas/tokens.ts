// Splits the text of a formula into tokens with their positions.

/** The formula cannot be used, or a row cannot be computed; the message is for the caller. */
export class FormulaError extends Error {}

export interface Token {
  kind: 'number' | 'text' | 'name' | 'sign' | 'end';
  /** A text without its quotes, a name, or a sign. */
  value: string;
  /** The position of the first character, and of the first one after the token. */
  start: number;
  end: number;
}

const signs = ['===', '!==', '==', '!=', '<=', '>=', '&&', '||', '??', ...'+-*/%<>!?:()[].,'] as const;
const space = /\s*/y;
const number = /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?/y;
const name = /[\p{L}_$][\p{L}\p{M}\p{N}_$]*/uy;
const text = /"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'/y;

/** Throws FormulaError for a character that begins no token. The last token has the kind `end`. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ; ) {
    at += match(space, source, at)?.[0].length ?? 0;
    if (at >= source.length) {
      tokens.push({ kind: 'end', value: '', start: at, end: at });
      return tokens;
    }
    const token = tokenAt(source, at);
    if (!token) throw new FormulaError(`${JSON.stringify(source.slice(at, at + 10))} cannot be read.`);
    tokens.push(token);
    at = token.end;
  }
}

function tokenAt(source: string, start: number): Token | undefined {
  const token = (kind: Token['kind'], value: string, length: number): Token => ({
    kind,
    value,
    start,
    end: start + length,
  });
  const digits = match(number, source, start)?.[0];
  if (digits !== undefined) return token('number', digits, digits.length);
  const word = match(name, source, start)?.[0];
  if (word !== undefined) return token('name', word, word.length);
  const quoted = match(text, source, start);
  if (quoted) return token('text', unescaped(quoted[1] ?? quoted[2] ?? ''), quoted[0].length);
  const sign = signs.find((one) => source.startsWith(one, start));
  return sign === undefined ? undefined : token('sign', sign, sign.length);
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r' };

const unescaped = (quoted: string): string =>
  quoted.replace(/\\(.)/gs, (_, char: string) => escapes[char] ?? char);
