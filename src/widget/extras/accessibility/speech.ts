// The announcement of a message that is more than plain text: readable text without Markdown syntax and addresses. Code
// and tables are only named; visitors can navigate to the message to read them. Pure.
import { type Payload, preview } from '../../../protocol/message.ts';
import { describe, type TypesWith } from '../../chat/payloads/descriptors.ts';
import { interpolate } from '../../i18n/current.ts';
import { strings } from '../../media/strings.ts';
import { speakFormulas } from './formula-speech.ts';

/** The name of a type that is named and not read. The compiler requires a string of the same key for each of them. */
const nameOf = (type: TypesWith<'speech', 'name'>): string => strings[type];

/** The depth of nested items that are read. */
const maxDepth = 3;
/** The maximum length of an announcement; visitors can navigate to the message to read more. */
const maxLength = 2_000;

/** The announcement of a message; empty if it has no text. */
export function toSpeech(payload: Payload): string {
  const text = textOf(payload, 0);
  return text.length > maxLength ? `${text.slice(0, maxLength)} …` : text;
}

function textOf(payload: unknown, depth: number): string {
  const { type, title, markdown, items } = Object(payload);
  if (type === 'markdown' && typeof markdown === 'string') return fromMarkdown(markdown);
  if (Array.isArray(items) && depth < maxDepth) {
    // Existing servers send items flat or as `{type, payload}`.
    const all = items.map((item) => ({ ...item, ...item?.payload }));
    if (type === 'carousel')
      return interpolate(strings.cardTitles, {
        titles: all.map((card) => preview({ title: card.title })).join(', '),
      });
    return all.map((item) => textOf(item, depth + 1)).join('\n');
  }
  const kind = describe(type)?.speech === 'name' && nameOf(type);
  return kind ? [kind, preview({ title })].filter(Boolean).join(': ') : preview(payload);
}

/** The text of Markdown, approximately: an unrecognised mark does not matter in speech. */
function fromMarkdown(markdown: string): string {
  // Without fenced code, closed or not.
  const text = markdown
    .slice(0, 5 * maxLength)
    .replace(
      /^ {0,3}(`{3,}|~{3,})[^\n\w]*([\w+#-]*)[\s\S]*?(?:\n {0,3}\1.*|$(?![\s\S]))/gm,
      (_, __, language) => `\n${named(strings.codeBlock, language)}\n`,
    );
  return (
    speakFormulas(text)
      // A table: its header, then the delimiter row, then rows.
      .replace(/^(.+)\n[ |:-]*-[ |:-]*(?:\n.*\|.*)*/gm, (whole, head: string) =>
        head.includes('|') ? `\n${named(strings.table, cells(head))}\n` : whole,
      )
      .replace(/!\[([^\]\n]*)\]\([^)\n]*\)/g, (_, name: string) =>
        [strings.image, name].filter(Boolean).join(': '),
      )
      .replace(/\[([^\]\n]*)\]\([^)\n]*\)/g, '$1')
      // Block marks at the start of a line, rules, inline marks.
      .replace(/^[ \t]*(?:(?:#{1,6}|>|[-*+]) +)*(?:\[[ x]\] )?/gim, '')
      .replace(/^[-=*_ ]{3,}$/gm, '')
      .replace(/(?<!\w)[*_~]{1,3}(?=\S)|(?<=\S)[*_~]{1,3}(?!\w)|`/g, '')
      .replace(/\s*\n\s*/g, '\n')
      .trim()
  );
}

/** The text with a name in it; without a name, the text alone. */
const named = (text: string, name: string) => interpolate(text, { name }).replace(/\s*[:：]\s*$/, '');

const cells = (line: string) =>
  line
    .split('|')
    .map((cell) => cell.trim())
    .filter(Boolean)
    .join(', ');
