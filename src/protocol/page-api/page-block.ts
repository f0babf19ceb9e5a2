// The type of a block: content of a bot's answer that code of the page draws. Types only.
import type { Hooks } from './page-api.ts';

/**
 * Draws the blocks of one name in answers (docs/guides/blocks.md). `Data` is what the bot gives: check it, because an agent may
 * have written it.
 */
export interface PageBlock<Data = unknown> {
  /** The name that the bot gives. */
  name: string;
  /**
   * Fills an empty element, which is in the page and has the page's styles. Called again, with a new element, when the data has
   * changed. If it throws, or its promise rejects, the text that the bot gave is shown.
   * @param options.signal aborts when the element goes away: stop timers and requests.
   */
  render(data: Data, element: HTMLElement, options: { signal: AbortSignal }): void | Promise<void>;
  /** Returns the name of the element for screen readers; by default the text that the bot gave. */
  describe?(data: Data): string;
}

/** The page's hooks with its blocks. */
export type BlockHooks = Hooks & { block?: PageBlock };
