// Finds the client network of a request, the key of rate limits and quotas. X-Forwarded-For must only be read as far as
// TRUST_PROXY allows.
// Why not `proxy-addr`: it would replace three lines, and knows no networks of households (decision 152).
import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Context } from 'hono';
import type { Logger } from 'pino';

/** Returns the client network of a request; '' when it is unknown. */
export type NetworkReader = (c: Context) => string;

/**
 * `trustProxy`: the number of trusted proxies in front of this server. Each appends the address of its client to
 * X-Forwarded-For, so this many entries from the right are valid. Clients can forge the entries to the left of them.
 */
export function createNetworkReader(trustProxy: number): NetworkReader {
  return (c) => {
    const { incoming } = (c.env ?? {}) as { incoming?: IncomingMessage };
    const peer = incoming?.socket?.remoteAddress ?? '';
    if (trustProxy === 0) return networkOf(peer) ?? '';
    const hops = (c.req.header('x-forwarded-for') ?? '').split(',');
    const entry = hops[Math.max(0, hops.length - trustProxy)] ?? '';
    // An entry that is not an address ("unknown") counts for the proxy: otherwise each text would be a new key.
    return networkOf(entry) ?? networkOf(peer) ?? '';
  };
}

/**
 * Returns a function that hashes a network (HMAC, base64url). Without the secret the address cannot be found by hashing
 * all addresses.
 */
export function createNetworkDigest(secret: string): (network: string) => string {
  // A derived key: networks contain dots, as user keys do, so one key must not sign both.
  const key = createHmac('sha256', secret).update('digests of networks').digest();
  return (network) => createHmac('sha256', key).update(network).digest('base64url');
}

/**
 * The network that counts as one client: an IPv4 address, or the /64 of an IPv6 address, which one household gets (RFC
 * 6177) and within which its devices change addresses freely. Accepts ports, brackets and zones. Undefined for other text.
 */
export function networkOf(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1')
    .replace(/%.*$/, '');
  const version = isIP(address);
  if (version === 0) return undefined;
  if (version === 4) return address;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  // IPv4 on an IPv6 socket (RFC 4291, 2.5.5.2).
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The limit of a /48 as a multiple of that of a /64: the owner of a /48 has 65,536 of them. */
export const wideShare = 4;

/**
 * The /48 of an IPv6 network that `networkOf` returned, which one site gets (RFC 6177); undefined for IPv4 and for ''.
 * Limits by network apply to both.
 */
export function wideNetworkOf(network: string): string | undefined {
  const [, wide] = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):[0-9a-f]+::\/64$/.exec(network) ?? [];
  return wide === undefined ? undefined : `${wide}::/48`;
}

/** The eight 16-bit groups of an IPv6 address. */
export function groupsOf(address: string): number[] {
  // URL normalizes all groups to hexadecimal, including an IPv4 suffix.
  const [left = '', right = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const read = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [before, after] = [read(left), read(right)];
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/**
 * Returns a function that returns the keyed hash of a text: 162 bits, as 27 characters. Processes share such hashes in place of
 * addresses of visitors.
 */
export const createKeyedHash =
  (secret: string) =>
  (text: string): string =>
    createHmac('sha256', secret).update(text).digest('base64url').slice(0, 27);

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
