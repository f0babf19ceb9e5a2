// Markdown: plain text at first, formatted when the Markdown bundle has loaded.
import { Component } from 'preact';
import type { MarkdownOptions, MarkdownView } from '../../markdown/types.ts';
import { markdown } from '../bundles.ts';
import { type MarkdownRenderer, markdownRenderer } from './markdown-options.ts';
import { Text } from './Text.tsx';

interface Props {
  text: string;
  /** More text will be added. */
  isStreaming?: boolean;
  /** Only links, emphasis, code and breaks. */
  inlineOnly?: boolean;
  /** Returns the title of source number n. */
  cite?: MarkdownOptions['cite'];
}

/** The Trusted Types of the page do not allow our policy: plain text is shown, without another violation. */
let isRefused = false;

/** A class component, because its element must be filled before the browser paints. */
export class Markdown extends Component<Props> {
  #element: HTMLElement | null = null;
  #view: MarkdownView | undefined;
  #renderer: MarkdownRenderer | undefined;

  override componentDidMount() {
    // A new message retries after a failure.
    markdown.load();
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    const { text, isStreaming = false, inlineOnly = false, cite } = this.props;
    const renderer = markdownRenderer.peek();
    if (!renderer || !this.#element) {
      this.componentWillUnmount();
      return;
    }
    if (renderer !== this.#renderer) this.componentWillUnmount();
    this.#renderer = renderer;
    try {
      this.#view ??= renderer.module.createMessageView(this.#element, {
        ...renderer.options,
        inlineOnly,
        cite,
      });
    } catch {
      isRefused = true;
      this.forceUpdate();
    }
    this.#view?.update(text, isStreaming);
  }

  override componentWillUnmount() {
    this.#view?.dispose();
    this.#view = undefined;
    if (this.#element) this.#element.textContent = '';
  }

  override render({ text }: Props) {
    if (isRefused || markdown.module === null) return <Text text={text} />;
    // While the bundle loads, without links, for which another one would be loaded.
    if (!markdownRenderer.value) {
      return (
        <p class="text" dir="auto">
          {text}
        </p>
      );
    }
    return (
      <div
        class="markdown"
        dir="auto"
        ref={(element) => {
          this.#element = element;
        }}
      />
    );
  }
}
