// Emphasis beside scripts that are written without spaces, by the amendment "CJK friendly" of CommonMark: beside a character of
// such a script, punctuation opens and closes emphasis as a letter does. https://github.com/tats-u/markdown-cjk-friendly
import { unspaced } from '../../../protocol/locale/unspaced-scripts.ts';

const mark = '(?![*~])[\\p{P}\\p{S}]';
const beside = new RegExp(
  `(?<=[${unspaced}][*~]+)${mark}|${mark}(?=[*~]+[${unspaced}])|(?=[${unspaced}])${mark}(?=[*~])|(?<=[*~])(?=[${unspaced}])${mark}`,
  'gu',
);

/**
 * Replaces punctuation beside `*` and `~` by letters where the rule above applies. The result has the same length. The rules for
 * `_` are not changed by the amendment.
 */
export const maskUnspaced = (text: string): string =>
  text.replace(beside, (found) => 'a'.repeat(found.length));

const run = /^(?:\*+|~+)/;
const first = new RegExp(`^[${unspaced}]`, 'u');
const last = new RegExp(`[${unspaced}]$`, 'u');

/** Whether the run of `*` or `~` at a position is beside a character of such a script. */
export function isBesideUnspaced(text: string, at: number): boolean {
  const [marks] = run.exec(text.slice(at)) ?? [];
  if (!marks) return false;
  const end = at + marks.length;
  return first.test(text.slice(end, end + 2)) || last.test(text.slice(Math.max(0, at - 2), at));
}
