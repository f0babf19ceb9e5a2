// The fault proxy of an S3 server: it causes faults of object stores, and lists the requests.
import { startHttpProxy } from '../../../../e2e/support/faults/http-proxy.ts';
import { type ProxyExchange, readBody } from '../../../../e2e/support/faults/proxy-exchange.ts';
import type { S3Options } from './requests.ts';

/**
 * The fate of a request. `refuse`: 503 without the server; `silent`: no response; `lose`: the connection ends before
 * the server has the request; `loseResponse`: after the server has processed it. An object replaces parts of the response
 * of the server.
 */
export type Fault =
  | 'refuse'
  | 'silent'
  | 'lose'
  | 'loseResponse'
  | { status?: number; headers?: Record<string, string>; text?: string; cutAfter?: number };

export interface SeenRequest {
  method: string;
  /** The path after the bucket. */
  name: string;
  query: URLSearchParams;
}

export interface StoreProxy {
  /** The options of a store behind the proxy. */
  options(s3: S3Options): S3Options;
  /** Every request that the server received. */
  seen: SeenRequest[];
  /** Called for each request; undefined passes it on. It may wait. */
  fault: (request: SeenRequest) => Fault | undefined | Promise<Fault | undefined>;
  close(): Promise<void>;
}

export async function startStoreProxy(origin: string): Promise<StoreProxy> {
  async function handle(exchange: ProxyExchange): Promise<void> {
    const url = new URL(exchange.request.url ?? '', origin);
    const seen = {
      method: exchange.request.method ?? '',
      name: url.pathname.split('/').slice(2).join('/'),
      query: url.searchParams,
    };
    const fault = await proxy.fault(seen);
    if (fault === 'silent') return;
    if (fault === 'lose') return exchange.reset();
    if (fault === 'refuse') {
      exchange.request.resume();
      const body = '<Error><Code>SlowDown</Code><Message>Reduce your rate.</Message></Error>';
      return exchange.respond({ status: 503, type: 'application/xml', body });
    }
    proxy.seen.push(seen);
    // The signature contains the host, which stays the one of the proxy.
    const answer = await exchange.forward();
    if (fault === 'loseResponse') {
      await readBody(answer);
      return exchange.reset();
    }
    const { status = answer.statusCode ?? 500, headers = {}, text, cutAfter } = fault ?? {};
    if (text !== undefined) {
      await readBody(answer);
      return exchange.respond({ status, headers, body: text });
    }
    exchange.writeHead(answer, headers, status);
    await exchange.pipeBody(answer, cutAfter);
  }

  const { url: address, close } = await startHttpProxy(origin, handle, { keepsConnections: true });
  const proxy: StoreProxy = {
    options: (s3) => ({ ...s3, url: s3.url.replace(origin, address) }),
    seen: [],
    fault: () => undefined,
    close,
  };
  return proxy;
}
