// The chunk of formulas: TeX to elements of MathML. Temml reads the TeX and returns plain objects; elements are created from
// these by an allow-list, without HTML. It is loaded with the first formula. It imports nothing of the bundle that loads it: the
// bundler would give that bundle an object of its names, made by a loop that also reads the names that a page has added to all
// objects, and fails for them.
import buildMathML from 'temml/src/buildMathML.js';
import functions from 'temml/src/functions.js';
import macros from 'temml/src/macros.js';
import parseTree from 'temml/src/parseTree.js';
import Settings from 'temml/src/Settings.js';
import Style from 'temml/src/Style.js';
import type { Formula } from './read-formula.ts';

/** Commands that are unknown here: they define others, load something, or name elements of the page. */
export const refusedCommands =
  'def edef xdef let \\globallet futurelet \\globalfuture newcommand renewcommand providecommand global long \\globallong class id style data href url includegraphics label ref eqref rule definecolor'.split(
    ' ',
  );
for (const name of refusedCommands) {
  delete functions[`\\${name}`];
  delete macros[`\\${name}`];
}

/** Steps of the expansion of macros in one formula. */
const maxExpand = 400;
/** The largest lengths that a formula may name, in em: horizontal and vertical. */
const maxSize: [number, number] = [6, 3];
/** Elements and texts of a formula. */
const maxNodes = 3_000;
/** How deep elements may be nested: the browser lays them out recursively. */
const maxDepth = 60;
/** The sum of the negative lengths of a formula, in em: it may not cover what is before it. */
const maxNegative = 4;

const elements = new Set(
  'math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom msub msup msubsup munder mover munderover mmultiscripts mprescripts none mtable mtr mtd'.split(
    ' ',
  ),
);
const attributes = new Set(
  'accent accentunder columnspan depth display displaystyle encoding fence form height largeop linethickness lspace mathvariant maxsize minsize movablelimits rowspan rspace scriptlevel separator stretchy symmetric voffset width'.split(
    ' ',
  ),
);
const styles =
  /^(?:padding(?:Left|Right|Top|Bottom)?|border(?:Left|Right|Top|Bottom)?|textAlign|fontWeight|fontStyle|mathDepth)$/;
/** Lengths and words, without functions and addresses. */
const plainValue = /^[\w\s.%+-]{0,60}$/;
/** Marks that change the direction of the text around them, and control characters. */
const control = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const namespace = 'http://www.w3.org/1998/Math/MathML';

/** The elements for `menclose`, which only some browsers know. */
const enclosures: Record<string, Record<string, string>> = {
  top: { borderTop: '0.065em solid', padding: '0.1em 0 0' },
  bottom: { borderBottom: '0.065em solid', padding: '0 0 0.1em' },
  box: { border: '1px solid', padding: '3pt' },
  updiagonalstrike: strike('to top left'),
  downdiagonalstrike: strike('to top right'),
  'updiagonalstrike downdiagonalstrike': strike('to top left', 'to top right'),
  horizontalstrike: strike('to top'),
};

/** Strokes are backgrounds. Forced colors would remove them, and with them what the formula says. */
function strike(...directions: string[]): Record<string, string> {
  const [from, to] = ['calc(50% - 0.5px)', 'calc(50% + 0.5px)'];
  const backgroundImage = directions
    .map(
      (direction) =>
        `linear-gradient(${direction}, transparent ${from}, currentColor ${from}, currentColor ${to}, transparent ${to})`,
    )
    .join();
  return { backgroundImage, forcedColorAdjust: 'preserve-parent-color' };
}

/** Formulas that were drawn lately: growing text is drawn again and again. */
const drawn = new Map<string, Element | undefined>();
const maxDrawn = 300;

/** Elements in a line of text above which a formula may be wider than a phone: it scrolls. */
const wideCount = 24;

/** Draws a formula in the place of its source; leaves the source if it is none, or cannot be drawn. */
export function drawFormula(box: HTMLElement, formula: Formula | undefined): void {
  const math = formula && toMathML(formula.source, formula.isDisplay);
  box.className = math ? 'formula' : '';
  box.removeAttribute('style');
  if (!math) return;
  // TeX is written from left to right in all languages.
  box.dir = 'ltr';
  const isWide = math.querySelectorAll('mi, mn, mo, mtext').length > wideCount;
  if (formula.isDisplay || isWide) {
    // The keyboard scrolls it.
    box.tabIndex = 0;
    box.setAttribute('role', 'group');
    Object.assign(box.style, scrolling, formula.isDisplay ? onItsLine : inText);
  }
  box.textContent = '';
  box.appendChild(math);
}

const scrolling = {
  maxWidth: '100%',
  overflowX: 'auto',
  overflowY: 'hidden',
  overscrollBehaviorX: 'contain',
};
const onItsLine = { display: 'block', paddingBlock: '0.3em', textAlign: 'center' };
/** A box that scrolls has no line of text to which the line could be aligned. */
const inText = { display: 'inline-block', verticalAlign: 'middle' };

