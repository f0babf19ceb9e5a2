// Limits text that is slow to lay out: long runs of combining marks (20,000 on one letter take over a second),
// of lone surrogates and of control characters (over 200 ms). Pure.

/** Combining marks that one letter keeps: more than any language needs. */
const maxMarks = 8;
/** NUL and the other control characters that are not white space. */
const controls = '\\0-\\x08\\x0e-\\x1f\\x7f';
const marks = new RegExp(`(\\p{M}{${maxMarks}})\\p{M}+`, 'gu');
const unpaired = new RegExp(`[\\p{Cs}${controls}]+`, 'gu');
/** The depth of nested items that are rendered. */
const maxDepth = 4;

const bound = (text: string) => text.replace(marks, '$1').replace(unpaired, '\ufffd');

/** Returns the value with limited strings at any depth; the same object if nothing changes. */
export function toDrawable<Value>(value: Value, depth = 0): Value {
  if (typeof value === 'string') return bound(value) as Value;
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value;
  const copy: Record<string, unknown> = {};
  let isChanged = false;
  for (const [key, before] of Object.entries(value)) {
    copy[key] = toDrawable(before, depth + 1);
    isChanged ||= copy[key] !== before;
  }
  if (!isChanged) return value;
  return (Array.isArray(value) ? Object.values(copy) : copy) as Value;
}
