// Draws blocks of answers by code of the page (`platform.registerBlock`).
import { Component, type ComponentChild } from 'preact';
import type { BlockHooks, PageBlock } from '../../../protocol/page-api/page-block.ts';
import type { BlockPart } from '../../../protocol/parts.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { PageNode } from './PageNode.tsx';
import { hookError, keyOf } from './result.ts';

/** Blocks whose failure was reported. */
const reported = new WeakSet<PageBlock>();

/** Returns what draws a block, if the page draws blocks of its name. The newest of several counts. */
export function drawBlock(
  widget: Widget,
  part: BlockPart | undefined,
  fallback: ComponentChild,
): ComponentChild {
  const block = ([...widget.hooks] as BlockHooks[]).findLast(
    ({ block }) => block && block.name === part?.name,
  )?.block;
  return part && block && <BlockView key={part.id} {...{ widget, part, block, fallback }} />;
}

interface Props {
  widget: Widget;
  part: BlockPart;
  block: PageBlock;
  /** The text of the bot. */
  fallback: ComponentChild;
}

let count = 0;

class BlockView extends Component<Props, { hasFailed: boolean }> {
  override state = { hasFailed: false };
  readonly #name = `block-${++count}`;
  #drawn: { json: string; block: PageBlock; element: HTMLElement; controller: AbortController } | undefined;

  override componentWillUnmount() {
    this.#drawn?.controller.abort();
  }

  /** Returns the element of the page; a new one if the data or the code has changed. */
  #draw({ block, part }: Props): HTMLElement {
    const json = keyOf(part.data);
    if (this.#drawn?.json === json && this.#drawn.block === block) return this.#drawn.element;
    this.#drawn?.controller.abort();
    const controller = new AbortController();
    const element = document.createElement('div');
    // It can neither be wider than its message nor fill the window.
    Object.assign(element.style, { maxWidth: '100%', maxHeight: '60vh', overflow: 'auto' });
    element.setAttribute('role', 'group');
    this.#drawn = { json, block, element, controller };
    this.state.hasFailed = false;
    const fail = (error: unknown) => {
      if (this.#drawn?.element !== element) return;
      controller.abort();
      if (!reported.has(block))
        this.props.widget.emit('error', hookError(`registerBlock of '${block.name}'`, error));
      reported.add(block);
      this.setState({ hasFailed: true });
    };
    try {
      const data = structuredClone(part.data);
      const label = block.describe?.(data) ?? part.fallback;
      element.setAttribute('aria-label', String(label).slice(0, 1_000));
      Promise.resolve(block.render(data, element, { signal: controller.signal })).catch(fail);
    } catch (error) {
      // Not while it is being drawn.
      queueMicrotask(() => fail(error));
    }
    return element;
  }

  override render(props: Props, { hasFailed }: { hasFailed: boolean }) {
    const node = this.#draw(props);
    return hasFailed ? props.fallback : <PageNode name={this.#name} node={node} widget={props.widget} />;
  }
}
