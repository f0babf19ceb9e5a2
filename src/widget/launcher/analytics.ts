// The event `analytics`. It is made of the other events, by code that is loaded for the few pages that count them.
import type { Emitter } from './emitter.ts';
import { load } from './load.ts';

/** Calls the handler for each event that can be counted, until the returned function is called. */
export function onAnalytics({ on }: Emitter, handler: (data: never) => void, assets: string): () => void {
  // Several events may wait for the code.
  let isOver = false;
  const off = on('*', (event) =>
    load('host-page', assets)
      .then(({ count }) => isOver || count(handler, event))
      .catch(() => {}),
  );
  return () => {
    isOver = true;
    off();
  };
}
