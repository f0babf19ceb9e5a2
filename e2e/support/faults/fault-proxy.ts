// The fault proxy on loopback between a browser and the server. Requests fail because of rules (a seeded schedule), the
// test's own `intercept`, or a disconnected network; all other requests pass unchanged.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type FaultTimers, injections, passThrough } from './fault-injections.ts';
import { type FaultKind, faultKinds, type Rule, targets } from './fault-schedule.ts';
import { startHttpProxy } from './http-proxy.ts';
import type { OpenStream, ProxyExchange } from './proxy-exchange.ts';

/** Responds instead of the server and returns true; otherwise the request is forwarded. */
export type Intercept = (request: IncomingMessage, response: ServerResponse) => unknown;

export interface FaultProxy {
  /** `http://127.0.0.1:PORT`, without a trailing slash. */
  url: string;
  /** The address of the demo bot's chat. */
  chatUrl: string;
  /** The number of injections of each fault since the start. */
  readonly injected: Readonly<Record<FaultKind, number>>;
  /** Number of requests to the chat, without preflights. */
  readonly requests: number;
  /** The number of open event streams that are not silenced. */
  readonly openStreams: number;
  /** Adds rules after the unused ones. */
  load(rules: readonly Rule[]): void;
  /**
   * Drops all rules and releases delayed requests. A silenced connection remains silent, because the client must detect
   * it.
   */
  clear(): void;
  /** Cuts every open stream, as a restarting proxy does. Returns their number. */
  cutStreams(): number;
  /** Silences every open stream: it remains open without further data. Returns their number. */
  silenceStreams(): number;
  /** Closes every connection and refuses new ones. */
  disconnect(): void;
  /** Accepts connections again. */
  reconnect(): void;
  close(): Promise<void>;
}

/** Headers with which pages of any origin can read a response. */
export const readableByAnyPage = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };

const chatPath = '/chat/demo';
/** Milliseconds that a reordered request waits for another one to overtake it. */
const overtakingMs = 1_000;

/** @param target the server's address without a trailing slash; undefined when `intercept` responds to all requests. */
export async function startFaultProxy(
  target: string | undefined,
  { intercept }: { intercept?: Intercept } = {},
): Promise<FaultProxy> {
  const injected = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  let rules: Rule[] = [];
  let requests = 0;
  /** Continuations of delayed requests; `overtaken`: those that continue after the next request. */
  const waiting = new Set<() => void>();
  const overtaken = new Set<() => void>();

  const wait = (ms: number, early?: Set<() => void>) =>
    new Promise<void>((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        waiting.delete(resume);
        early?.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, ms);
      waiting.add(resume);
      early?.add(resume);
    });
  const timers: FaultTimers = {
    delay: (ms) => wait(ms),
    untilOvertaken: () => wait(overtakingMs, overtaken),
  };

  /** Returns the rule to apply: each matching rule counts the request, and the first one that is due applies. */
  const nextRule = (line: string): Rule | undefined => {
    const index = rules.findIndex((rule) => targets[rule.on].test(line) && rule.skip-- <= 0);
    return index < 0 ? undefined : rules.splice(index, 1)[0];
  };

  const handle = async (exchange: ProxyExchange): Promise<void> => {
    const { request, response } = exchange;
    if ((await intercept?.(request, response)) === true || target === undefined) return;
    await exchange.readRequest();
    const { pathname } = new URL(request.url ?? '/', target);
    const isChat = pathname.startsWith(`${chatPath}/`) && !pathname.endsWith('/webchat.js');
    if (isChat && request.method !== 'OPTIONS') requests++;
    const rule = isChat && nextRule(`${request.method} ${pathname.slice(chatPath.length)}`);
    if (!rule) {
      await passThrough(exchange);
      if (isChat) for (const resume of overtaken) resume();
      return;
    }
    injected[rule.fault.kind]++;
    await injections[rule.fault.kind](exchange, rule.fault, timers);
  };

  const { url, streams, disconnect, reconnect, close } = await startHttpProxy(target, handle);
  const onStreams = (action: keyof OpenStream) => {
    const open = [...streams];
    for (const stream of open) stream[action]();
    return open.length;
  };

  return {
    url,
    chatUrl: url + chatPath,
    injected,
    get requests() {
      return requests;
    },
    get openStreams() {
      return streams.size;
    },
    load(more) {
      rules.push(...more.map((rule) => ({ ...rule })));
    },
    clear() {
      rules = [];
      for (const resume of waiting) resume();
    },
    cutStreams: () => onStreams('cut'),
    silenceStreams: () => onStreams('silence'),
    disconnect,
    reconnect,
    close,
  };
}
