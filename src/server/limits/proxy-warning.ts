// Warns the operator about a proxy that is not configured in TRUST_PROXY.
import type { Logger } from 'pino';

/**
 * Returns a function that logs the warning once, without the address. Behind a proxy that is not configured all visitors
 * share one rate limit, and the operator has no other way to find the reason.
 */
export function warnOfProxy(trustProxy: number, logger: Logger): () => void {
  let isLogged = false;
  return () => {
    if (isLogged || trustProxy > 0) return;
    isLogged = true;
    logger.warn('an address exceeded its rate limit (RATE_LIMIT); if it is your proxy, set TRUST_PROXY');
  };
}
