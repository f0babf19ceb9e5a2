// Keeps `open` of a component and the window of its chat equal, in the same way for all frameworks.
import type { WebchatStore } from './store-interface.ts';

export interface OpenBinding {
  /** Opens or closes the window if that was not asked for last; undefined leaves it as it is. */
  follow(isOpen: boolean | undefined): void;
  end(): void;
}

/**
 * Binds `open` of a component to the window. The chat of a component that was there a moment ago may be open: it stays
 * open, and `open` becomes true. Afterwards the window follows `open`, and `open` the window.
 * @param isOpen `open` of the component when it is mounted.
 * @param report changes `open` of the component.
 */
export function bindOpen(
  store: WebchatStore,
  isOpen: boolean | undefined,
  report: (isOpen: boolean) => void,
): OpenBinding {
  /** The last request of the component or the chat: until the chat is initialized, the state does not have it. */
  let isRequested = store.getSnapshot().isOpen;
  const changed = (isNow: boolean) => {
    isRequested = isNow;
    report(isNow);
  };
  const follow = (isNow: boolean | undefined) => {
    if (isNow === undefined || isNow === isRequested) return;
    isRequested = isNow;
    store[isNow ? 'open' : 'close']();
  };
  const stops = [
    store.on('webchat:opened', () => changed(true)),
    store.on('webchat:closed', () => changed(false)),
  ];
  if (!isRequested) follow(isOpen);
  else if (!isOpen) report(true);
  return {
    follow,
    end() {
      for (const stop of stops) stop();
    },
  };
}
