// Formatting of a reply in Markdown: changes of a text and its selection. Pure.
import type { BlocItem } from '../../../../protocol/message.ts';

export const formats = ['bold', 'italic', 'link', 'list', 'code'] as const;
export type Format = (typeof formats)[number];

/** A text box: its text and the selection in it. */
export interface Selected {
  text: string;
  from: number;
  to: number;
}

/** A part of the text that is replaced, and the selection after it. */
export interface Edit {
  from: number;
  to: number;
  inserted: string;
  selectFrom: number;
  selectTo: number;
}

/** Turns a format of the selection on, or off again if the selection has it. */
export const toggleFormat = (format: Format, selected: Selected): Edit => edits[format](selected);

/** Characters and line beginnings that can be marks of Markdown. A text without them is the same as plain text. */
const possibleMarks = /[*_~`[\]<>#|\\&$]|^\s*(?:[-+]|\d+[.)])(?:\s|$)|^\s*(?:-{2,}|=+)\s*$|^(?: {4}|\t)/m;

/** A reply as a part of a message. Plain text stays a text, so that its reader loads no code for Markdown. */
export const replyItem = (text: string): BlocItem =>
  possibleMarks.test(text) ? { type: 'markdown', markdown: text } : { type: 'text', text };

const edits: Record<Format, (selected: Selected) => Edit> = {
  bold: (selected) => toggleStars(selected, 2),
  italic: (selected) => toggleStars(selected, 1),
  link: toggleLink,
  list: toggleList,
  code: toggleCode,
};

const starsAt = (text: string): number => /^\**/.exec(text)?.[0].length ?? 0;
const starsBefore = (text: string): number => /\**$/.exec(text)?.[0].length ?? 0;
/** Whether stars on both sides make a text bold (2) or italic (1); three are both. */
const hasStars = (count: number, width: number): boolean => count === 3 || count === width;

function toggleStars(selected: Selected, width: 1 | 2): Edit {
  const { text } = selected;
  const { from, to } = trimmed(selected);
  const words = text.slice(from, to);
  if (words.includes('\n')) return toggleStarsOfLines(text, from, to, width);
  const mark = '*'.repeat(width);
  const outside = Math.min(starsBefore(text.slice(0, from)), starsAt(text.slice(to)));
  if (hasStars(outside, width))
    return {
      from: from - width,
      to: to + width,
      inserted: words,
      selectFrom: from - width,
      selectTo: to - width,
    };
  if (isStarred(words, width)) return replaced(from, to, words.slice(width, -width));
  return { from, to, inserted: mark + words + mark, selectFrom: from + width, selectTo: to + width };
}

const isStarred = (words: string, width: number): boolean =>
  words.length > 2 * width && hasStars(Math.min(starsAt(words), starsBefore(words)), width);

/** Emphasis ends with a paragraph and does not include the mark of a list: each line has its own. */
function toggleStarsOfLines(text: string, from: number, to: number, width: 1 | 2): Edit {
  const mark = '*'.repeat(width);
  const lines = text.slice(from, to).split('\n').map(splitLine);
  const written = lines.filter(({ words }) => words !== '');
  const isOff = written.every(({ words }) => isStarred(words, width));
  const change = (words: string): string => {
    if (words === '' || isStarred(words, width) !== isOff) return words;
    return isOff ? words.slice(width, -width) : mark + words + mark;
  };
  return replaced(from, to, lines.map(({ lead, words, end }) => lead + change(words) + end).join('\n'));
}

/** The mark of a list or a quote, the words, and the spaces at the end. */
function splitLine(line: string): { lead: string; words: string; end: string } {
  const lead = /^\s*(?:(?:[-+*>]|\d+[.)])\s+)*/.exec(line)?.[0] ?? '';
  const words = line.slice(lead.length).trimEnd();
  return { lead, words, end: line.slice(lead.length + words.length) };
}

const link = /\[([^[\]\n]*)\]\(([^()\s]*)\)/g;
const address = /^(?:https?:\/\/|mailto:|tel:)\S+$/;
const scheme = 'https://';

function toggleLink(selected: Selected): Edit {
  const { text } = selected;
  for (const { 0: whole, 1: words = '', index } of text.matchAll(link))
    if (selected.from >= index && selected.to <= index + whole.length)
      return replaced(index, index + whole.length, words);
  const { from, to } = trimmed(selected);
  const words = text.slice(from, to).replace(/\s*\n\s*/g, ' ');
  if (address.test(words))
    // The text of the link comes next.
    return { from, to, inserted: `[](${words})`, selectFrom: from + 1, selectTo: from + 1 };
  const inserted = `[${words}](${scheme})`;
  const begin = words === '' ? from + 1 : from + inserted.length - 1 - scheme.length;
  return { from, to, inserted, selectFrom: begin, selectTo: words === '' ? begin : begin + scheme.length };
}

function toggleList({ text, from: start, to: end }: Selected): Edit {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  // A selection that ends at the beginning of a line does not include this line.
  const last = end > start && text[end - 1] === '\n' ? end - 1 : end;
  const next = text.indexOf('\n', last);
  const to = next < 0 ? text.length : next;
  const lines = text.slice(from, to).split('\n');
  const written = lines.length === 1 ? lines : lines.filter((line) => line.trim() !== '');
  const isOff = written.every((line) => /^\s*[-*+]\s/.test(line));
  const change = (line: string): string => {
    if (isOff) return line.replace(/^(\s*)[-*+]\s/, '$1');
    return (lines.length > 1 && line.trim() === '') || /^\s*[-*+]\s/.test(line) ? line : `- ${line}`;
  };
  const inserted = lines.map(change).join('\n');
  if (lines.length > 1) return replaced(from, to, inserted);
  // The caret stays at its character.
  const moved = inserted.length - (to - from);
  const place = (at: number): number => Math.max(from, at + moved);
  return { from, to, inserted, selectFrom: place(start), selectTo: place(Math.min(end, to)) };
}

const fence = '```';

function toggleCode(selected: Selected): Edit {
  const { text } = selected;
  const { from, to } = trimmed(selected);
  const words = text.slice(from, to);
  if (!words.includes('\n')) {
    if (text[from - 1] === '`' && text[to] === '`') {
      const inserted = words;
      return { from: from - 1, to: to + 1, inserted, selectFrom: from - 1, selectTo: to - 1 };
    }
    if (/^`[^`]+`$/.test(words)) return replaced(from, to, words.slice(1, -1));
    return { from, to, inserted: `\`${words}\``, selectFrom: from + 1, selectTo: to + 1 };
  }
  const fenced = /^```.*\n([\s\S]*)\n```$/.exec(words);
  if (fenced) return replaced(from, to, fenced[1] ?? '');
  const lead = from > 0 && text[from - 1] !== '\n' ? '\n' : '';
  const tail = to < text.length && text[to] !== '\n' ? '\n' : '';
  return replaced(from, to, `${lead}${fence}\n${words}\n${fence}${tail}`);
}

