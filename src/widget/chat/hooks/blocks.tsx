// Draws blocks of answers by code of the page (`platform.registerBlock`), and says what they show.
import { Component, type ComponentChild } from 'preact';
import { toJson } from '../../../client/core/json.ts';
import { platformError } from '../../../protocol/error.ts';
import type { PageBlock } from '../../../protocol/page-api/page-block.ts';
import type { BlockPart } from '../../../protocol/parts.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { PageNode } from './PageNode.tsx';
import { hookError } from './result.ts';

/** Blocks that are not valid, or whose functions have failed: each is reported once. */
const reported = new Set<unknown>();

function report(widget: Widget, block: unknown, error: ReturnType<typeof hookError>): void {
  if (reported.has(block)) return;
  reported.add(block);
  widget.emit('error', error);
}

/** The blocks of the page by name: of several with one name, the newest. Those that are not valid are left out. */
export function registeredBlocks(widget: Widget): Map<string, PageBlock> {
  const blocks = new Map<string, PageBlock>();
  for (const { block } of widget.hooks) {
    if (block === undefined) continue;
    const { name, render } = Object(block) as Partial<PageBlock>;
    const isValid = typeof name === 'string' && /^[\w-]{1,64}$/.test(name) && typeof render === 'function';
    if (isValid) blocks.set(name, block);
    else {
      const message =
        'registerBlock() takes a name of 1 to 64 letters, digits, "_" or "-", and a function render.';
      report(widget, block, platformError('invalid_argument', message));
    }
  }
  return blocks;
}

/** Returns what draws a block, if the page draws blocks of its name. */
export function drawBlock(widget: Widget, part: BlockPart, fallback: ComponentChild): ComponentChild {
  const block = registeredBlocks(widget).get(part.name);
  return block && <BlockView key={part.id} {...{ widget, part, block, fallback }} />;
}

/** Characters of what a block says. */
const maxDescription = 1_000;

/** What a block says to those who do not see it; undefined if the page does not tell. */
export function describeBlock(widget: Widget, { name, data }: BlockPart): string | undefined {
  const block = registeredBlocks(widget).get(name);
  try {
    const text = block?.describe?.(copyOf(data));
    return text === undefined ? undefined : String(text).slice(0, maxDescription).trim() || undefined;
  } catch (error) {
    report(widget, block, hookError(`describe of the block '${name}'`, error));
    return undefined;
  }
}

/** A copy, so that the page cannot change what the chat has. It is JSON. */
const copyOf = (data: unknown): unknown => JSON.parse(toJson(data) ?? 'null');

interface Props {
  widget: Widget;
  part: BlockPart;
  block: PageBlock;
  /** The text of the bot. */
  fallback: ComponentChild;
}

/** What the page has drawn, or draws. */
interface Drawing {
  /** The data, to detect changes. */
  json: string | undefined;
  block: PageBlock;
  element: HTMLElement;
  controller: AbortController;
  /** `pending`: its promise is not settled, and nothing is in the element yet. */
  state: 'pending' | 'drawn' | 'failed';
}

let count = 0;

class BlockView extends Component<Props> {
  readonly #name = `block-${++count}`;
  #drawing: Drawing | undefined;

  override componentDidMount() {
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    const { element, state } = this.#drawing ?? {};
    // The keyboard scrolls it, also in browsers that do not make it focusable themselves.
    if (!element || state !== 'drawn' || element.tabIndex === 0) return;
    const isScrolling =
      element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth;
    if (isScrolling) element.tabIndex = 0;
  }

  override componentWillUnmount() {
    this.#drawing?.controller.abort();
  }

  #settle(drawing: Drawing, state: Drawing['state']) {
    if (this.#drawing !== drawing || drawing.state === 'failed') return;
    drawing.state = state;
    this.setState({});
  }

  /** Returns the drawing of the page; a new one if the data or the code has changed. */
  #draw({ widget, block, part }: Props): Drawing {
    const json = toJson(part.data);
    if (this.#drawing?.json === json && this.#drawing?.block === block) return this.#drawing;
    this.#drawing?.controller.abort();
    const controller = new AbortController();
    const { signal } = controller;
    const element = document.createElement('div');
    // It can neither be wider than its message nor fill the window.
    Object.assign(element.style, { maxWidth: '100%', maxHeight: '60vh', overflow: 'auto' });
    element.setAttribute('role', 'group');
    element.setAttribute('aria-label', describeBlock(widget, part) ?? part.fallback);
    const drawing: Drawing = { json, block, element, controller, state: 'drawn' };
    this.#drawing = drawing;
    const fail = (error: unknown) => {
      if (this.#drawing !== drawing) return;
      controller.abort();
      report(widget, block, hookError(`render of the block '${block.name}'`, error));
      this.#settle(drawing, 'failed');
    };
    try {
      const result: unknown = block.render(copyOf(part.data), element, { signal });
      if (typeof (result as PromiseLike<void> | undefined)?.then === 'function') {
        if (!element.hasChildNodes()) {
          drawing.state = 'pending';
          const observer = new MutationObserver(() => this.#settle(drawing, 'drawn'));
          observer.observe(element, { childList: true });
          signal.addEventListener('abort', () => observer.disconnect());
        }
        Promise.resolve(result).then(() => this.#settle(drawing, 'drawn'), fail);
      }
    } catch (error) {
      // Not while it is being drawn.
      drawing.state = 'pending';
      Promise.reject(error).catch(fail);
    }
    return drawing;
  }

  override render(props: Props) {
    const { element, state } = this.#draw(props);
    if (state === 'failed') return props.fallback;
    return [
      <PageNode key="page" name={this.#name} node={element} widget={props.widget} />,
      state === 'pending' && props.fallback,
    ];
  }
}
