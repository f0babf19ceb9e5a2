// The type of a block: content of a bot's answer that code of the page draws. Types only.

/**
 * Draws the blocks of one name in answers (docs/guides/blocks.md). `Data` is what the bot gives: check it, because an agent may
 * have written it.
 */
export interface PageBlock<Data = unknown> {
  /** The name that the bot gives: 1 to 64 letters, digits, `_` and `-`. */
  name: string;
  /**
   * Fills an empty element, which is in the page and has the page's styles. Called again, with a new element, when the data has
   * changed. If it throws, or its promise rejects, the text that the bot gave is shown; also while its promise is not settled and
   * the element is empty.
   * @param options.signal aborts when the element goes away: stop timers and requests.
   */
  render(data: Data, element: HTMLElement, options: { signal: AbortSignal }): void | Promise<void>;
  /** Returns what the block says: to screen readers, and in the downloaded conversation. By default the text that the bot gave. */
  describe?(data: Data): string;
}

/** The method of `window.platform` for blocks. */
export interface BlockMethods {
  /** Draws the blocks of a name in answers. Works at any time, also for answers that are shown. Returns the function that removes it. */
  // biome-ignore lint/suspicious/noExplicitAny: without a type, the page may read any field of its data
  registerBlock<Data = any>(block: PageBlock<Data>): () => void;
}
