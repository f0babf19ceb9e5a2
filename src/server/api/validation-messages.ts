// Says in words what is wrong with a value. It never repeats the value: that may be long, or private.
import type * as v from 'valibot';

/** One sentence on what was expected: the schema's own, where it has one. */
export function explain(issue: v.BaseIssue<unknown>): string {
  // The library's own messages begin so, and end with the value.
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  return `Expected ${issue.expected ?? 'another value'}.`;
}
