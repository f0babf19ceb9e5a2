// A page of the transcript: its messages or, if it is far away in a long conversation, an empty element of the same
// height. This limits the size of the DOM, while near messages can be searched and read aloud.
import { Component } from 'preact';
import { extras } from '../bundles.ts';
import type { ViewProps } from '../view.ts';
import { Message } from './Message.tsx';
import type { GroupedRow } from './message-groups.ts';

interface Props extends ViewProps {
  grouped: GroupedRow[];
  /** The chosen value of each answered question, by row key; null: it can no longer be answered. */
  chosen: Map<string, string | null>;
  /** The key of the newest row. */
  newest: string | undefined;
  /** Whether the conversation is so long that far pages are removed from the DOM. */
  isLong: boolean;
}

export const pageRows = 50;
/** Up to this number, all rows stay in the DOM. */
export const keptRows = 300;

export class Page extends Component<Props, { height?: number }> {
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

  override render({ grouped, chosen, newest, isLong, ...props }: Props, { height = 0 }: { height?: number }) {
    const isFar = isLong && height > 0;
    // Subscribes to the bundle that observes distances.
    if (isLong) void extras.module;
    return (
      <ol
        ref={this.list}
        class="rows"
        // Safari drops the role of a list without markers.
        role={isFar ? undefined : 'list'}
        style={{ height: isFar ? `${height}px` : '' }}
      >
        {!isFar &&
          grouped.map(({ key, day, isFirst, isLast }) => (
            <Message
              key={key}
              {...props}
              rowKey={key}
              day={day}
              isFirst={isFirst}
              isLast={isLast}
              isNewest={key === newest}
              chosen={chosen.get(key)}
            />
          ))}
      </ol>
    );
  }
}
