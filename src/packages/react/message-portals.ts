// Messages that React draws: each is a portal into a node that the chat shows in the place of the message.
import type { ShownMessage, WebchatStore } from '@platform-webchat/widget';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

/**
 * Returns what is shown in the place of a message; null or undefined for the message itself, which is decided when the
 * message is shown or changes. Called outside of a component too: use hooks in the components that it returns.
 */
export type RenderMessage = (message: ShownMessage) => ReactNode;

/** The newest value, for functions that are called later. */
export function useLatest<T>(value: T): { current: T } {
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  return latest;
}

interface Drawn {
  message: ShownMessage;
  node: Element;
}

/** The portals of the messages for which `renderMessage` has returned something. They follow its newest version. */
export function useMessagePortals(store: WebchatStore, renderMessage: RenderMessage | undefined): ReactNode {
  const [drawn, setDrawn] = useState<readonly Drawn[]>([]);
  const latest = useLatest(renderMessage);
  const isUsed = !!renderMessage;
  useEffect(() => {
    if (!isUsed) return;
    const ends = [
      store.use({
        renderMessage(message) {
          const content = latest.current?.(message);
          if (content == null || typeof content === 'boolean') return;
          const node = document.createElement('div');
          setDrawn((others) => [
            ...others.filter((other) => other.message.id !== message.id),
            { message, node },
          ]);
          return node;
        },
      }),
      // Messages of an earlier conversation are not shown again.
      store.on('conversation', () => setDrawn((all) => all.filter(({ node }) => node.isConnected))),
    ];
    return () => {
      for (const end of ends) end();
      setDrawn([]);
    };
  }, [store, isUsed, latest]);
  return (
    renderMessage && drawn.map(({ message, node }) => createPortal(renderMessage(message), node, message.id))
  );
}
