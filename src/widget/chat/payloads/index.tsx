// Which component shows which payload; a type without one is shown as readable text.
import { Component, type ComponentChild } from 'preact';
import { type Payload, type PayloadType, preview } from '../../../protocol/message.ts';
import { chatWords as words } from '../../words.ts';
import { Markdown } from './Markdown.tsx';
import { Text } from './Text.tsx';

type Renderers = { [T in PayloadType]?: (payload: Extract<Payload, { type: T }>) => ComponentChild };

const renderers: Renderers = {
  text: ({ text }) => <Text text={text} />,
  markdown: ({ markdown }) => <Markdown text={markdown} />,
};

/**
 * Shows any payload. What comes from the wire may be of an unknown type or shape: then its text is shown. A payload
 * that cannot be drawn harms no other message.
 */
export class PayloadView extends Component<{ payload: Payload }, { isBroken?: boolean }> {
  static override getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    const { payload } = this.props;
    const text = preview(payload);
    if (!text || this.state.isBroken || !Object.hasOwn(renderers, payload.type)) {
      return <Text text={text || words.unsupported} />;
    }
    return (renderers[payload.type] as (payload: Payload) => ComponentChild)(payload);
  }
}
