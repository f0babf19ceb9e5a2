// A node of the page in the place of a message. It stays in the page's own DOM, where the page's styles and listeners
// reach it, and is shown through a slot.
import { Component } from 'preact';
import type { Widget } from '../../launcher-chat-interface.ts';

interface Props {
  /** The name of the slot. */
  name: string;
  node: Node;
  widget: Widget;
}

export class PageNode extends Component<Props> {
  readonly #box = document.createElement('div');

  override componentDidMount() {
    const { name, widget } = this.props;
    this.#box.slot = name;
    this.componentDidUpdate();
    (widget.box.getRootNode() as ShadowRoot).host.appendChild(this.#box);
  }

  override componentDidUpdate() {
    const { node } = this.props;
    if (node.parentNode === this.#box) return;
    this.#box.textContent = '';
    this.#box.appendChild(node);
  }

  override componentWillUnmount() {
    this.#box.remove();
  }

  override render({ name }: Props) {
    return <slot name={name} />;
  }
}
