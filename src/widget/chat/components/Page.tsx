// A page of the transcript: its messages or, if it is far away in a long conversation, an empty element of the same
// height. This limits the size of the DOM, while near messages can be searched and read aloud.
import { Component } from 'preact';
import { extras } from '../bundles.ts';
import type { Row } from '../store/store.ts';
import type { ViewProps } from '../view.ts';
import { Message } from './Message.tsx';
import { groupRows } from './message-groups.ts';

interface Props extends ViewProps {
  /** All rows, and the position of its first one. */
  rows: readonly Row[];
  from: number;
  /** The chosen value of each answered question, by row key; null: it can no longer be answered. */
  chosen: Map<string, string | null>;
  /** The key of the newest row. */
  newest: string | undefined;
  /** Whether anybody but the bot has answered: then all have a name. */
  hasPeople: boolean;
  /** Whether the conversation is so long that far pages are removed from the DOM. */
  isLong: boolean;
}

/** Rows that appear in one task. With 50, a fast scroll through 1,000 messages had 28 late frames of 180; with 10, it has 5. */
export const pageRows = 10;
/** Up to this number, all rows stay in the DOM. */
export const keptRows = 300;

/** `height`: of a page that is far away. */
export class Page extends Component<Props, { height?: string }> {
  readonly list = { current: null as HTMLOListElement | null };
  /** Stops observing its distance. */
  #end: (() => void) | undefined;

  override componentDidMount() {
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    if (!this.props.isLong) this.componentWillUnmount();
    else if (!this.#end && this.list.current) {
      extras.request();
      this.#end = extras.module?.observeDistance(this.list.current, (height) => this.setState({ height }));
    }
  }

  override componentWillUnmount() {
    this.#end?.();
    this.#end = undefined;
  }

  override render({ rows, from, chosen, newest, isLong, ...props }: Props, { height }: { height?: string }) {
    const isFar = isLong && height;
    // Subscribes to the bundle that observes distances.
    if (isLong) void extras.module;
    return (
      <ol
        ref={this.list}
        class="rows"
        // Safari drops the role of a list without markers.
        role={isFar ? undefined : 'list'}
        style={{ height: isFar || '' }}
      >
        {!isFar &&
          groupRows(rows, from, from + pageRows).map(({ key, ...position }) => (
            <Message
              key={key}
              {...props}
              rowKey={key}
              {...position}
              isNewest={key === newest}
              chosen={chosen.get(key)}
            />
          ))}
      </ol>
    );
  }
}
