// Renders blocks as nodes in the page, and keeps nodes that do not change.
import { type Block, readFence } from './blocks.ts';
import { createCode } from './code.ts';
import { decorate } from './decorate.ts';
import { morph } from './morph.ts';
import { blockToHtml, inlineToHtml, languageOf, type References } from './parse.ts';
import type { Pictures } from './pictures.ts';
import { toNodes } from './sanitized-html.ts';
import type { MarkdownOptions } from './types.ts';

/** A block as it is shown. */
export interface RenderedBlock extends Block {
  nodes: Node[];
  /** The HTML it was rendered from; undefined if it needed none. */
  html: string | undefined;
  /** The definitions it was rendered with, as text; empty if it has no reference. */
  references: string;
}

export interface BlockRenderer {
  /**
   * Replaces `shown` by blocks. Definitions of closed blocks are added to `references`; those of open blocks
   * may still change, so only the result contains them. If the text streams, its open blocks are not remembered.
   */
  draw(
    shown: readonly RenderedBlock[],
    closed: readonly Block[],
    open: readonly Block[],
    references: References,
    isStreaming: boolean,
  ): { closed: RenderedBlock[]; open: RenderedBlock[]; references: References };
  /** Renders a block again if definitions change its result; true if it had to be parsed for that. */
  refer(part: RenderedBlock, references: References, key: string): boolean;
}

/** The maximum number of definitions, because each reference is searched in all of them. */
const maxReferences = 100;

export function createBlockRenderer(
  element: HTMLElement,
  options: MarkdownOptions,
  pictures: Pictures,
): BlockRenderer {
  function draw(
    shown: readonly RenderedBlock[],
    blocks: readonly Block[],
    htmls: readonly Read[],
  ): RenderedBlock[] {
    let same = 0;
    while (same < blocks.length && isSame(shown[same], blocks[same], htmls[same])) same++;
    const fresh = blocks.slice(same);
    const reads = htmls.slice(same);
    const made = toParts(fresh, reads);
    const nodes = morph(
      element,
      shown.slice(same).flatMap((part) => part.nodes),
      made.flatMap((part) => part.nodes),
    );
    let at = 0;
    for (const part of made) {
      const count = part.nodes.length;
      part.nodes = nodes.slice(at, at + count);
      at += count;
    }
    return [...shown.slice(0, same), ...made];
  }

  function toParts(blocks: readonly Block[], reads: readonly Read[]): RenderedBlock[] {
    const htmls = reads.flatMap(({ html }) => html ?? []);
    const ready = htmls.length ? toNodes(htmls) : [];
    let next = 0;
    return blocks.map((block, i) => {
      const { html, references = '' } = reads[i] ?? {};
      const part = { ...block, html, references };
      const made = html === undefined ? undefined : ready[next++];
      if (!made) return { ...part, nodes: [asText(block)] };
      decorate(made, options, pictures);
      const nodes = [...made.childNodes];
      const isBetween = ({ nodeName, textContent }: Node) =>
        block.kind !== 'inline' && nodeName === '#text' && textContent === '\n';
      return { ...part, nodes: nodes.filter((node) => !isBetween(node)) };
    });
  }

  /** A code block, or a block that is not parsed as Markdown: created without HTML. */
  function asText({ kind, text }: Block): Node {
    if (kind === 'inline') return document.createTextNode(text);
    if (kind === 'fence') {
      const { info, body } = readFence(text);
      return createCode(document, options, { language: languageOf(info), text: body });
    }
    const plain = document.createElement('p');
    plain.className = 'plain';
    plain.textContent = text;
    return plain;
  }

  return {
    draw(shown, closed, open, references, isStreaming) {
      const reads = closed.map((block, i) => reuse(shown[i], block, references) ?? read(block, references));
      const all: References = Object.assign(Object.create(null), references);
      // Not `entries()`: Prototype.js replaces it by one without indices.
      open.forEach((block, i) => {
        reads.push(reuse(shown[closed.length + i], block, all) ?? read(block, all, isStreaming));
      });
      const made = draw(shown, [...closed, ...open], reads);
      return { closed: made.slice(0, closed.length), open: made.slice(closed.length), references: all };
    },

    refer(part, references, key) {
      if (part.references === key || !part.text.includes('[') || part.kind === 'fence') return false;
      const again = read(part, references);
      part.references = again.references;
      if (again.html !== part.html) Object.assign(part, draw([part], [part], [again])[0]);
      return true;
    },
  };
}

interface Read {
  html: string | undefined;
  references: string;
}

const isSame = (part: RenderedBlock | undefined, block: Block | undefined, read: Read | undefined) =>
  part?.text === block?.text && part?.kind === block?.kind && part?.html === read?.html;

/** Returns the previous result if nothing in it can have changed. */
function reuse(part: RenderedBlock | undefined, block: Block, references: References): Read | undefined {
  const isAlike = part?.text === block.text && part.kind === block.kind;
  if (!part || !isAlike || block.text.includes(']:')) return undefined;
  return !block.text.includes('[') || part.references === keyOf(references) ? part : undefined;
}

/** The HTML of parsed blocks by their text: pages that were far away are drawn again without parsing. */
const parsed = new Map<string, string | undefined>();
/** The number of remembered blocks, a few hundred messages, and the length of the longest one. */
const maxParsed = 2_000;
const maxLength = 1_000;

/** Parses a block, unless it was parsed lately. References may change the result of a text with brackets. */
function toHtml(text: string, references: References): string | undefined {
  if (text.length > maxLength || text.includes(']:')) return blockToHtml(text, references);
  const key = text.includes('[') ? keyOf(references) + text : text;
  const html = parsed.has(key) ? parsed.get(key) : blockToHtml(text, references);
  // The oldest entry is the first one; an entry that was used becomes the last one.
  parsed.delete(key);
  parsed.set(key, html);
  if (parsed.size > maxParsed) parsed.delete(parsed.keys().next().value as string);
  return html;
}

function read({ kind, text }: Block, references: References, isOpen?: boolean): Read {
  if (kind === 'fence') return { html: undefined, references: '' };
  if (kind === 'inline') return { html: inlineToHtml(text), references: '' };
  // The open end of a streaming text is different each time.
  const html = isOpen ? blockToHtml(text, references) : toHtml(text, references);
  if (text.includes(']:')) {
    for (const name of Object.keys(references).slice(maxReferences)) delete references[name];
  }
  return { html, references: text.includes('[') ? keyOf(references) : '' };
}

/** The definitions as one text, to detect changes. Usually empty. */
export function keyOf(references: References): string {
  const names = Object.keys(references);
  return names.length ? JSON.stringify(names.map((name) => [name, references[name]?.href])) : '';
}
