// The blocks that the page has registered (`platform.registerBlock`): their code draws them, and says what they show.
import { toJson } from '../../../client/core/json.ts';
import { platformError } from '../../../protocol/error.ts';
import type { PageBlock } from '../../../protocol/page-api/page-api.ts';
import type { BlockPart } from '../../../protocol/parts.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { hookError } from './page-callback.ts';

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

/** Characters of what a block says. */
const maxDescription = 1_000;

/** The description of a block for visitors who do not see it; undefined if the page has none. */
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

/** The result of the page for a block, or its promise. */
export interface Drawing {
  /** The data as JSON, to detect changes. */
  json: string | undefined;
  block: PageBlock;
  element: HTMLElement;
  controller: AbortController;
  /** `pending`: its promise is not settled, and nothing is in the element yet. */
  state: 'pending' | 'drawn' | 'failed';
}

/** The data of a block as it is compared. */
export const keyOf = ({ data }: BlockPart): string | undefined => toJson(data);

/** Has the page draw a block. `onChange`: called when its state has changed, not before this returns. */
export function drawByPage(widget: Widget, part: BlockPart, block: PageBlock, onChange: () => void): Drawing {
  const controller = new AbortController();
  const { signal } = controller;
  const element = document.createElement('div');
  // It can neither be wider than its message nor fill the window.
  Object.assign(element.style, { maxWidth: '100%', maxHeight: '60vh', overflow: 'auto' });
  element.setAttribute('role', 'group');
  element.setAttribute(
    'aria-label',
    describeBlock(widget, part) ?? (String(part.fallback).trim() || part.name),
  );
  const drawing: Drawing = { json: keyOf(part), block, element, controller, state: 'drawn' };
  const settle = (state: Drawing['state']) => {
    if (signal.aborted) return;
    drawing.state = state;
    onChange();
  };
  void (async () => {
    try {
      const result = block.render(copyOf(part.data), element, { signal });
      if (typeof result?.then !== 'function') return;
      if (!element.hasChildNodes()) {
        drawing.state = 'pending';
        const observer = new MutationObserver(() => settle('drawn'));
        observer.observe(element, { childList: true });
        signal.addEventListener('abort', () => observer.disconnect());
      }
      await result;
      settle('drawn');
    } catch (error) {
      // Not while it is being drawn.
      await undefined;
      if (!signal.aborted) report(widget, block, hookError(`render of the block '${block.name}'`, error));
      settle('failed');
      controller.abort();
    }
  })();
  return drawing;
}
