// Warns the operator of a proxy that the server was not told of.
import type { Logger } from 'pino';

/**
 * Once, and without the address: behind a proxy that this server does not know of, all visitors together are one, and
 * the operator has no other way to see why they are refused.
 */
export function warnOfProxy(trustProxy: number, logger: Logger): () => void {
  let isSaid = false;
  return () => {
    if (isSaid || trustProxy > 0) return;
    isSaid = true;
    logger.warn('an address asks too often (RATE_LIMIT); if it is your proxy, set TRUST_PROXY');
  };
}
