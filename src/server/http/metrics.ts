// Metrics for Prometheus: their address, and the module that counts, which is loaded only with the setting METRICS.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../startup/start-error.ts';
import { readVersion } from '../startup/version.ts';
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

export interface MetricsListener {
  /** The address with the real port: `http://127.0.0.1:9464/metrics`. */
  url: string;
  close(): Promise<void>;
}

/** The registry of `prom-client`. */
interface Figures {
  contentType: string;
  metrics(): Promise<string>;
}

/**
 * Serves `/metrics` on a port. Throws StartError if it is taken. The port is a separate one, so that the metrics are not open
 * to the internet by accident and need no token.
 */
export async function listenForMetrics(
  figures: Figures,
  { host, port }: { host: string; port: number },
): Promise<MetricsListener> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    figures.metrics().then(
      (text) => response.writeHead(200, { 'content-type': figures.contentType }).end(text),
      // The database does not respond. Another part of the server logs the reason.
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(new StartError(`METRICS: cannot listen on ${host}:${port} (${code}).`)),
    );
    server.listen(port, host, resolve);
  });
  const address = server.address() as AddressInfo;
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${address.port}/metrics`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
