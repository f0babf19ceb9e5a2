// Shows the payload of a message with the component of its type. A payload without a component is shown as text.
import { Component } from 'preact';
import { type PayloadOf, type PayloadType, preview } from '../../../protocol/message.ts';
import { extras } from '../bundles.ts';
import { strings } from '../strings.ts';
import { describe, type QuestionName, type TypesWith } from './descriptors.ts';
import { toDrawable } from './drawable.ts';
import { Markdown } from './Markdown.tsx';
import type { Draw, PayloadProps } from './payload-props.ts';
import { isLazyQuestion } from './question-components.ts';
import { Text } from './Text.tsx';

/** Questions have the view below. */
type ChatType = Exclude<TypesWith<'bundle', 'chat'>, TypesWith<'question', QuestionName>>;
type View<Type extends PayloadType> = Draw<PayloadProps<PayloadOf<Type>>>;

const textView = ({ payload }: { payload: { text: string } }) => <Text text={payload.text} />;

const views: { [Type in ChatType]: View<Type> } = {
  text: textView,
  markdown: ({ payload, isStreaming = false, cite }) => (
    <Markdown text={payload.markdown} isStreaming={isStreaming} cite={cite} />
  ),
};

/**
 * Shows any payload. A payload from the wire may have an unknown type or shape: then its text is shown. A payload
 * whose component throws does not affect other messages.
 */
export class PayloadView extends Component<PayloadProps, { isBroken?: boolean }> {
  static override getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidMount() {
    // Not during rendering: after a failure only the next message retries.
    const { type } = this.props.payload;
    if (describe(type)?.bundle === 'extras' || isLazyQuestion(type)) extras.load();
  }

  override render() {
    const payload = toDrawable(this.props.payload);
    const text = preview(payload);
    const descriptor = describe(payload.type);
    if (!text || this.state.isBroken || !descriptor) return <Text text={text || strings.unsupported} />;
    if (descriptor.bundle === 'chat') {
      // The options of a question are below its bubble (components/Message.tsx).
      const view = descriptor.question ? textView : views[payload.type as ChatType];
      return (view as View<PayloadType>)({ ...this.props, payload });
    }
    const { module } = extras;
    // Shows nothing while it loads: the text of a picture would be no better.
    if (module === undefined) return null;
    return module ? (
      <module.Media {...this.props} payload={payload} Item={PayloadView} />
    ) : (
      <Text text={text} />
    );
  }
}
