// Draws blocks of answers by code of the page (`platform.registerBlock`).
import { Component, type ComponentChild } from 'preact';
import type { PageBlock } from '../../../protocol/page-api/page-api.ts';
import type { BlockPart } from '../../../protocol/parts.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { PageNode } from './PageNode.tsx';
import { type Drawing, drawByPage, keyOf, registeredBlocks } from './page-blocks.ts';

/** Returns what draws a block, if the page draws blocks of its name. */
export function drawBlock(widget: Widget, part: BlockPart, fallback: ComponentChild): ComponentChild {
  const block = registeredBlocks(widget).get(part.name);
  return block && <BlockView key={part.id} {...{ widget, part, block, fallback }} />;
}

interface Props {
  widget: Widget;
  part: BlockPart;
  block: PageBlock;
  /** The text of the bot. */
  fallback: ComponentChild;
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

  /** Returns the drawing of the page; a new one if the data or the code has changed. */
  #draw({ widget, block, part }: Props): Drawing {
    const drawing = this.#drawing;
    if (drawing?.json === keyOf(part) && drawing?.block === block) return drawing;
    drawing?.controller.abort();
    this.#drawing = drawByPage(widget, part, block, () => this.setState({}));
    return this.#drawing;
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
