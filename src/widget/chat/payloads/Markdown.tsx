// Markdown: plain text at first, formatted when the Markdown bundle has loaded.
import { Component } from 'preact';
import type { MarkdownView } from '../../markdown/types.ts';
import { markdown } from '../bundles.ts';
import { type MarkdownRenderer, markdownRenderer } from './markdown-options.ts';
import { Text } from './Text.tsx';

interface Props {
  text: string;
  /** More text will be added. */
  isStreaming?: boolean;
  /** Only links, emphasis, code and breaks. */
  inlineOnly?: boolean;
}

/** The Trusted Types of the page do not allow our policy: plain text is shown, without another violation. */
let isRefused = false;

/** A class component, because its element must be filled before the browser paints. */
export class Markdown extends Component<Props, { empty?: string }> {
  #element: HTMLElement | null = null;
  #view: MarkdownView | undefined;
  #renderer: MarkdownRenderer | undefined;

  override componentDidMount() {
    // A new message retries after a failure.
    markdown.load();
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    const { text, isStreaming = false, inlineOnly = false } = this.props;
    const renderer = markdownRenderer.peek();
    if (!renderer || !this.#element) {
      this.componentWillUnmount();
      return;
    }
    if (renderer !== this.#renderer) this.componentWillUnmount();
    this.#renderer = renderer;
    try {
      this.#view ??= renderer.module.createMarkdownView(this.#element, { ...renderer.options, inlineOnly });
    } catch {
      isRefused = true;
      this.forceUpdate();
    }
    this.#view?.update(text, isStreaming);
    // For example only definitions of links: then the source is shown instead of an empty bubble.
    if (!isStreaming && !isVisible(this.#element) && this.state.empty !== text)
      this.setState({ empty: text });
  }

  override componentWillUnmount() {
    this.#view?.dispose();
    this.#view = undefined;
    if (this.#element) this.#element.textContent = '';
  }

  override render({ text }: Props, { empty }: { empty?: string }) {
    if (!markdownRenderer.value || isRefused || empty === text) return <Text text={text} />;
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

/** Whether an element has visible content. Invisible characters (zero width, direction marks) do not count. */
const isVisible = (element: HTMLElement): boolean =>
  /[^\s\p{Cf}\p{M}]/u.test(element.textContent ?? '') || element.querySelector('img, hr, button') !== null;
