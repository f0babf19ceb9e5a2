// The event `analytics`. It is made of the other events, by code that is loaded for the few pages that count them.
import { load } from '../load.ts';
import type { Emitter } from './emitter.ts';

/** Calls the handler for each event that can be counted, until the returned function is called. */
export function onAnalytics({ on }: Emitter, handler: (data: never) => void, assets: string): () => void {
  let isOver = false;
  /** One promise, so that events that wait for the code are counted in their order. */
  let code: ReturnType<typeof load<'host-page'>> | undefined;
  const off = on('*', (event) => {
    code ??= load('host-page', assets);
    code.then(
      ({ count }) => isOver || count(handler, event),
      () => {
        code = undefined;
      },
    );
  });
  return () => {
    isOver = true;
    off();
  };
}
