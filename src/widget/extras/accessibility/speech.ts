// What a screen reader is told of a message that is more than words: what a listener can follow, without marks and
// addresses. Code and tables are named, not read: who wants them walks to the message. Pure.
import { type Payload, preview } from '../../../protocol/message.ts';
import { interpolate } from '../../i18n/current.ts';
import { strings } from '../strings.ts';

/** What is named, and not read; the types are keys of words, too. */
const kinds = ['image', 'audio', 'video', 'file', 'location'] as const;

/** Items inside items that are read. */
const maxDepth = 3;
/** Characters of a message that are said; who wants more walks to it. */
const longest = 2_000;

/** The message in words; empty where there are none. */
export function toSpeech(payload: Payload): string {
  const text = say(payload, 0);
  return text.length > longest ? `${text.slice(0, longest)} …` : text;
}

function say(payload: unknown, depth: number): string {
  const { type, title, markdown, items } = Object(payload);
  if (type === 'markdown' && typeof markdown === 'string') return fromMarkdown(markdown);
  if (Array.isArray(items) && depth < maxDepth) {
    // Existing servers send them flat or as `{type, payload}`.
    const all = items.map((item) => ({ ...item, ...item?.payload }));
    if (type === 'carousel')
      return interpolate(strings.cardTitles, {
        titles: all.map((card) => preview({ title: card.title })).join(', '),
      });
    return all.map((item) => say(item, depth + 1)).join('\n');
  }
  const kind = kinds.includes(type) && strings[type as (typeof kinds)[number]];
  return kind ? [kind, preview({ title })].filter(Boolean).join(': ') : preview(payload);
}

/** The words of Markdown, in plain steps: what is left of a mark that was none does no harm by ear. */
function fromMarkdown(markdown: string): string {
  return (
    markdown
      .slice(0, 5 * longest)
      // Fenced code, closed or not.
      .replace(
        /^ {0,3}(`{3,}|~{3,})[^\n\w]*([\w+#-]*)[\s\S]*?(?:\n {0,3}\1.*|$(?![\s\S]))/gm,
        (_, __, language) => `\n${named(strings.codeBlock, language)}\n`,
      )
      // A table: its head, then the line of dashes, then rows.
      .replace(/^(.+)\n[ |:-]*-[ |:-]*(?:\n.*\|.*)*/gm, (whole, head: string) =>
        head.includes('|') ? `\n${named(strings.table, cells(head))}\n` : whole,
      )
      .replace(/!\[([^\]\n]*)\]\([^)\n]*\)/g, (_, name: string) =>
        [strings.image, name].filter(Boolean).join(': '),
      )
      .replace(/\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
      // Marks at the beginning of a line, rules, marks inside it.
      .replace(/^[ \t]*(?:(?:#{1,6}|>|[-*+]) +)*(?:\[[ x]\] )?/gim, '')
      .replace(/^[-=*_ ]{3,}$/gm, '')
      .replace(/(?<!\w)[*_~]{1,3}(?=\S)|(?<=\S)[*_~]{1,3}(?!\w)|`/g, '')
      .replace(/\s*\n\s*/g, '\n')
      .trim()
  );
}

/** A thing by its name; one without a name is the thing alone. */
const named = (text: string, name: string) => interpolate(text, { name }).replace(/\s*[:：]\s*$/, '');

const cells = (line: string) =>
  line
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(', ');
