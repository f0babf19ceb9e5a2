// The settings of running the server: stopping, figures, and streams of one address.
import * as v from 'valibot';
import { matching, setting, wholeNumber } from '../startup/setting.ts';

export const operationSettings = {
  MAX_STREAMS_PER_ADDRESS: setting({
    doc: 'Open streams of one address; an IPv6 `/48` can have four times as many. Each open chat and each open inbox uses one. Raise it if many visitors share one address.',
    default: '1000',
    schema: wholeNumber(1, 999_999),
  }),
  METRICS: setting({
    doc: '`off`, or the address and the port at which Prometheus reads the metrics of this process, such as `127.0.0.1:9464` ([guide](../guides/self-hosting.md#metrics)). Everybody who reaches this port can read them.',
    default: 'off',
    schema: v.pipe(
      matching(
        /^(?:off|(?:\[[\da-fA-F:]+\]|[\w.-]+):\d{1,5})$/,
        'must be `off`, or an address and a port such as `127.0.0.1:9464`',
      ),
      v.transform(addressOf),
      v.check((address) => address === undefined || address.port <= 65_535, 'must have a port up to 65535'),
    ),
  }),
  DRAIN_DELAY: setting({
    doc: 'Seconds between `SIGTERM`, when `/readyz` becomes 503, and the end of new connections. With several processes behind a load balancer, use a value that is longer than two of its health checks, such as `5` ([stop the server](../guides/self-hosting.md#stop-the-server)).',
    default: '0',
    schema: wholeNumber(0, 600),
  }),
  DRAIN_TIMEOUT: setting({
    doc: 'Seconds that running bot code and running requests have to finish when the server stops.',
    default: '10',
    schema: wholeNumber(0, 600),
  }),
};

/** The address of a setting; undefined for `off`. */
function addressOf(text: string): { host: string; port: number } | undefined {
  if (text === 'off') return undefined;
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(text.slice(colon + 1)) };
}
