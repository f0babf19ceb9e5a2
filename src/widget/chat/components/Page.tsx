// A page of the transcript: its messages, or, when it is far away in a long conversation, an empty place of the same
// height. So the DOM stays small however much was read, and what is near can be found and read aloud.
import { Component } from 'preact';
import { chunkCount, tools } from '../bundles.ts';
import { Message } from './Message.tsx';
import type { Placed } from './message-groups.ts';
import type { ViewProps } from './Panel.tsx';

interface Props extends ViewProps {
  placed: Placed[];
  /** The chosen value of each answered question, by row key. */
  chosen: Map<string, string>;
  /** The conversation is so long that far pages are left out. */
  isLong: boolean;
}

/** Rows of one page. */
export const pageRows = 50;
/** Rows up to which all of them stay in the DOM. */
export const keptRows = 300;

export class Page extends Component<Props, { height?: number }> {
  readonly list = { current: null as HTMLOListElement | null };
  /** Ends the watch over how far it is. */
  #end: (() => void) | undefined;

  override componentDidMount() {
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    if (!this.props.isLong) this.componentWillUnmount();
    else if (!this.#end && this.list.current) {
      tools.ask();
      this.#end = tools.module?.watchFar(this.list.current, (height) => this.setState({ height }));
    }
  }

  override componentWillUnmount() {
    this.#end?.();
    this.#end = undefined;
  }

  override render({ placed, chosen, isLong, ...props }: Props, { height = 0 }: { height?: number }) {
    const isFar = isLong && height > 0;
    return (
      <ol
        ref={this.list}
        class="rows"
        // Safari drops the role of a list without markers.
        role={isFar ? undefined : 'list'}
        style={{ height: isFar ? `${height}px` : '' }}
      >
        {!isFar &&
          placed.map((one) => (
            <Message
              key={one.row.key}
              {...props}
              {...one}
              chosen={chosen.get(one.row.key)}
              settings={props.store.state.configuration}
              chunkCount={chunkCount()}
            />
          ))}
      </ol>
    );
  }
}
