// Which component shows which payload: text, Markdown and questions are here, the rest is in the media chunk. What
// has no component is shown as readable text.
import { Component, type ComponentChild } from 'preact';
import { type Payload, type PayloadType, preview } from '../../../protocol/message.ts';
import { media } from '../bundles.ts';
import { words } from '../strings.ts';
import { Markdown } from './Markdown.tsx';
import { Text } from './Text.tsx';

export interface PayloadProps<P extends Payload = Payload> {
  payload: P;
  /** The visitor pressed a button: its label is sent as their text, with its value. */
  onAnswer(label: string, value: string): void;
  isStreaming?: boolean;
}

type Drawing<T extends PayloadType> = (props: PayloadProps<Extract<Payload, { type: T }>>) => ComponentChild;

/** The options of a question stand below its bubble (Options.tsx). */
const question = ({ payload }: { payload: { text: string } }) => <Text text={payload.text} />;

const fromMedia = (props: PayloadProps): ComponentChild => {
  const module = media.module;
  // A moment of nothing: the words of a picture are no better than that.
  if (module === undefined) return null;
  return module ? <module.Media {...props} Item={PayloadView} /> : <Text text={preview(props.payload)} />;
};

const drawings: { [T in PayloadType]: Drawing<T> } = {
  text: ({ payload }) => <Text text={payload.text} />,
  markdown: ({ payload, isStreaming = false }) => (
    <Markdown text={payload.markdown} isStreaming={isStreaming} />
  ),
  choice: question,
  dropdown: question,
  image: fromMedia,
  audio: fromMedia,
  video: fromMedia,
  file: fromMedia,
  location: fromMedia,
  card: fromMedia,
  carousel: fromMedia,
  bloc: fromMedia,
};

/**
 * Shows any payload. What comes from the wire may be of an unknown type or shape: then its text is shown. A payload
 * that cannot be drawn harms no other message.
 */
export class PayloadView extends Component<PayloadProps, { isBroken?: boolean }> {
  static override getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidMount() {
    // Here and not while drawing: after a failure only the next message tries again.
    const { type } = this.props.payload;
    if (drawings[type] === fromMedia || type === 'dropdown') media.ask(this);
  }

  override render() {
    const { payload } = this.props;
    const text = preview(payload);
    if (!text || this.state.isBroken || !Object.hasOwn(drawings, payload.type)) {
      return <Text text={text || words.unsupported} />;
    }
    return (drawings[payload.type] as Drawing<PayloadType>)(this.props as never);
  }
}
