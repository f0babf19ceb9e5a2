// The entry point of the Markdown bundle: renders growing Markdown text in an element. Finished blocks are not rendered
// again, only the open end. HTML enters the page only through sanitized-html.ts.
import en from '../../locales/en.json' with { type: 'json' };
import type { ResolvedConfiguration } from '../../protocol/page-api/config.ts';
import type { MarkdownStrings } from '../i18n/catalogue.ts';
import { type Block, createSplitter, type Splitter } from './blocks.ts';
import { copyCode } from './code.ts';
import { createColors } from './colors.ts';
import css from './markdown.css?inline';
import { completeMarkdown } from './parsing/complete-markdown.ts';
import { keyOf, type References } from './parsing/parse.ts';
import { beginningOfTable } from './parsing/tables.ts';
import { createPictures, type Pictures } from './pictures.ts';
import { createQueuedView, waitForNextTask } from './queued-view.ts';
import { createRenderScheduler, type Remaining } from './render-scheduler.ts';
import { createBlockRenderer, type RenderedBlock } from './rendered-blocks.ts';
import { ensureTrustedTypesPolicy } from './sanitized-html.ts';
import type { MarkdownOptions, MarkdownView } from './types.ts';

export { css };

/** The English strings of this bundle. */
export const strings = en.widget.markdown;

waitForNextTask();

/** A view of a message: its first finished text waits while many others are rendered. Throws as `createMarkdownView`. */
export const createMessageView = (element: HTMLElement, options: MarkdownOptions): MarkdownView =>
  createQueuedView(element, () => createMarkdownView(element, options));

/** Characters that are parsed at once; the rest of a longer text follows in the next frames. */
const charactersPerFrame = 8_000;
/**
 * A frame adds at least this part of what is shown. Its layout takes as long as all that is shown, so that portions of the
 * same size would take quadratic time: a minute and a half for 1 MB of short paragraphs.
 */
const minGrowth = 1 / 16;
/** The fixed cost of a block in addition to its characters, in characters. */
const blockCost = 80;
const costOf = ({ text }: Block) => text.length + blockCost;
/** An open end of 1,000 characters is parsed again after 10 more, one of 10,000 after 1,000, or after half a second. */
const growth = 1 / 100_000;
const maxDelayMs = 500;

/** The rendered blocks and the pending ones. */
interface State {
  splitter: Splitter;
  /** Finished, but not rendered yet. */
  queue: Block[];
  finished: RenderedBlock[];
  tail: RenderedBlock[];
  references: References;
  /** The cost of the finished blocks in characters. */
  cost: number;
  /** The number of blocks that were already checked for references to late definitions. */
  checked: number;
  text: string;
  /** When it was parsed; undefined before the first time. */
  at: number | undefined;
}

/** Lets the browser find the direction again, and returns the state of an empty text. */
function start(element: HTMLElement): State {
  element.textContent = '';
  element.dir &&= 'auto';
  return {
    splitter: createSplitter(),
    queue: [],
    finished: [],
    tail: [],
    references: Object.create(null) as References,
    cost: 0,
    checked: 0,
    text: '',
    at: undefined,
  };
}

/** Renders Markdown in an empty element of the caller. Throws if the page's Trusted Types block our policy. */
export function createMarkdownView(element: HTMLElement, options: MarkdownOptions): MarkdownView {
  ensureTrustedTypesPolicy();
  const controller = new AbortController();
  const pictures = createPictures(options);
  const colors = createColors(controller.signal);
  const renderer = createBlockRenderer(element, options, pictures);
  const scheduler = createRenderScheduler(draw);
  let source = '';
  let isStreaming = false;
  let state = start(element);

  listen(element, options, pictures, controller.signal);

  /** Renders as much as one frame allows. */
  function draw(): Remaining {
    const text = normalise(source);
    if (!text.startsWith(state.text)) {
      state = start(element);
    }
    const { splitter, queue, finished, references } = state;
    // One by one: passing tens of thousands as arguments would overflow the stack.
    if (!options.inlineOnly) for (const block of splitter.advance(text)) queue.push(block);
    if (isStreaming && !queue.length && isTooSoon(state, text)) {
      return text === state.text ? undefined : 'paced';
    }

    const closed = take(state);
    let open = queue.length ? [] : options.inlineOnly ? [inline(text)] : splitter.open(text);
    const last = open.at(-1);
    if (last && isStreaming) open[open.length - 1] = completeMarkdown(last);
    // Either may be a long table: then only its next rows are drawn, as if it were still open.
    const [first = open[0]] = closed;
    const beginning = first && beginningOfTable(first, state.tail[0]);
    if (beginning) {
      queue.unshift(...closed.splice(0));
      open = [beginning];
    }
    const made = renderer.draw(state.tail, closed, open, references, isStreaming);
    for (const block of made.closed) {
      finished.push(block);
      state.cost += costOf(block);
    }
    state.tail = made.open;
    state.text = text;
    // The rest of a beginning is never too soon.
    state.at = beginning ? 0 : performance.now();
    colors.add(made.closed);
    if (beginning && isStreaming) return 'paced';
    if (queue.length || beginning) {
      keepDirection(element);
      return 'next';
    }
    if (isStreaming) return undefined;
    colors.add(made.open);
    return finish(made.references);
  }

  /** Renders blocks again whose references were defined later. Stops after the work of one frame. */
  function finish(references: References): Remaining {
    const key = keyOf(references);
    const all = [...state.finished, ...state.tail];
    for (let budget = charactersPerFrame; state.checked < all.length && budget > 0; state.checked++) {
      const part = all[state.checked] as RenderedBlock;
      if (renderer.refer(part, references, key)) budget -= costOf(part);
    }
    if (state.checked < all.length) return 'next';
    levelHeadings(element);
    return undefined;
  }

  return {
    update(markdown, streaming) {
      if (markdown === source && streaming === isStreaming && state.at !== undefined) return;
      source = markdown;
      isStreaming = streaming;
      // For the caret.
      element.toggleAttribute('data-streaming', streaming);
      state.checked = 0;
      if (streaming && state.at !== undefined) scheduler.request();
      else scheduler.flush();
    },
    dispose() {
      scheduler.stop();
      controller.abort();
    },
  };
}

