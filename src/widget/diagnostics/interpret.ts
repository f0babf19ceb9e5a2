// Converts a response of the server, or its absence, to a finding. The requests are in server-checks.ts.
import { isErrorBody } from '../../protocol/error.ts';
import type { Finding } from '../../protocol/page-api/page-api.ts';
import { type FindingCode, finding } from './findings.ts';

/** The response to one request. */
export interface ServerResponse {
  address: string;
  status: number;
  /** The media type, without parameters. */
  type: string;
  /** The parsed JSON; undefined if it is not JSON. */
  json: unknown;
  retryAfter: string | null;
  /** The clock of the server, milliseconds since 1970. */
  date: number;
}

/** The page received no response that it may read. */
export interface NoResponse {
  address: string;
  /** The browser's message, or a time-out message. */
  reason: string;
}

export const isNoResponse = (response: ServerResponse | NoResponse): response is NoResponse =>
  'reason' in response;

/** The finding for the response to a request that should succeed; undefined if it did. */
export function interpretResponse(response: ServerResponse, origin: string): Finding | undefined {
  const { address, status, type, json, retryAfter } = response;
  const detail = isErrorBody(json) ? `${json.type}: ${json.message}` : `${status} ${type}`;
  const code = status < 400 ? (isObject(json) ? undefined : 'address_wrong') : codeOf(status);
  if (!code) return undefined;
  if (code === 'rate_limited') {
    const wait = retryAfter ? `; it asks to wait: Retry-After ${retryAfter}` : '';
    return finding(code, `${address} answers 429${wait}.`, detail);
  }
  if (status < 400) return finding(code, `${address} answers ${type || 'nothing'} in place of JSON.`, detail);
  if (code === 'origin_refused') return finding(code, `${address} answers ${status} to ${origin}.`, detail);
  return finding(code, `${address} answers ${status}.`, detail);
}

/** The requests have no key, so a 401 is not from the chat server. */
const codeOf = (status: number): FindingCode =>
  status === 429
    ? 'rate_limited'
    : status >= 500
      ? 'server_failed'
      : status === 403
        ? 'origin_refused'
        : 'address_wrong';

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Facts about a server whose response the page cannot read. */
export interface Surroundings {
  page: string;
  isOnline: boolean;
  /** The directive that refused the request. */
  directive: string | undefined;
  /** A `no-cors` request has received a response. */
  isThere: boolean;
  /** The script of this chat, which every page may read, was received. */
  isChat: boolean;
}

/** The finding for a missing or unreadable response. */
export function interpretSilence({ address, reason }: NoResponse, surroundings: Surroundings): Finding {
  const { page, isOnline, directive, isThere, isChat } = surroundings;
  const { origin } = new URL(address);
  // Without query and fragment, which may hold secrets of the page.
  const { origin: from, pathname } = new URL(page);
  if (directive) return finding('csp_connect', `${directive} does not allow ${origin}.`, reason);
  if (isMixed(page, address))
    return finding('mixed_content', `${from}${pathname} may not ask ${address}.`, reason);
  if (!isOnline) return finding('offline', `${origin} cannot be reached: the browser is offline.`, reason);
  if (!isThere) return finding('server_unreachable', `${origin} does not answer.`, reason);
  if (isChat) return finding('origin_refused', `${origin} does not let ${from} in.`, reason);
  return finding('answer_unreadable', `${from} may not read what ${address} answers.`, reason);
}

/** An https page requests an http address other than localhost (W3C Mixed Content, Secure Contexts 3.1). */
export function isMixed(page: string, address: string): boolean {
  const { protocol, hostname } = new URL(address);
  const isOwn = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return page.startsWith('https:') && protocol === 'http:' && !isOwn;
}

/** Milliseconds by which clocks may differ. */
const toleranceMs = 5 * 60_000;

/** `date` is the clock of the server; NaN if the page may not read it. */
export function interpretClock(date: number, now: number): Finding | undefined {
  const difference = now - date;
  if (!(Math.abs(difference) > toleranceMs)) return undefined;
  const minutes = Math.round(Math.abs(difference) / 60_000);
  const way = difference > 0 ? 'ahead of' : 'behind';
  return finding('clock_wrong', `This device is ${minutes} minutes ${way} the server.`);
}

/** Why the server refuses a user key with a right signature; undefined if it does not say so. */
export const reasonOf = ({ json }: Pick<ServerResponse, 'json'>): string | undefined =>
  isErrorBody(json) && !/no valid user key/.test(json.message) ? json.message : undefined;

/** Describes errors of the key that the page can detect, because the server reports nothing about a key that it has not verified. */
export function readKey(key: string, now: number): string {
  const [header, payload, signature, ...more] = key.split('.');
  const { alg } = decode(header);
  const { id, exp, nbf } = decode(payload);
  if (!/^[!-~]*$/.test(key)) return 'It has characters that no header takes.';
  if (!signature || more.length > 0) return 'It is not a JSON Web Token: three parts, separated by dots.';
  if (alg !== 'HS256') return `Its algorithm is ${alg}; it must be HS256.`;
  if (typeof id !== 'string' || !id) return 'Its payload has no id, which must be a text.';
  if (exp !== undefined && !(Number(exp) * 1_000 > now)) return `It has expired (exp ${exp}).`;
  if (nbf !== undefined && !(Number(nbf) * 1_000 <= now)) return `It is not valid yet (nbf ${nbf}).`;
  return 'It looks right, so another secret has signed it.';
}

function decode(part = ''): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')));
    return isObject(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
