// Says in words what is wrong with a value. It never repeats the value: that may be long, or private.
import type * as v from 'valibot';

/** One sentence on what was expected. */
export function explain(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'non_empty') return issue.message;
  return `Expected ${issue.expected ?? 'another value'}.`;
}
