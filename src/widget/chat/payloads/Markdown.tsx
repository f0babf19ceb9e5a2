// Markdown: readable text at once, formatted when the rich chunk is there. Makes no HTML; the chunk has its element.
import { Component } from 'preact';
import type { RichText } from '../../markdown/main.ts';
import { rich } from '../bundles.ts';
import { Text } from './Text.tsx';

interface Props {
  text: string;
  /** More of the text will come. */
  isStreaming?: boolean;
  /** Only links, emphasis, code and breaks. */
  inlineOnly?: boolean;
}

/** The page's Trusted Types do not allow our policy: plain text from here on, and no second violation. */
let isRefused = false;

/** A class, because its element has to be filled before the browser paints. */
export class Markdown extends Component<Props> {
  #element: HTMLElement | null = null;
  #shown: RichText | undefined;
  #policy: unknown;

  override componentDidMount() {
    rich.ask(this);
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    const { text, isStreaming = false, inlineOnly = false } = this.props;
    const { module } = rich;
    if (!module || !this.#element) return;
    const policy = module.getPolicy();
    if (policy !== this.#policy) this.componentWillUnmount();
    this.#policy = policy;
    try {
      this.#shown ??= module.createRichText(this.#element, { ...policy, inlineOnly });
    } catch {
      isRefused = true;
      this.forceUpdate();
    }
    this.#shown?.update(text, isStreaming);
  }

  override componentWillUnmount() {
    this.#shown?.dispose();
    this.#shown = undefined;
    this.#element?.replaceChildren();
  }

  override render({ text }: Props) {
    if (!rich.module || isRefused) return <Text text={text} />;
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
