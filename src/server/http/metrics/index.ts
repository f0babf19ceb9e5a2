// Metrics for Prometheus: their address, and the module that counts, which is loaded only with the setting METRICS.
import { readVersion } from '../../startup/version.ts';
import { listenForMetrics, type MetricsListener } from './listener.ts';
import type { Metrics } from './prometheus.ts';

interface RunningMetrics extends Omit<Metrics, 'registry'> {
  /** Opens the port and returns the address. Throws StartError if it is taken. */
  listen(): Promise<string>;
  close(): Promise<void>;
}

/** Loads the metrics; undefined without an address. */
export async function loadMetrics(
  address: { host: string; port: number } | undefined,
): Promise<RunningMetrics | undefined> {
  if (!address) return undefined;
  const { createMetrics } = await import('./prometheus.ts');
  const { registry, ...metrics } = createMetrics(readVersion());
  let listener: MetricsListener | undefined;
  return {
    ...metrics,
    async listen() {
      listener = await listenForMetrics(registry, address);
      return listener.url;
    },
    close: async () => listener?.close(),
  };
}
