// Turns a Markdown file of the documentation into HTML: headings with anchors, links between pages, highlighted code with a place for
// a copy button, tables that scroll, and "Try it" buttons. Markdown with the widget's parser and highlighter, at build time.
import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { tokenize } from '@speed-highlight/core';
import { Marked } from 'marked';
import { addressOfLink } from './addresses.mjs';
import { drawDiagram } from './diagram.mjs';
import { sizeOfWebp } from './webp.mjs';

/** Names of code blocks whose grammar has another name. */
const grammars = { sh: 'bash', bash: 'bash', tsx: 'ts', vue: 'html', svelte: 'html', python: 'py' };
const ownGrammars = ['js', 'ts', 'html', 'json', 'http', 'css', 'diff', 'ini', 'go', 'java'];
/** Kinds of tokens of speed-highlight, as classes of one letter. */
const classes = {
  kwd: 'k',
  oper: 'o',
  str: 's',
  num: 'n',
  bool: 'n',
  cmnt: 'c',
  func: 'f',
  class: 'f',
  type: 'f',
  var: 'v',
  insert: 'i',
  deleted: 'd',
};

export const escapeHtml = (text) =>
  text.replace(
    /[&<>"]/g,
    (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character],
  );

/** The fragment of a heading, as GitHub makes it. */
export const slugOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** The text of tokens without marks. */
export function plainText(tokens) {
  return tokens
    .map((token) => {
      if (token.type === 'html') return '';
      if (token.type === 'table') {
        const rows = [token.header, ...token.rows];
        return rows.map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ');
      }
      if (token.items) return plainText(token.items);
      if (token.tokens) return plainText(token.tokens);
      return token.text ?? '';
    })
    .join(' ')
    .replace(/\s+/g, ' ');
}

/** The text of a heading: what it shows, with its spaces. */
const headingText = (tokens) =>
  tokens.map((token) => (token.tokens ? headingText(token.tokens) : (token.text ?? ''))).join('');

export async function highlight(text, name) {
  const grammar = grammars[name] ?? (ownGrammars.includes(name) ? name : undefined);
  if (!grammar) return escapeHtml(text);
  let html = '';
  await tokenize(text, grammar, (piece, kind) => {
    const letter = classes[kind];
    html += letter ? `<span class="t${letter}">${escapeHtml(piece)}</span>` : escapeHtml(piece);
  });
  return html;
}

/** A picture with its size, so that the page does not move when it arrives. */
export function picture(file, address, text, kind) {
  const [width, height] = sizeOfWebp(readFileSync(file));
  const shape = kind ?? (height > width ? 'high' : undefined);
  return `<img${shape ? ` class="${shape}"` : ''} src="${address}" alt="${escapeHtml(text)}" width="${width}" height="${height}" loading="lazy" decoding="async">`;
}

/**
 * @returns the title, the HTML below it, its headings (id, text, depth), and its sections for the search (id, heading, text)
 */
export async function renderMarkdown(file, source, { repository } = {}) {
  const ids = new Map();
  const headings = [];
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(source.replace(/<!--[\s\S]*?-->/g, ''));
  const sections = [{ id: '', heading: '', text: '' }];
  let title = file;
  let above = '';
  for (const token of tokens) {
    if (token.type === 'heading') {
      const text = headingText(token.tokens);
      const slug = slugOf(text);
      const count = ids.get(slug) ?? 0;
      ids.set(slug, count + 1);
      token.id = count ? `${slug}-${count}` : slug;
      if (token.depth === 1) title = text;
      else headings.push({ id: token.id, text, depth: token.depth });
      // A section of the third level is found by the words of the heading above it, too.
      if (token.depth === 2) above = text;
      const name = token.depth === 3 && above ? `${above} › ${text}` : text;
      if (token.depth > 1 && token.depth < 4) sections.push({ id: token.id, heading: name, text: '' });
      else sections.at(-1).text += token.depth === 1 ? '' : ` ${text}`;
    } else sections.at(-1).text += ` ${plainText([token])}`;
  }
  await Promise.all(
    marked.walkTokens(tokens, async (token) => {
      if (token.type === 'code') token.html = await highlight(token.text, token.lang ?? '');
    }),
  );

  let heading = '';
  marked.use({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens: content, depth, id }) {
        const inner = this.parser.parseInline(content);
        heading = escapeHtml(headingText(content));
        if (depth === 1) return `<h1 id="${id}">${inner}</h1>\n`;
        return `<h${depth} id="${id}">${inner} <a class="anchor" href="#${id}" aria-label="Link to “${heading}”">#</a></h${depth}>\n`;
      },
      link({ href, title: hint, tokens: content }) {
        const inner = this.parser.parseInline(content);
        const address = addressOfLink(file, href, repository);
        if (address === undefined) return inner;
        return `<a href="${escapeHtml(address)}"${hint ? ` title="${escapeHtml(hint)}"` : ''}>${inner}</a>`;
      },
      image({ href, text }) {
        const address = addressOfLink(file, href);
        return `<a class="picture" href="${address}">${picture(normalize(join(dirname(file), href)), address, text)}</a>`;
      },
      code({ text, html, lang }) {
        if (lang === 'mermaid') return diagram(text);
        const label = lang ? ` data-lang="${escapeHtml(lang)}"` : '';
        return `<div class="code"${label}><pre><code>${html}</code></pre></div>\n`;
      },
      table({ header, rows }) {
        const trial = trialOf(file, header);
        if (header.length === 5 && trial.kind === 'field') {
          const list = rows.map((row) => {
            const [name, attribute, takes, byDefault, text] = row.map(({ tokens: content }) =>
              this.parser.parseInline(content),
            );
            const values = [`Takes ${takes}`, byDefault && `Default ${byDefault}`].filter(Boolean).join('. ');
            return `<tr><td>${name}<br><span class="note">${attribute}</span>${trial(row).join('')}</td><td>${text}<br><span class="note">${values}</span></td></tr>`;
          });
          return `<div class="table fields" data-name="${heading}"><table><thead><tr><th>Field and attribute</th><th>Meaning</th></tr></thead><tbody>\n${list.join('\n')}\n</tbody></table></div>\n`;
        }
        const names = header.map(({ tokens: content }) => escapeHtml(headingText(content)));
        const isStacked = stacksOnPhones(header, rows);
        // The roles stay those of a table when the style draws a row as a block.
        const role = (name) => (isStacked ? ` role="${name}"` : '');
        const cells = (row, tag, buttons = []) =>
          row
            .map(({ tokens: content, align }, index) => {
              const text = this.parser.parseInline(content);
              const name = tag === 'td' && index === 0 ? operationLink(file, content, text) : text;
              const inner = name + (index === 0 ? buttons.join('') : '');
              // A column without a name has no heading.
              const element = tag === 'th' && inner === '' ? 'td' : tag;
              const label = isStacked && tag === 'td' && index > 0 ? ` data-label="${names[index]}"` : '';
              return `<${element}${role(element === 'th' ? 'columnheader' : 'cell')}${align ? ` class="${align}"` : ''}${label}>${inner}</${element}>`;
            })
            .join('');
        const head = header.some(({ text }) => text !== '')
          ? `<thead${role('rowgroup')}><tr${role('row')}>${cells(header, 'th')}</tr></thead>`
          : '';
        const body = rows.map((row) => `<tr${role('row')}>${cells(row, 'td', trial(row))}</tr>`).join('\n');
        return `<div class="table${isStacked ? ' stacked' : ''}" data-name="${heading}"><table${role('table')}>${head}<tbody${role('rowgroup')}>\n${body}\n</tbody></table></div>\n`;
      },
    },
  });
  const html = marked.parser(tokens);
  return { title, html, headings, sections };
}

