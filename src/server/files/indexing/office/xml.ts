// Reads the XML parts of a document as a stream. Entities that the document declares are not expanded, and nothing
// outside of it is read.
import { xmlCharset } from '../../text/charsets.ts';
import { decodeText } from '../../text/decode.ts';
import { UnreadableError } from '../reader-interface.ts';
import type { Archive } from './archive.ts';

/** The attributes of an element, with their prefixes. */
export type Attributes = Record<string, string>;

/** Receives the elements of a part. Names are without prefix, because programs choose different ones. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The maximum number of open elements. Nested tables of real documents have fewer. */
const maxDepth = 1_000;

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/** Returns an attribute by its name without prefix. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  if (attributes[name] !== undefined) return attributes[name];
  const key = Object.keys(attributes).find((one) => one.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}

/** Whether an element of Word switches on what its name says (ECMA-376, part 1, 17.17.4). */
export const isOn = (attributes: Attributes): boolean =>
  !/^(?:0|false|off)$/i.test(attribute(attributes, 'val') ?? '');

/** Follows which text repeats that of another alternative (ECMA-376, part 3, 7.5): only the first one of several counts. */
export function createAlternatives() {
  /** The number of alternatives that were opened, of each open `AlternateContent`. */
  const open: number[] = [];
  let repeated = 0;
  const isAlternative = (name: string) => name === 'Choice' || name === 'Fallback';
  return {
    get isRepeated(): boolean {
      return repeated > 0;
    },
    open(name: string): void {
      if (name === 'AlternateContent') open.push(0);
      else if (isAlternative(name) && open.length > 0) {
        const count = (open.at(-1) ?? 0) + 1;
        open[open.length - 1] = count;
        if (count > 1) repeated += 1;
      }
    },
    close(name: string): void {
      if (name === 'AlternateContent') open.pop();
      else if (isAlternative(name) && (open.at(-1) ?? 0) > 1) repeated -= 1;
    },
  };
}

/** Yields what the handler emits while a part of an archive is read. */
export async function* readXml<T>(
  archive: Archive,
  part: string,
  createHandler: (emit: (item: T) => void) => XmlHandler,
): AsyncGenerator<T> {
  let ready: T[] = [];
  let depth = 0;
  const handler = createHandler((item) => ready.push(item));
  const { Parser } = await import('htmlparser2');
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth += 1;
        if (depth > maxDepth) {
          throw new UnreadableError(`The document is nested deeper than ${maxDepth} elements.`);
        }
        handler.open?.(localName(name), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        depth -= 1;
        handler.close?.(localName(name));
      },
    },
    { xmlMode: true },
  );
  const warn = (problem: string) => archive.warn(`${part}: ${problem}`);
  for await (const chunk of decodeText(archive.part(part), { declaredIn: xmlCharset, warn })) {
    parser.write(chunk);
    yield* ready;
    ready = [];
  }
  parser.end();
  yield* ready;
}

/** Returns everything that the handler emits for a part of an archive; nothing when the part is missing. */
export async function readPart<T>(
  archive: Archive,
  name: string,
  createHandler: (emit: (item: T) => void) => XmlHandler,
): Promise<T[]> {
  const items: T[] = [];
  if (!archive.has(name)) return items;
  for await (const item of readXml(archive, name, createHandler)) items.push(item);
  return items;
}
