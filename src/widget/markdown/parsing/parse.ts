// Converts one block of Markdown to HTML: CommonMark and GFM by marked, a newline is a break, raw HTML is text. The result
// is not sanitized; only sanitized-html.ts may insert it. Blocks beyond limits.ts are not parsed.
import {
  Hooks,
  Lexer,
  type MarkedOptions,
  Parser,
  Renderer,
  type Token,
  Tokenizer,
  type Tokens,
} from 'marked';
import { addressPattern, unspaced } from '../../../protocol/locale/unspaced-scripts.ts';
import { formulaMark } from '../formulas/draw-formulas.ts';
import { joinFormulas, maskFormulas, readFormula } from '../formulas/read-formula.ts';
import { inlineDepth, isBlockReadable, isInlineReadable } from './limits.ts';

/** Reference definitions (`[name]: address`) by name, without a prototype. */
export type References = Record<string, { href: string; title: string }>;

/** The definitions as one text, to detect changes. Usually empty. */
export function keyOf(references: References): string {
  const names = Object.keys(references);
  return names.length ? JSON.stringify(names.map((name) => [name, references[name]?.href])) : '';
}

/** Characters parsed so far; tests check it, because parsing is the slowest part. */
export const work = { calls: 0, characters: 0 };

/** The HTML of a block; undefined if it must be shown as text. Its definitions are added to `references`. */
export function blockToHtml(text: string, references: References): string | undefined {
  if (!isBlockReadable(text)) return undefined;
  return parse(text, (lexer, parser) => {
    lexer.tokens.links = references as never;
    return parser.parse(lexer.lex(joinFormulas(text)));
  });
}

/** The HTML of inline text: links, emphasis, code and breaks. */
export function inlineToHtml(text: string): string | undefined {
  return parse(text, (lexer, parser) => parser.parseInline(lexer.inlineTokens(text)));
}

/** The HTML of the header of a table, and of each of its rows; undefined if the text is anything but one table. */
export function tableToRows(
  text: string,
  references: References,
): { head: string; rows: string[] } | undefined {
  return parse(text, (lexer, parser) => {
    lexer.tokens.links = references as never;
    const [table, ...others] = lexer.lex(text);
    if (table?.type !== 'table' || others.length > 0) return undefined;
    const { renderer } = parser;
    const { header, rows } = table as Tokens.Table;
    const toRow = (cells: Tokens.TableCell[]) =>
      renderer.tablerow({ text: cells.map((cell) => renderer.tablecell(cell)).join('') });
    return { head: toRow(header), rows: rows.map(toRow) };
  });
}

function parse<Result>(text: string, read: (lexer: Lexer, parser: Parser) => Result): Result | undefined {
  work.calls++;
  work.characters += text.length;
  try {
    const lexer = new LimitedLexer(options);
    if (!tagAtStart.test(text)) Object.assign(tokenizer.rules, rulesWithoutTags);
    return read(lexer, new Parser(options));
  } catch {
    // A case beyond the limits: the text is shown as it was written.
    return undefined;
  }
}

const encode = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);