/** The selection without the spaces at its ends, which no mark can be next to. */
function trimmed({ text, from, to }: Selected): { from: number; to: number } {
  const words = text.slice(from, to);
  if (words.trim() === '') return { from, to: from };
  const begin = from + words.length - words.trimStart().length;
  return { from: begin, to: begin + words.trim().length };
}

/** Selects the inserted text, so that the same button undoes it. */
const replaced = (from: number, to: number, inserted: string): Edit => ({
  from,
  to,
  inserted,
  selectFrom: from,
  selectTo: from + inserted.length,
});

/** Changes a text box as typing does: the browser can undo it. */
export function applyEdit(
  box: HTMLTextAreaElement,
  { from, to, inserted, selectFrom, selectTo }: Edit,
): void {
  const expected = box.value.slice(0, from) + inserted + box.value.slice(to);
  box.focus();
  box.setSelectionRange(from, to);
  // The only way to insert a text that can be undone, although deprecated. Old versions of Firefox refuse it in a text box.
  if (inserted === '') document.execCommand?.('delete');
  else document.execCommand?.('insertText', false, inserted);
  if (box.value !== expected) {
    box.value = expected;
    box.dispatchEvent(new InputEvent('input', { bubbles: true }));
  }
  box.setSelectionRange(selectFrom, selectTo);
}
