// Reads the configuration of the home screen. The table of fields checks only that it is an object or a flag.
import type { Link } from '../../../protocol/page-api/field-kinds.ts';

export interface HomeContent {
  title: string | undefined;
  text: string | undefined;
  hasStarters: boolean;
  links: { title: string; href: string }[];
  /** Problems of the parts that are left out. */
  problems: string[];
}

/** The most characters of the title, the text and the title of a link: longer ones are cut. */
const lengths = { title: 200, text: 1_000, link: 100 };
const maxLinks = 10;

/**
 * Returns what the screen shows. Parts that are not texts are left out, as are links that lead to neither a web page nor an
 * address for mail or calls. @param base the address of the page, for relative links.
 */
export function readHome(input: unknown, base: string): HomeContent {
  const { title, text, starters, links } = ownOf(input);
  const listed = itemsOf(links);
  const valid = listed.flatMap((input) => {
    const { title, link } = ownOf(input) as Partial<Record<keyof Link, unknown>>;
    const href = addressOf(link, base);
    const name = textOf(title, lengths.link) ?? textOf(link, lengths.link);
    return href && name ? [{ title: name, href }] : [];
  });
  const mustBe = (isRight: boolean, name: string, kind: string) =>
    isRight ? [] : `Configuration: 'home.${name}' must be ${kind}.`;
  return {
    title: textOf(title, lengths.title),
    text: textOf(text, lengths.text),
    hasStarters: starters !== false,
    links: valid,
    problems: [
      mustBe(isOptional(title, 'string'), 'title', 'a text'),
      mustBe(isOptional(text, 'string'), 'text', 'a text'),
      mustBe(isOptional(starters, 'boolean'), 'starters', 'true or false'),
      mustBe(
        valid.length === listed.length,
        'links',
        'a list of {title, link}, with links to web pages, mail addresses or phone numbers',
      ),
    ].flat(),
  };
}

/**
 * The own properties of a value: a script of the page may have added names to the prototype of all objects. One that
 * throws is null, which is wrong for each part.
 */
function ownOf(input: unknown): Record<string, unknown> {
  const own: Record<string, unknown> = Object.create(null);
  if (typeof input !== 'object' || !input) return own;
  for (const name of ['title', 'text', 'starters', 'links', 'link']) {
    try {
      if (Object.hasOwn(input, name)) own[name] = (input as Record<string, unknown>)[name];
    } catch {
      own[name] = null;
    }
  }
  return own;
}

/** The first items of a list. An item that throws, and a value that is not a list, become null. */
function itemsOf(input: unknown): unknown[] {
  if (input === undefined) return [];
  try {
    return Array.isArray(input) ? input.slice(0, maxLinks) : [null];
  } catch {
    return [null];
  }
}

const isOptional = (value: unknown, type: 'string' | 'boolean') =>
  value === undefined || typeof value === type;

function textOf(input: unknown, length: number): string | undefined {
  const text = typeof input === 'string' ? input.trim() : '';
  if (!text) return undefined;
  // By code point, so that no letter is cut in two.
  return text.length > length ? `${[...text.slice(0, length * 2)].slice(0, length).join('')}…` : text;
}

function addressOf(link: unknown, base: string): string | undefined {
  if (typeof link !== 'string' || !link.trim()) return undefined;
  try {
    const { href, protocol } = new URL(link.trim(), base);
    return /^(https?|mailto|tel):$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
}