/** Converts line ends to one character and removes NUL (CommonMark, 2.3). */
const normalise = (text: string) =>
  /[\r\0]/.test(text) ? text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd') : text;

/**
 * Replaces `dir="auto"` by the direction that the browser has found, which later text does not change. With `auto`, Chromium
 * visits all children of an element for each one that is added: 6 of 12 s for 40,000 paragraphs.
 */
function keepDirection(element: HTMLElement): void {
  if (element.dir === 'auto' && /\p{L}/u.test(element.textContent ?? '')) {
    element.dir = getComputedStyle(element).direction;
  }
}

const inline = (text: string): Block => ({ kind: 'inline', text, isCode: false });

/** Removes as many blocks from the queue as are parsed at once, at least one. */
function take({ queue, cost }: State): Block[] {
  let budget = Math.max(charactersPerFrame, cost * minGrowth);
  const end = queue.findIndex((block) => {
    budget -= costOf(block);
    return budget < 0;
  });
  return queue.splice(0, end < 0 ? queue.length : Math.max(1, end));
}

/** Parsing a long open end again for every few characters would take quadratic time. */
function isTooSoon({ text, tail, at = 0 }: State, next: string): boolean {
  const grown = next.length - text.length;
  const last = tail.at(-1);
  // Code and plain text are only appended, without parsing, and of a table only new rows are parsed.
  const isCheap = last?.html === undefined || last.table !== undefined;
  return !isCheap && grown < last.text.length ** 2 * growth && performance.now() - at < maxDelayMs;
}

function listen(
  element: HTMLElement,
  options: MarkdownOptions,
  pictures: Pictures,
  signal: AbortSignal,
): void {
  const onClick = ({ target }: Event) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button?.matches('.copy')) copyCode(button, options);
    if (button?.matches('.show')) pictures.show(button);
  };
  const onSettled = ({ target, type }: Event) => {
    if (target instanceof Element && target.matches('img')) pictures.settle(target, type === 'load');
  };
  element.addEventListener('click', onClick, { signal });
  // These two events do not bubble.
  element.addEventListener('load', onSettled, { signal, capture: true });
  element.addEventListener('error', onSettled, { signal, capture: true });
}

/**
 * Creates the options for all messages from the configuration: which pictures may load immediately, and the strings. The origins of
 * the page and of the chat are always listed. Only the strings that Markdown needs are copied, so that a
 * change of another string does not cause a new rendering.
 */
export function createOptions(
  { remoteImages, imageOrigins }: ResolvedConfiguration,
  chatUrl: string,
  all: MarkdownStrings,
): MarkdownOptions {
  const listed = [...(imageOrigins ?? '').split(/\s+/), chatUrl, location.href].flatMap(originOf);
  const keys = [...Object.keys(strings), 'newTab'] as (keyof MarkdownStrings)[];
  const present = Object.fromEntries(keys.map((key) => [key, all[key]])) as MarkdownStrings;
  return { images: remoteImages, imageOrigins: listed, strings: present };
}

function originOf(address: string): string[] {
  try {
    return address ? [new URL(address).origin] : [];
  } catch {
    return [];
  }
}

/**
 * Sets the levels of the headings of a message, which may begin with any level, for screen readers: below the chat's own heading,
 * which has level 2, and without gaps. Repeated, it changes nothing.
 */
function levelHeadings(element: HTMLElement): void {
  /** The levels in the text of the headings that contain the next one. */
  const outer: number[] = [];
  for (const heading of element.querySelectorAll('h3, h4, h5, h6')) {
    const own = Number(heading.tagName[1]);
    const level = Number(heading.getAttribute('aria-level') ?? own);
    while ((outer.at(-1) ?? 0) >= level) outer.pop();
    outer.push(level);
    const shown = outer.length + 2;
    if (shown === own) heading.removeAttribute('aria-level');
    else heading.setAttribute('aria-level', String(shown));
  }
}
