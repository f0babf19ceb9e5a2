// The settings of running the server: stopping, figures, and streams of one address.
import { type Setting, wholeNumber } from './setting.ts';

const row = <const S extends Setting<unknown>>(setting: S): S => setting;

export const operationSettings = {
  MAX_STREAMS_PER_ADDRESS: row({
    doc: 'Open streams of one address; an IPv6 `/48` can have four times as many. Each open chat uses one. Raise it if many visitors share one address.',
    default: '1000',
    schema: wholeNumber(1, 999_999),
  }),
  DRAIN_DELAY: row({
    doc: 'Seconds between `SIGTERM`, when `/readyz` becomes 503, and the end of new connections. With several processes behind a load balancer, such as `5`: longer than its health checks need ([stop the server](../guides/self-hosting.md#stop-the-server)).',
    default: '0',
    schema: wholeNumber(0, 600),
  }),
  DRAIN_TIMEOUT: row({
    doc: 'Seconds that running bot code and running requests have to finish when the server stops.',
    default: '10',
    schema: wholeNumber(0, 600),
  }),
};