/** Returns a new element for a formula; undefined if it is not TeX, or beyond the limits. Never throws. */
export function toMathML(source: string, isDisplay: boolean): Element | undefined {
  const key = `${isDisplay}${source}`;
  const element = drawn.has(key) ? drawn.get(key) : convert(source, isDisplay);
  drawn.delete(key);
  drawn.set(key, element);
  if (drawn.size > maxDrawn) drawn.delete(drawn.keys().next().value as string);
  return element?.cloneNode(true) as Element | undefined;
}

function convert(source: string, isDisplay: boolean): Element | undefined {
  try {
    // `\tag` needs it.
    if (source.includes('\\gdef') || depthOf(source) > maxDepth) return undefined;
    const settings = new Settings({
      displayMode: isDisplay,
      annotate: true,
      strict: true,
      throwOnError: true,
      trust: false,
      maxSize,
      maxExpand,
    }) as TemmlSettings;
    const tree = parseTree(source, settings);
    const style = new Style({ level: isDisplay ? 0 : 1, maxSize });
    const [math] = toElements(buildMathML(tree, source, style, settings), { nodes: 0, negative: 0 }, 0);
    return math instanceof Element && math.localName === 'math' ? math : undefined;
  } catch {
    // An error of the formula, too deep for the stack, or beyond the limits.
    return undefined;
  }
}

/** The depth of the groups of a formula. */
function depthOf(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [mark] of source.matchAll(/\\(?:begin|left|end|right)(?![a-z])|\\.|[{}[\]]/gi)) {
    if (/^(?:\{|\[|\\begin|\\left)$/.test(mark)) deepest = Math.max(deepest, ++depth);
    else if (/^(?:\}|\]|\\end|\\right)$/.test(mark)) depth--;
  }
  return deepest;
}

/** The resources that a formula has used up. */
interface Used {
  nodes: number;
  negative: number;
}

/** Throws for whatever is not allowed, so that a formula is drawn whole or not at all. */
function toElements(node: TemmlNode, used: Used, depth: number): Node[] {
  if (++used.nodes > maxNodes || depth > 2 * maxDepth) throw new RangeError('This formula is too large.');
  // A page may have given all objects a `type` or a `text`.
  const type = own(node, 'type');
  const text = own(node, 'text');
  const children = () => (own(node, 'children') ?? []).flatMap((child) => toElements(child, used, depth + 1));
  if (type === undefined) {
    if (typeof text !== 'string') return children();
    if (control.test(text)) throw new RangeError('This formula has a control character.');
    return [document.createTextNode(text)];
  }
  // Such a child draws the stroke in some browsers.
  if (node.classes?.includes('tml-cancel')) return [];
  const enclosure = type === 'menclose' ? enclosures[String(node.attributes?.notation)] : {};
  const name = type === 'menclose' ? 'mrow' : type;
  if (!enclosure || !elements.has(name)) throw new RangeError(`${type} is not allowed.`);
  const element = document.createElementNS(namespace, name) as MathMLElement;
  // Browsers without MathML have none.
  const style = element.style ?? {};
  for (const [name, value] of Object.entries(node.attributes ?? {})) {
    if (!attributes.has(name)) continue;
    const text = String(value);
    checkLengths(text, used);
    if (plainValue.test(text) || name === 'encoding') element.setAttribute(name, text);
  }
  for (const [name, value] of Object.entries(node.style ?? {})) {
    const text = String(value);
    checkLengths(text, used);
    if (styles.test(name) && plainValue.test(text)) style[name as 'padding'] = text;
  }
  Object.assign(style, enclosure);
  for (const side of ['left', 'right']) {
    if (!node.classes?.includes(`tml-${side}`)) continue;
    style.textAlign = side;
    // Chromium aligns elements of MathML by this value, which others ignore.
    style.textAlign = `-webkit-${side}`;
  }
  for (const child of children()) element.appendChild(child);
  return [element];
}

const own = <Name extends keyof TemmlNode>(node: TemmlNode, name: Name): TemmlNode[Name] | undefined =>
  Object.hasOwn(node, name) ? node[name] : undefined;

/** Throws if a length is larger than what a formula may use. */
function checkLengths(value: string, used: Used): void {
  for (const [, number, unit] of value.matchAll(/(-?\d*\.?\d+)(em|ex|rem|pt|px|cm|mm|in|pc)\b/g)) {
    const em = Number(number) * ({ em: 1, rem: 1, ex: 0.5, pt: 0.1, px: 0.07 }[unit as string] ?? 3);
    if (em < 0) used.negative -= em;
    if (Math.abs(em) > 20 || used.negative > maxNegative) throw new RangeError('A length is too large.');
  }
}
