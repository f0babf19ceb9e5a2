// Regular expressions that outsiders send, in RE2 syntax: time is linear in the text, whatever the expression.
// It refuses what RE2 has not (look-around, back references) and programs that are too large.
import { RE2JS } from 're2js';
import { limits } from '../../../protocol/limits.ts';

export interface Pattern {
  source: string;
  /** True when the expression is found somewhere in the text. */
  test(text: string): boolean;
}

/** The expression cannot be used; the message says why, for its author. */
export class PatternError extends Error {}

const kept = new Map<string, Pattern>();
/** Patterns that stay compiled. */
const keptMost = 200;

/** Compiles an expression, or gives the one compiled before. Throws PatternError. */
export function compilePattern(source: string, ignoreCase = false): Pattern {
  const key = `${ignoreCase ? 'i' : 'c'}${source}`;
  const known = kept.get(key);
  if (known) return known;
  if (source.length > limits.tables.pattern) {
    throw new PatternError(`A regular expression has at most ${limits.tables.pattern} characters.`);
  }
  const program = compile(source, ignoreCase);
  if (program.programSize() > limits.tables.patternProgram) {
    throw new PatternError('The regular expression repeats too much.');
  }
  const pattern = { source, test: (text: string) => program.test(text) };
  if (kept.size >= keptMost) kept.clear();
  kept.set(key, pattern);
  return pattern;
}

function compile(source: string, ignoreCase: boolean): RE2JS {
  try {
    return RE2JS.compile(source, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    throw new PatternError(
      `This is not a regular expression in RE2 syntax: ${error instanceof Error ? error.message : 'it cannot be read'}.`,
    );
  }
}
