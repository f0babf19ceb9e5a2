// Describes validation errors as text. The text never contains the value, which can be long or private.
import type * as v from 'valibot';

/** Returns one sentence about the expected value: the message of the schema if it has one. */
export function explain(issue: v.BaseIssue<unknown>): string {
  // The library's own messages begin with this text and end with the value. For a missing field, the expected value is its name.
  if (issue.message.startsWith('Invalid key: ') && issue.received === 'undefined') return 'Required.';
  if (!issue.message.startsWith('Invalid ')) return issue.message;
  return `Expected ${issue.expected ?? 'another value'}.`;
}
