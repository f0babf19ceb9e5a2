// Stops a server in steps: a load balancer stops sending requests, bot code and requests finish, clients reconnect
// spread over time.
import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Composition } from './composition/options.ts';

/** Milliseconds that the last responses have to leave, also after bot code has used all of the time. */
const lastMomentMs = 1_000;

export interface ShutdownOptions {
  /** Milliseconds between the 503 of `/readyz` and the end of new connections. */
  delay: number;
  /** Milliseconds that running bot code, and running requests, have to finish. */
  timeLimit: number;
}

/**
 * Returns the function that stops the server and the composition. It resolves when all connections are closed. With a
 * delay there are other processes, to which the clients of the streams move within twice that time; without one they
 * would wait for this server to come back, so all streams are closed at once.
 */
export function createShutdown(
  server: Server,
  composition: Composition,
  { delay, timeLimit }: ShutdownOptions,
): () => Promise<void> {
  let isClosing = false;
  // Otherwise a kept-alive connection stays open for as long as its client sends requests.
  server.prependListener('request', (_, response) => {
    if (isClosing) response.setHeader('connection', 'close');
  });
  return async () => {
    composition.announceStop();
    if (delay > 0 && server.listening) await wait(delay);
    isClosing = true;
    const begun = performance.now();
    const closed = server.listening ? new Promise((resolve) => server.close(resolve)) : undefined;
    await composition.drain({ timeLimit, closingTime: 2 * delay });
    const left = Math.max(lastMomentMs, begun + timeLimit - performance.now());
    const timer = setTimeout(() => server.closeAllConnections(), left);
    await composition.close();
    await closed;
    clearTimeout(timer);
  };
}
