// The types that the files of the Markdown bundle share, and that the chat knows it by.
import type { MarkdownStrings } from '../i18n/catalogue.ts';

export interface MarkdownOptions {
  /** Pictures of other servers: never before a click, at once from listed origins, or all of them at once. */
  images: 'click' | 'listed' | 'all';
  /** Origins whose pictures may load at once when `images` is `listed`. */
  imageOrigins: readonly string[];
  /** True: only links, emphasis, code and breaks (the footer of the window). */
  inlineOnly?: boolean;
  strings: MarkdownStrings;
}

/** Markdown in an element. */
export interface MarkdownView {
  /**
   * Shows this Markdown. When the text only grew since the last call, finished blocks stay untouched in the DOM and
   * only the open end is parsed again. Streaming text is rendered in the next frame, other text at once.
   */
  update(markdown: string, isStreaming: boolean): void;
  dispose(): void;
}