/** Encodes HTML, but does not encode existing entities again. */
const encodeBare = (text: string) =>
  text.replace(/[<>"']|&(?!(?:#\d{1,7}|#x[a-f\d]{1,6}|\w+);)/gi, (c) => `&#${c.charCodeAt(0)};`);

/** A token that is shown as its source, with its line breaks. */
const plain = (raw: string): Token => ({
  type: 'text',
  raw,
  text: encode(raw).replace(/\n/g, '<br>'),
  escaped: true,
});

class LimitedLexer extends Lexer {
  private depth = 0;

  override inlineTokens(text: string, tokens: Token[] = []): Token[] {
    if (this.depth > inlineDepth || (this.depth === 0 && !isInlineReadable(text))) {
      tokens.push(plain(text));
      return tokens;
    }
    this.depth++;
    const outer = tokenizer.inline;
    tokenizer.inline = text;
    super.inlineTokens(text, tokens);
    tokenizer.inline = outer;
    this.depth--;
    return tokens;
  }
}

const schemeAtStart = /^(?:(?:https?|ftp):\/\/|www\.)/i;
/** Used only after a match of the short one: its machine code is 70 KB. */
const addressAtStart = new RegExp(schemeAtStart.source + addressPattern('\\s<'), 'iu');
/** marked finds `http:` in a word, but `www.` only after a space. */
const unspacedAddress = new RegExp(`[${unspaced}]www\\.`, 'iu');

class TextTokenizer extends Tokenizer {
  /** The inline text that is read. */
  inline = '';

  /** Raw HTML in a message is text, not markup. */
  override html(): undefined {}
  override tag(): undefined {}

  /** The first that is tried at each position. A formula is code with a mark, for formulas/draw-formulas.ts. */
  override escape(source: string): Tokens.Escape | undefined {
    const formula = readFormula(this.inline, this.inline.length - source.length);
    if (typeof formula !== 'object') return super.escape(source);
    const { raw } = formula;
    return { type: 'codespan', raw, text: raw, isFormula: true } as Tokens.Generic as Tokens.Escape;
  }

  override emStrong(source: string, masked: string, previous: string) {
    return super.emStrong(source, masked, this.before(source, previous));
  }

  override del(source: string, masked: string, previous: string) {
    return super.del(source, masked, this.before(source, previous));
  }

  /** The character before a mark as far as it decides whether the mark opens: '' lets it open before punctuation. */
  private before(source: string, previous: string): string {
    return isBesideUnspaced(this.inline, this.inline.length - source.length) ? '' : previous;
  }

  override url(source: string): Tokens.Link | undefined {
    const [address] = (schemeAtStart.test(source) && addressAtStart.exec(source)) || [];
    return super.url(address ?? source);
  }

  /** A text ends where a formula begins, and where an address follows letters without a space. */
  override inlineText(source: string): Tokens.Text | undefined {
    const start = source.search(unspacedAddress) + 1;
    const token = super.inlineText(start > 0 ? source.slice(0, start) : source);
    const offset = this.inline.length - source.length;
    for (let at = source.indexOf('$', 1); token && at > 0; at = source.indexOf('$', at + 1)) {
      if (at >= token.raw.length) break;
      if (typeof readFormula(this.inline, offset + at) === 'object')
        return super.inlineText(source.slice(0, at));
    }
    return token;
  }
}

class MaskHooks extends Hooks {
  override emStrongMask(source: string): string {
    return maskUnspaced(maskFormulas(source));
  }
}

class SafeRenderer extends Renderer {
  private isInLink = false;

  override link(token: Tokens.Link): string {
    this.isInLink = true;
    const text = this.parser.parseInline(token.tokens);
    this.isInLink = false;
    return `<a href="${address(token.href, token.autolink ? encode : encodeBare)}">${text}</a>`;
  }

  /** A picture becomes a link with a mark that content cannot contain, for pictures.ts. In a link it becomes text. */
  override image({ href, text, tokens }: Tokens.Image): string {
    const alt = tokens ? this.parser.parseInline(tokens, this.parser.textRenderer) : text;
    if (this.isInLink) return encodeBare(alt);
    return `<a href="${address(href, encodeBare)}" rel="image">${encodeBare(alt)}</a>`;
  }

  override codespan({ text, isFormula }: Tokens.Codespan & { isFormula?: boolean }): string {
    return `<code${isFormula ? ` lang="${formulaMark}"` : ''}>${encode(text)}</code>`;
  }

  override code({ text, lang = '' }: Tokens.Code): string {
    return `<pre lang="${languageOf(lang)}"><code>${encode(text)}</code></pre>`;
  }

  /** Below the chat's own heading, which has level 2. */
  override heading({ tokens, depth }: Tokens.Heading): string {
    const level = depth + 2;
    // HTML has six levels; sanitized-html.ts keeps the attribute of a heading.
    const beyond = level > 6 ? ` aria-level="${level}"` : '';
    const name = `h${Math.min(level, 6)}`;
    return `<${name}${beyond}>${this.parser.parseInline(tokens)}</${name}>\n`;
  }

  /** Bots cannot create form controls; screen readers can read these two characters. `rel` tells decorate.ts how to draw them. */
  override checkbox({ checked }: Tokens.Checkbox): string {
    return checked ? '<a rel="check done">☑</a> ' : '<a rel="check">☐</a> ';
  }
}

/** The language name of a fence, if it is valid. */
export const languageOf = (info: string): string => /^[\w+#.-]{1,20}/.exec(info)?.[0] ?? '';

/** Percent-encodes an address where needed; one with a lone surrogate is not valid. */
function address(href: string, inHtml: typeof encode): string {
  try {
    return inHtml(encodeURI(href).replace(/%25/g, '%'));
  } catch {
    return '';
  }
}

const tokenizer = new TextTokenizer();

const options: MarkedOptions = {
  gfm: true,
  breaks: true,
  tokenizer,
  hooks: new MaskHooks(),
  renderer: new SafeRenderer(),
};

/** A line that may begin with an HTML element, after the marks of quotes and lists. */
const tagAtStart = /^[ \t\d>*+.)-]*</m;

/** Marks without which a rule matches nothing: its expression is compiled only for a text with them. */
const hints = new Map([
  ['blockquote', /^ {0,3}>/],
  ['def', /^ {0,3}\[/],
  ['lheading', /\n {0,3}[=-]/],
  ['table', /\n {0,3}[|:-]/],
]);

new Lexer(options);
const { block, other } = tokenizer.rules;
/**
 * The rules of marked for a text without a line that may begin with an HTML element. Its own contain the names of all elements that
 * end a paragraph: the machine code of these expressions takes more than a megabyte.
 */
const rulesWithoutTags = {
  block: Object.fromEntries(
    Object.entries(block).map(([name, { source, flags }]) => {
      const rule = new RegExp(source.replace(/ \{0,3\}\(\?:<.*?CDATA\\\[\)/g, '<'), flags);
      const exec = (text: string) => (hints.get(name)?.test(text) === false ? null : rule.exec(text));
      return [name, { exec, test: (text: string) => exec(text) !== null }];
    }),
  ),
  other: { ...other, htmlBeginRegex: other.headingBeginRegex },
};

const mark = '(?![*~])[\\p{P}\\p{S}]';
const beside = new RegExp(
  `(?<=[${unspaced}][*~]+)${mark}|${mark}(?=[*~]+[${unspaced}])|(?=[${unspaced}])${mark}(?=[*~])|(?<=[*~])(?=[${unspaced}])${mark}`,
  'gu',
);

/**
 * Replaces punctuation beside `*` and `~` by letters, by the amendment "CJK friendly" of CommonMark
 * (https://github.com/tats-u/markdown-cjk-friendly): beside a script that is written without spaces, punctuation opens and closes
 * emphasis as a letter does. The result has the same length. The rules for `_` are not changed by the amendment.
 */
const maskUnspaced = (text: string): string =>
  any.test(text) ? text.replace(beside, (marks) => 'a'.repeat(marks.length)) : text;

const any = new RegExp(`[${unspaced}]`, 'u');
const run = /^(?:\*+|~+)/;
const first = new RegExp(`^[${unspaced}]`, 'u');
const last = new RegExp(`[${unspaced}]$`, 'u');

/** Whether the run of `*` or `~` at a position is beside a character of such a script. */
function isBesideUnspaced(text: string, at: number): boolean {
  const [marks] = run.exec(text.slice(at)) ?? [];
  if (!marks) return false;
  const end = at + marks.length;
  return first.test(text.slice(end, end + 2)) || last.test(text.slice(Math.max(0, at - 2), at));
}
