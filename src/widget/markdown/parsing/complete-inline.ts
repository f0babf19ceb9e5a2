// Closes inline marks that are open at the end of a text: emphasis, code, links, pictures. It is approximate: its result
// is shown only until the next characters arrive.
import { readFormula } from '../formulas/read-formula.ts';

interface Opener {
  mark: string;
  /** Its position in `out`. */
  at: number;
}

/** A bracket that is open for longer is plain text. */
const maxLinkTextLength = 200;

/** `**bol` as `**bol**`, `[tex` as `tex`, `` `cod `` as `` `cod` ``; a mark that may become another is removed. */
export function completeInline(text: string): string {
  let out = '';
  const openers: Opener[] = [];
  for (let i = 0; i < text.length; ) {
    const character = text.charAt(i);
    const formula = readFormula(text, i, true);
    if (formula === 'open') break;
    if (formula) {
      out += formula.raw;
      i += formula.raw.length;
    } else if (character === '\\') {
      if (i + 1 === text.length) break;
      out += text.slice(i, i + 2);
      i += 2;
    } else if (character === '`') {
      const [mark = ''] = /^`+/.exec(text.slice(i)) ?? [];
      const end = findRun(text, mark, i + mark.length);
      if (end < 0) {
        const code = text.slice(i + mark.length).replace(/`+$/, '');
        if (code.trim()) return closeAll(out + mark + code + (code.endsWith('`') ? ' ' : '') + mark, openers);
        return closeAll(out, openers);
      }
      out += text.slice(i, end);
      i = end;
    } else if (character === '*' || character === '_' || character === '~') {
      let end = i + 1;
      while (text.charAt(end) === character) end++;
      // At the end, the mark may close, open or be incomplete. It is removed, and open marks are closed below.
      if (end === text.length) break;
      closeOrOpenRun(text, i, end, out.length, openers);
      out += text.slice(i, end);
      i = end;
    } else if (character === '[' || (character === '!' && text.charAt(i + 1) === '[')) {
      const mark = character === '!' ? '![' : '[';
      openers.push({ mark, at: out.length });
      out += mark;
      i += mark.length;
    } else if (character === ']') {
      const index = openers.findLastIndex(({ mark }) => mark.endsWith('['));
      const target = readTarget(text.slice(i + 1));
      if (index < 0) out += character;
      else if (target === undefined) {
        // The address is incomplete: shows the text without brackets, and nothing of a picture.
        const { mark, at } = openers[index] as Opener;
        out = mark === '[' ? out.slice(0, at) + out.slice(at + 1) : out.slice(0, at);
        const open = openers.slice(0, index);
        for (const opener of openers.slice(index + 1)) {
          if (mark === '[') open.push({ ...opener, at: opener.at - 1 });
        }
        return closeAll(out, open);
      } else {
        openers.length = index;
        out += character + target;
        i += target.length;
      }
      i++;
    } else if (
      character === '<' &&
      /^<(?:[a-z][\w+.-]{0,31}(?::[^\s<>]*)?)?$/i.test(text.slice(i, i + 2_000))
    ) {
      out += text.slice(i + 1);
      break;
    } else if (character === '&' && /^&#?\w{0,12}$/.test(text.slice(i, i + 16))) {
      break;
    } else {
      out += character;
      i++;
    }
  }
  return closeAll(out, openers);
}

/** The end of the first run of exactly these backticks after `from`, or -1. */
function findRun(text: string, mark: string, from: number): number {
  for (let at = text.indexOf(mark, from); at >= 0; at = text.indexOf(mark, at)) {
    let end = at;
    while (text.charAt(end) === '`') end++;
    if (end - at === mark.length) return end;
    at = end;
  }
  return -1;
}

/** A run of emphasis marks closes open marks of its kind; the rest opens if text follows immediately. */
function closeOrOpenRun(text: string, from: number, to: number, at: number, openers: Opener[]): void {
  const mark = text.charAt(from);
  const before = text.charAt(from - 1);
  const after = text.charAt(to);
  const isAfterWord = /[^\s]/.test(before);
  const isBeforeWord = /\S/.test(after);
  const isInWord = /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after);
  if (mark === '_' && isInWord) return;
  let remaining = to - from;
  if (isAfterWord) {
    for (let i = openers.length - 1; i >= 0 && remaining > 0; i--) {
      const opener = openers[i] as Opener;
      if (opener.mark[0] !== mark) continue;
      const length = Math.min(remaining, opener.mark.length);
      remaining -= length;
      openers.length = length === opener.mark.length ? i : i + 1;
      opener.mark = opener.mark.slice(length);
    }
  }
  if (remaining > 0 && isBeforeWord && (mark !== '~' || remaining < 3))
    openers.push({ mark: mark.repeat(remaining), at });
}

/** The part after the text of a link: `(address)`, `[name]`, or '' without one; undefined while it is incomplete. */
function readTarget(rest: string): string | undefined {
  if (rest === '') return undefined;
  if (rest[0] === '[') {
    const end = rest.indexOf(']');
    return end < 0 ? undefined : rest.slice(0, end + 1);
  }
  if (rest[0] !== '(') return '';
  let depth = 0;
  for (let i = 0; i < rest.length; i++) {
    if (rest[i] === '\\') i++;
    else if (rest[i] === '(') depth++;
    else if (rest[i] === ')' && --depth === 0) return rest.slice(0, i + 1);
    else if (rest[i] === '\n' && rest[i + 1] === '\n') return '';
  }
  return rest.length > 2_000 ? '' : undefined;
}

/** Closes emphasis from the inside out. Removes an open bracket, and an open picture with everything after it. */
function closeAll(out: string, openers: Opener[]): string {
  let text = out;
  let closers = '';
  for (const { mark, at } of [...openers].reverse()) {
    const inside = text.slice(at + mark.length);
    if (mark === '![') {
      if (inside.length > maxLinkTextLength) continue;
      text = text.slice(0, at);
      closers = '';
    } else if (mark === '[') {
      if (inside.length <= maxLinkTextLength && !inside.includes('\n')) text = text.slice(0, at) + inside;
    } else if (!inside.trim()) text = text.slice(0, at) + inside;
    else closers += mark;
  }
  if (!closers) return text;
  const end = text.trimEnd().length;
  return text.slice(0, end) + closers + text.slice(end);
}
