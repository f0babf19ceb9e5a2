// A page of the transcript: its messages, or, when it is far away in a long conversation, an empty place of the same
// height. So the DOM stays small however much was read, and what is near can be found and read aloud.
import { useEffect, useRef, useState } from 'preact/hooks';
import { chunkCount, tools } from './chunks.ts';
import type { Placed } from './layout.ts';
import { Message } from './Message.tsx';
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

export function Page({ placed, chosen, isLong, ...props }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const [height, setHeight] = useState(0);
  const { module } = tools;
  useEffect(() => {
    if (!isLong) return undefined;
    tools.ask();
    return list.current ? module?.watchFar(list.current, setHeight) : undefined;
  }, [isLong, module]);
  const isFar = isLong && height > 0;
  return (
    <ol
      ref={list}
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