/** A diagram, with its arrows in words for those who do not see it. */
function diagram(source) {
  const { svg, words } = drawDiagram(source);
  const list = words.map((text) => `<li>${escapeHtml(text)}</li>`).join('');
  return `<figure class="diagram"><div class="drawing">${svg}</div><details><summary>The diagram in words</summary><ul>${list}</ul></details></figure>\n`;
}

/** Characters of a cell that a column of a phone cannot show well. */
const longCell = 32;

/** Whether the rows of a table become blocks on a phone: tables of sentences do, tables of figures scroll. */
const stacksOnPhones = (header, rows) =>
  header.length > 2 &&
  header.every(({ align }) => align !== 'right') &&
  rows.some((row) => row.some(({ text }) => text.length > longCell));

/** The name of an operation leads to the reference of the server beside the site, which has its fields and examples. */
const operationLink = (file, content, text) =>
  file === 'docs/reference/operations.md' ? `<a href="../../v1/docs/#${content[0].text}">${text}</a>` : text;

/** The pages with buttons: what their tables describe, and the first columns of these tables. */
const trials = {
  'docs/reference/configuration.md': ['field', 'Field Attribute Takes'],
  'docs/reference/messages.md': ['payload', '`type` Fields Shown as'],
};

/** Returns the buttons of a row, each of which opens the chat with the field or the payload that the row describes. */
function trialOf(file, header) {
  const [kind, columns] = trials[file] ?? [];
  const names = header.map(({ text }) => text).join(' ');
  if (!kind || !names.startsWith(columns)) return () => [];
  const buttons = (row) => {
    // A field that is not supported any more has nothing to show.
    if (row[2].text.startsWith('left out')) return [];
    const names = [...row[0].text.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    return names.map((name) => {
      const label = names.length > 1 ? `Try ${name}` : 'Try it';
      return ` <button type="button" class="try" data-try-${kind}="${name}" aria-label="Try ${name}" hidden>${label}</button>`;
    });
  };
  return Object.assign(buttons, { kind });
}
