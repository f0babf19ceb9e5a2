// Reads the text and the headings of HTML. Nothing is executed or fetched; text that is invisible on the page is
// omitted.
import { htmlCharset, xmlCharset } from '../text/charsets.ts';
import { decodeText } from '../text/decode.ts';
import { createLinkedText, linkAddress } from './links.ts';
import type { Block } from './passages.ts';
import { type ReadOptions, UnreadableError } from './reader-interface.ts';

/** Elements whose text is not visible on the page. */
const silent = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'head',
]);
/** Elements whose text is the same on every page of a site. */
const repeated = new Set(['nav', 'footer', 'aside', 'button', 'select', 'form']);
/** Elements that begin and end a block, and the type of the block. */
const kinds: Record<string, Block['subtype']> = {
  p: 'paragraph',
  div: 'paragraph',
  section: 'paragraph',
  article: 'paragraph',
  main: 'paragraph',
  header: 'paragraph',
  body: 'paragraph',
  dt: 'paragraph',
  dd: 'paragraph',
  figcaption: 'paragraph',
  ul: 'list',
  ol: 'list',
  li: 'list',
  tr: 'table',
  caption: 'table',
  pre: 'code',
  blockquote: 'blockquote',
  h1: 'title',
  h2: 'title',
  h3: 'title',
  h4: 'title',
  h5: 'title',
  h6: 'title',
};
/** The maximum number of characters of a block; longer text continues in the next block. */
const maxBlockLength = 20_000;
/** The maximum number of open elements. The parser searches all of them at each end tag; real pages have fewer. */
const maxDepth = 2_000;

/** Yields the blocks of a document. `isXml`: of XHTML, in which `<script/>` has no end tag. */
export async function* htmlBlocks(
  bytes: AsyncIterable<Uint8Array>,
  { isXml = false, ...options }: ReadOptions & { isXml?: boolean } = {},
): AsyncGenerator<Block> {
  let ready: Block[] = [];
  const text = createLinkedText();
  let title = '';
  /** The addresses of the open links; undefined for one that is not written. */
  const links: (string | undefined)[] = [];
  let base: string | undefined;
  /** The open elements that the tables above contain. */
  const ancestors: string[] = [];
  let hidden = 0;
  let isTitle = false;
  let isInHead = false;
  let depth = 0;

  const flush = () => {
    const name = ancestors.at(-1);
    const subtype = (name && kinds[name]) || 'paragraph';
    const { hasWords } = text;
    const written = text.take();
    if (!hasWords) return;
    const content = subtype === 'code' ? written : written.replace(/\s+/g, ' ');
    ready.push(
      subtype === 'title'
        ? { subtype, level: Number(name?.slice(1)), text: content }
        : { subtype, text: content },
    );
  };

  // Each thread reads one file, and most files need no parser.
  const { Parser } = await import('htmlparser2');
  const parser = new Parser(
    {
      onopentagname(name) {
        depth += 1;
        if (depth > maxDepth)
          throw new UnreadableError(`The HTML is nested deeper than ${maxDepth} elements.`);
        if (name === 'head') isInHead = true;
        // That of the page, not that of a picture (SVG).
        if (name === 'title' && (hidden === 0 || (hidden === 1 && isInHead))) {
          isTitle = true;
          title = '';
        } else if (silent.has(name) || repeated.has(name)) {
          if (hidden === 0) flush();
          hidden += 1;
        } else if (Object.hasOwn(kinds, name)) {
          flush();
          ancestors.push(name);
        } else if (name === 'br') text.add('\n', links.at(-1));
        else if ((name === 'td' || name === 'th') && text.hasWords) text.add(' | ');
      },
      ontext(data) {
        if (isTitle) title += data.slice(0, maxBlockLength);
        else if (hidden === 0) text.add(data, links.at(-1));
        if (text.length > maxBlockLength) flush();
      },
      onopentag(name, { href }) {
        if (name === 'a') links.push(linkAddress(href, base));
        else if (name === 'base') base ??= linkAddress(href);
      },
      onclosetag(name) {
        depth -= 1;
        if (name === 'head') isInHead = false;
        if (name === 'a') links.pop();
        if (name === 'title' && isTitle) {
          isTitle = false;
          const content = title.replace(/\s+/g, ' ').trim();
          if (content) ready.push({ subtype: 'title', level: 1, text: content });
        } else if (silent.has(name) || repeated.has(name)) {
          hidden = Math.max(0, hidden - 1);
        } else if (Object.hasOwn(kinds, name)) {
          flush();
          const start = ancestors.lastIndexOf(name);
          if (start >= 0) ancestors.length = start;
        }
      },
    },
    { recognizeSelfClosing: isXml, recognizeCDATA: isXml },
  );

  const declaredIn = isXml ? xmlCharset : htmlCharset;
  for await (const chunk of decodeText(bytes, { declaredIn, ...options })) {
    parser.write(chunk);
    yield* ready;
    ready = [];
  }
  parser.end();
  flush();
  yield* ready;
}
