// Renders blocks as nodes in the page, and keeps nodes that do not change.
import { type Block, readFence } from './blocks.ts';
import { createCode } from './code.ts';
import { decorate } from './decorate.ts';
import { morph } from './morph.ts';
import { languageOf, type References } from './parsing/parse.ts';
import { type Read, read, reuse } from './parsing/parsed-blocks.ts';
import { tableHtml } from './parsing/tables.ts';
import type { Pictures } from './pictures.ts';
import { createPlain } from './plain.ts';
import { toNodes } from './sanitized-html.ts';
import type { MarkdownOptions } from './types.ts';

/** A block as it is shown. */
export interface RenderedBlock extends Block, Read {
  nodes: Node[];
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
    const [part, block, parsed] = [shown[same], blocks[same], htmls[same]];
    if (part && block && parsed && (growTable(part, parsed) || growCode(part, block))) {
      Object.assign(part, block, parsed);
      const rest = draw(shown.slice(same + 1), blocks.slice(same + 1), htmls.slice(same + 1));
      return [...shown.slice(0, same), part, ...rest];
    }
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

  /** Replaces only the rows of a table that have changed. False if it is not the table that is shown. */
  function growTable({ table: old, nodes }: RenderedBlock, { table }: Read): boolean {
    if (!old || !table || old.head !== table.head) return false;
    let same = 0;
    while (same < table.rows.length && table.rows[same] === old.rows[same]) same++;
    const body = (nodes[0] as Element).querySelector('tbody');
    const [made] = toNodes([tableHtml({ head: '', rows: table.rows.slice(same) })]);
    const rows = made?.querySelector('tbody');
    if (!body || !made || !rows) return false;
    decorate(made, options, pictures, element);
    // Each row is an element and a line break.
    morph(body, [...body.childNodes].slice(2 * same), [...rows.childNodes]);
    return true;
  }

  /** Appends what an open block of code has gained. False if it is not the code that is shown. */
  function growCode({ kind, text, nodes }: RenderedBlock, block: Block): boolean {
    if (kind !== 'fence' || block.kind !== 'fence') return false;
    const [old, next] = [readFence(text), readFence(block.text)];
    const shown = (nodes[0] as Element).querySelector('code')?.firstChild;
    if (!(shown instanceof Text) || shown.data !== old.body || !next.body.startsWith(old.body)) return false;
    if (old.info !== next.info) return false;
    shown.appendData(next.body.slice(old.body.length));
    return true;
  }

  function toParts(blocks: readonly Block[], reads: readonly Read[]): RenderedBlock[] {
    const htmls = reads.flatMap(({ html }) => html ?? []);
    const ready = htmls.length ? toNodes(htmls) : [];
    let next = 0;
    return blocks.map((block, i) => {
      const { html, references = '', table } = reads[i] ?? {};
      const part = { ...block, html, references, table };
      const made = html === undefined ? undefined : ready[next++];
      if (!made) return { ...part, nodes: [asText(block)] };
      decorate(made, options, pictures, element);
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
    return createPlain(text);
  }

  return {
    draw(shown, closed, open, references, isStreaming) {
      const reads = closed.map(
        (block, i) => reuse(shown[i], block, references) ?? read(block, references, shown[i]),
      );
      const all: References = Object.assign(Object.create(null), references);
      // Not `entries()`: Prototype.js replaces it by one without indices.
      open.forEach((block, i) => {
        const part = shown[closed.length + i];
        reads.push(reuse(part, block, all) ?? read(block, all, part, isStreaming));
      });
      const made = draw(shown, [...closed, ...open], reads);
      return { closed: made.slice(0, closed.length), open: made.slice(closed.length), references: all };
    },

    refer(part, references, key) {
      if (part.references === key || !part.text.includes('[') || part.kind === 'fence') return false;
      const again = read(part, references, part);
      part.references = again.references;
      if (again.html !== part.html) Object.assign(part, draw([part], [part], [again])[0]);
      return true;
    },
  };
}

const isSame = (part: RenderedBlock | undefined, block: Block | undefined, read: Read | undefined) =>
  part?.text === block?.text && part?.kind === block?.kind && part?.html === read?.html;
