// Regular expressions of callers in RE2 syntax, which match in linear time. Syntax that RE2 does not support
// (look-around, back references) and programs that are too large are rejected.
import { RE2JS } from 're2js';
import { limits } from '../../../protocol/limits.ts';

export interface Pattern {
  source: string;
  /** True when the expression matches a part of the text. */
  test(text: string): boolean;
}

/** The expression cannot be used; the message is for the caller. */
export class PatternError extends Error {}

const cache = new Map<string, Pattern>();
/** The maximum number of cached patterns. */
const maxCached = 200;

/** Compiles an expression, or returns the cached one. Throws PatternError. */
export function compilePattern(source: string, ignoreCase = false): Pattern {
  const key = `${ignoreCase ? 'i' : 'c'}${source}`;
  const cached = cache.get(key);
  if (cached) return cached;
  if (source.length > limits.tables.pattern) {
    throw new PatternError(`A regular expression has at most ${limits.tables.pattern} characters.`);
  }
  const program = compile(source, ignoreCase);
  if (program.programSize() > limits.tables.patternProgram) {
    throw new PatternError('The regular expression repeats too much.');
  }
  const pattern = { source, test: (text: string) => program.test(text) };
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, pattern);
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
