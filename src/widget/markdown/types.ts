// The types that the files of the Markdown bundle share, and that the chat uses.
import type { MarkdownStrings } from '../i18n/catalogue.ts';

export interface MarkdownOptions {
  /** Pictures of other servers: only after a click, immediately from listed origins, or all immediately. */
  images: 'click' | 'listed' | 'all';
  /** Origins whose pictures may load immediately if `images` is `listed`. */
  imageOrigins: readonly string[];
  /** True: only links, emphasis, code and breaks (the footer of the window). */
  inlineOnly?: boolean;
  /** Returns the title of source number n of the answer: `[n]` becomes a button. */
  cite?: ((number: number) => string | undefined) | undefined;
  strings: MarkdownStrings;
}

/** Markdown in an element. */
export interface MarkdownView {
  /**
   * Shows this Markdown. If the text only grew since the last call, finished blocks stay unchanged and only the
   * open end is parsed again. Streaming text is rendered in the next frame, other text immediately.
   */
  update(markdown: string, isStreaming: boolean): void;
  dispose(): void;
}
