// `/healthz` and `/readyz`: whether the process answers, and whether a load balancer should send it requests.
import { type Context, Hono } from 'hono';
import type { Database } from '../storage/database.ts';

/** The state of the process; `/readyz` is 200 only while it is `ready`. */
export interface Readiness {
  state: 'starting' | 'ready' | 'draining';
}

/**
 * Creates both routes. They are outside of all rate limits, because a load balancer that gets 429 would take the process
 * out. Everybody can read the responses: they contain one word, and no reason of a failure.
 */
export function createHealth(db: Database, readiness: Readiness): Hono {
  const health = new Hono();
  // Also answers HEAD. An event loop that is blocked answers nothing.
  health.get('/healthz', (c) => c.json({ status: 'ok' }));
  health.get('/readyz', async (c) => {
    if (readiness.state !== 'ready') return unready(c, readiness.state);
    const isReady = await db.isReady().catch(() => false);
    return isReady ? c.json({ status: 'ready' }) : unready(c, 'unavailable');
  });
  return health;
}

/** One second, because a process that starts or a database that comes back is ready soon. */
const unready = (c: Context, status: string): Response => c.json({ status }, 503, { 'retry-after': '1' });
