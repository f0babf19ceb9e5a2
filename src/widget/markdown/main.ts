// The rich chunk's door: shows a growing Markdown text in an element. What is finished is never touched again; only the
// open end is read anew. Refuses to put HTML into the page itself; that is door.ts.

import type { RichTexts } from '../i18n/catalogue.ts';
import { type Block, createSplitter, type Splitter } from './blocks.ts';
import { copyCode } from './code.ts';
import { createColours } from './colours.ts';
import { heal } from './complete-markdown.ts';
import css from './markdown.css?inline';
import type { References } from './parse.ts';
import { createPictures, type Pictures } from './pictures.ts';
import { createPace, type Rest } from './render-scheduler.ts';
import { createParts, keyOf, type Part } from './rendered-blocks.ts';
import { openDoor } from './sanitized-html.ts';

export { rich as words } from '../i18n/en/markdown.ts';
export { getPolicy, setPolicy } from './policy.ts';
export { css };

export interface RichOptions {
  /** Pictures of other servers: never before a click, at once from listed origins, or all of them at once. */
  images: 'click' | 'listed' | 'all';
  /** Origins whose pictures may load at once when `images` is `listed`. */
  imageOrigins: readonly string[];
  /** True: only links, emphasis, code and breaks (the footer of the window). */
  inlineOnly?: boolean;
  words: RichTexts;
}

export interface RichText {
  /**
   * Shows this Markdown. When the text only grew since the last call, finished blocks stay untouched in the DOM and
   * only the open end is read again. A text that streams is drawn at the next frame, any other at once.
   */
  update(markdown: string, isStreaming: boolean): void;
  dispose(): void;
}

/** Characters read in one go; of a longer text the rest comes in the next frames. */
const portion = 8_000;
/** What a block costs besides its characters. */
const blockCost = 80;
/** An open end of 1,000 characters is read again when it grew by 10, one of 10,000 by 1,000, or after half a second. */
const growth = 1 / 100_000;
const patience = 500;

/** What is on the screen, and what will be. */
interface State {
  splitter: Splitter;
  /** Finished, but not shown yet. */
  queue: Block[];
  finished: Part[];
  tail: Part[];
  references: References;
  /** How many parts were asked whether a late definition changes them. */
  checked: number;
  text: string;
  /** When it was read; undefined before the first time. */
  at: number | undefined;
}

const start = (): State => ({
  splitter: createSplitter(),
  queue: [],
  finished: [],
  tail: [],
  references: Object.create(null) as References,
  checked: 0,
  text: '',
  at: undefined,
});

/** Shows Markdown in an element that is the caller's, and empty. Throws where Trusted Types refuse our policy. */
export function createRichText(element: HTMLElement, options: RichOptions): RichText {
  openDoor();
  const life = new AbortController();
  const pictures = createPictures(options);
  const colours = createColours(life.signal);
  const parts = createParts(element, options, pictures);
  const pace = createPace(draw);
  let source = '';
  let isStreaming = false;
  let state = start();

  listen(element, options, pictures, life.signal);

  /** Shows as much as one frame allows. */
  function draw(): Rest {
    const text = normalise(source);
    if (!text.startsWith(state.text)) {
      element.replaceChildren();
      state = start();
    }
    const { splitter, queue, finished, references } = state;
    // One by one: as arguments, tens of thousands overflow the stack.
    if (!options.inlineOnly) for (const block of splitter.advance(text)) queue.push(block);
    if (isStreaming && !queue.length && isTooSoon(state, text)) {
      return text === state.text ? undefined : 'paced';
    }

    const closed = take(queue);
    const open = queue.length ? [] : options.inlineOnly ? [inline(text)] : splitter.open(text);
    const last = open.at(-1);
    if (last && isStreaming) open[open.length - 1] = heal(last);
    const made = parts.draw(state.tail, closed, open, references);
    finished.push(...made.closed);
    state.tail = made.open;
    state.text = text;
    state.at = performance.now();
    colours.add(made.closed);
    if (queue.length) return 'next';
    if (isStreaming) return undefined;
    colours.add(made.open);
    return finish(made.references);
  }

  /** Definitions may come after what refers to them. Stops when a frame is full. */
  function finish(references: References): Rest {
    const key = keyOf(references);
    const all = [...state.finished, ...state.tail];
    for (let left = portion; state.checked < all.length && left > 0; state.checked++) {
      const part = all[state.checked] as Part;
      if (parts.refer(part, references, key)) left -= part.text.length + blockCost;
    }
    return state.checked < all.length ? 'next' : undefined;
  }

  return {
    update(markdown, streaming) {
      if (markdown === source && streaming === isStreaming && state.at !== undefined) return;
      source = markdown;
      isStreaming = streaming;
      state.checked = 0;
      if (streaming && state.at !== undefined) pace.request();
      else pace.flush();
    },
    dispose() {
      pace.stop();
      life.abort();
    },
  };
}

/** Line ends as one character; no NUL (CommonMark, 2.3). */
const normalise = (text: string) =>
  /[\r\0]/.test(text) ? text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd') : text;

const inline = (text: string): Block => ({ kind: 'inline', text, isCode: false });

/** Takes as many blocks as are read in one go, at least one. */
function take(queue: Block[]): Block[] {
  let left = portion;
  let count = 0;
  while (count < queue.length && left > 0) left -= (queue[count++]?.text.length ?? 0) + blockCost;
  return queue.splice(0, count);
}

/** Reading a long open end again for every few characters would make the whole quadratic. */
function isTooSoon({ text, tail, at = 0 }: State, next: string): boolean {
  const grown = next.length - text.length;
  const last = tail.at(-1);
  // Code and plain text only grow; nothing is read.
  const isCheap = last?.html === undefined;
  return !isCheap && grown < last.text.length ** 2 * growth && performance.now() - at < patience;
}

function listen(element: HTMLElement, options: RichOptions, pictures: Pictures, signal: AbortSignal): void {
  const onClick = ({ target }: Event) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button?.matches('.copy')) copyCode(button, options);
    if (button?.matches('.show')) pictures.show(button);
  };
  const onSettled = ({ target, type }: Event) => {
    if (target instanceof Element && target.matches('img')) pictures.settle(target, type === 'load');
  };
  element.addEventListener('click', onClick, { signal });
  // These two do not bubble.
  element.addEventListener('load', onSettled, { signal, capture: true });
  element.addEventListener('error', onSettled, { signal, capture: true });
}
