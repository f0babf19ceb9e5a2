// The options of a question, with the component of its type. A focus in options that vanish moves to the composer, and not to
// the page behind the window: another tab may have answered, or a person has joined.
import { Component } from 'preact';
import { moveFocus } from '../components/focus.ts';
import type { OptionsProps } from './Choice.tsx';
import { questionComponent } from './question-components.ts';

interface Props extends OptionsProps {
  /** Of the payload. */
  type: string;
  frame: HTMLElement;
  /** Of the question. */
  rowKey: string;
}

export class Options extends Component<Props> {
  override componentWillUpdate({ chosen }: Props) {
    if (chosen !== this.props.chosen) this.componentWillUnmount();
  }

  // Before its elements are removed.
  override componentWillUnmount() {
    const { frame, rowKey } = this.props;
    const row = frame.querySelector('.options :focus')?.closest<HTMLElement>('.row');
    if (row?.dataset.key === rowKey) moveFocus(frame);
  }

  override render({ type, frame, rowKey, ...props }: Props) {
    const Question = questionComponent(type);
    return Question ? <Question {...props} /> : null;
  }
}
