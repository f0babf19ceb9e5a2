// Tests of the client network: entries of X-Forwarded-For that no trusted proxy has added are ignored.
import fc from 'fast-check';
import type { Context } from 'hono';
import { describe, expect, test } from 'vitest';
import { createNetworkReader, networkOf, wideNetworkOf } from './client-address.ts';

describe('client network', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:5678', '192.0.2.1'],
    [' 192.0.2.1 ', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.33', '64:ff9b:0:0::/64'],
    ['', undefined],
    ['unknown', undefined],
    ['_hidden', undefined],
    ['192.0.2.1.5', undefined],
    ['256.1.1.1', undefined],
    ['192.0.2.1]', undefined],
    ['[192.0.2.1', undefined],
    ['1:2', undefined],
    ['::1::', undefined],
    ['http://192.0.2.1', undefined],
  ])('%j: %s', (text, network) => expect(networkOf(text)).toBe(network));

  test('an IPv6 address has the same network in every notation and with every interface id', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    fc.assert(
      fc.property(
        fc.tuple(group, group, group, group),
        fc.array(group, { minLength: 4, maxLength: 4 }),
        (own, rest) => {
          const groups = [...own, ...rest];
          const long = groups.map((value) => value.toString(16).padStart(4, '0').toUpperCase()).join(':');
          const short = new URL(`http://[${long}]`).hostname;
          const mapped = own.every((value) => value === 0) && rest[0] === 0 && rest[1] === 0xffff;
          fc.pre(!mapped);
          expect(networkOf(long)).toBe(`${own.map((value) => value.toString(16)).join(':')}::/64`);
          expect(networkOf(short)).toBe(networkOf(long));
        },
      ),
    );
  });

  test.each([
    ['2001:db8:1:2::1', '2001:db8:1::/48'],
    ['2001:db8:1:ffff::1', '2001:db8:1::/48'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1::/48'],
    ['2001:db8:2:2::1', '2001:db8:2::/48'],
    ['::1', '0:0:0::/48'],
    ['192.0.2.1', undefined],
    ['::ffff:192.0.2.1', undefined],
  ])('the /48 around %s: %s', (text, network) => expect(wideNetworkOf(networkOf(text) ?? '')).toBe(network));

  test('a text that is not an IPv6 network has no /48', () => {
    for (const text of ['', 'unknown', '::/64', '2001:db8:1::/48', '1:2:3:4::/640', '2001:db8:1:2::1'])
      expect([text, wideNetworkOf(text)]).toEqual([text, undefined]);
    fc.assert(fc.property(fc.string(), (text) => void wideNetworkOf(text)));
  });

  test('any text is a network or undefined, without an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => void networkOf(text)));
  });
});

describe('client network behind proxies', () => {
  /** The network of a request from `peer` with this header. */
  const read = (trust: number, peer: string | undefined, forwarded?: string) =>
    createNetworkReader(trust)({
      env: { incoming: { socket: { remoteAddress: peer } } },
      req: { header: (name: string) => (name === 'x-forwarded-for' ? forwarded : undefined) },
    } as unknown as Context);
  const proxy = '10.0.0.1';

  test.each([
    // Without a trusted proxy the header is ignored.
    [0, '192.0.2.9', '198.51.100.1', '192.0.2.9'],
    [0, '192.0.2.9', undefined, '192.0.2.9'],
    [0, undefined, '198.51.100.1', ''],
    // The last entry is of the proxy; the client can forge the others.
    [1, proxy, '192.0.2.1', '192.0.2.1'],
    [1, proxy, '203.0.113.7, 192.0.2.1', '192.0.2.1'],
    [1, proxy, '203.0.113.7,203.0.113.8,192.0.2.1', '192.0.2.1'],
    [2, proxy, '203.0.113.7, 192.0.2.1, 10.0.0.2', '192.0.2.1'],
    [2, proxy, '192.0.2.1, 10.0.0.2', '192.0.2.1'],
    // Fewer entries than proxies: the request bypassed one of them.
    [3, proxy, '192.0.2.1', '192.0.2.1'],
    [1, proxy, undefined, proxy],
    [1, proxy, '', proxy],
    // The entry of the proxy is not an address.
    [1, proxy, 'unknown', proxy],
    [1, proxy, '203.0.113.7, unknown', proxy],
    [1, proxy, '203.0.113.7,', proxy],
    [1, proxy, '192.0.2.1:40000', '192.0.2.1'],
    [1, proxy, '[2001:db8::1]:40000', '2001:db8:0:0::/64'],
  ])('%i proxies, from %s with %j: %s', (trust, peer, forwarded, network) =>
    expect(read(trust, peer, forwarded)).toBe(network),
  );

  test('entries that the client forges in front of that of the proxy are ignored', () => {
    fc.assert(
      fc.property(fc.string(), (invented) => {
        expect(read(1, proxy, `${invented}, 192.0.2.1`)).toBe('192.0.2.1');
      }),
    );
  });
});
