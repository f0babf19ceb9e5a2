// Tests which addresses webhooks can use: every range and notation, DNS rebinding, redirects.
import type { lookup } from 'node:dns';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AddressRefused, createAddresses, createAddressPolicy, reachabilityOf } from './addresses.ts';
import { post } from './post.ts';

const isTaken = (host: string, isPrivateAllowed: boolean): boolean => {
  try {
    createAddresses(isPrivateAllowed).assertHost(new URL(`http://${host}/`).hostname);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(AddressRefused);
    return false;
  }
};

const hostsIn = (text: string) => text.trim().split(/\s+/);

describe('webhook addresses', () => {
  test.each(
    hostsIn(`
    0.0.0.0 0 0.1.2.3 [::] 169.254.169.254 169.254.169.254. 2852039166 0xa9.0xfe.0xa9.0xfe
    0251.0376.0251.0376 [::ffff:169.254.169.254] [::FFFF:A9FE:A9FE] [::169.254.169.254]
    [64:ff9b::169.254.169.254] [64:ff9b:1::169.254.169.254] [64:ff9b:1:a9fe:a9:fe00::]
    [2002:a9fe:a9fe::1] [fe80::1] [febf:ffff::1] [fec0::1] 100.100.100.200 168.63.129.16 192.0.0.192
    192.0.2.1 192.88.99.1 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
    [fd00:ec2::254] [fd20:ce::254] [2001::1] [2001:0:5db8:d822::1] [2001:db8::1] [3fff::1] [100::1]
    [5f00::1] [ff02::1] [4000::1]`),
  )('%s is always forbidden', (host) => {
    expect([isTaken(host, false), isTaken(host, true)]).toEqual([false, false]);
  });

  test.each(
    hostsIn(`
    127.0.0.1 127.0.0.1. 127.1 2130706433 0x7f.1 0x7F000001 0177.0.0.1 127.255.255.254 [::1]
    [0:0:0:0:0:0:0:1] [::7f00:1] [::ffff:7f00:1] [::ffff:10.0.0.1] [64:ff9b::10.0.0.1]
    [64:ff9b:1::10.0.0.1] [2002:a00:1::] 10.1.2.3 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1
    100.127.255.255 198.19.0.1 [fc00::1] [FD12::1]`),
  )('%s is allowed only with private networks', (host) => {
    expect([isTaken(host, false), isTaken(host, true)]).toEqual([false, true]);
  });

  test.each(
    hostsIn(`
    93.184.216.34 172.32.0.1 100.128.0.1 [2606:4700::1] [2001:4860:4860::8888] [::ffff:93.184.216.34]
    [64:ff9b::93.184.216.34] [2002:5db8:d822::1] a.example`),
  )('%s is always allowed', (host) => expect(isTaken(host, false)).toBe(true));

  test('an IPv6 address with an embedded IPv4 address has the same reach as that', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        for (const prefix of ['::ffff:', '64:ff9b::', '64:ff9b:1::']) {
          expect(reachabilityOf(prefix + address)).toBe(reachabilityOf(address));
        }
      }),
    );
  });

  test('any text that is not an address is forbidden without an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => void expect(reachabilityOf(`x${text}`)).toBe('never')));
    expect(reachabilityOf('fe80::1%eth0')).toBe('never');
    expect(reachabilityOf('fd12::1%eth0')).toBe('private');
  });

  test('with `first` only bots of the first workspace can use private networks', () => {
    const may = (setting: 'refuse' | 'first' | 'allow', workspaceId: string): boolean => {
      try {
        createAddressPolicy(setting, 'ws_1')(workspaceId).assertHost('127.0.0.1');
        return true;
      } catch {
        return false;
      }
    };
    expect(may('refuse', 'ws_1')).toBe(false);
    expect([may('first', 'ws_1'), may('first', 'ws_2')]).toEqual([true, false]);
    expect([may('allow', 'ws_1'), may('allow', 'ws_2')]).toEqual([true, true]);
  });
});

describe('webhook host names', () => {
  let hits: number;
  let url: string;
  let close: () => Promise<unknown>;
  beforeEach(async () => {
    hits = 0;
    const server = createServer((_, response) => {
      hits += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://name.example:${(server.address() as AddressInfo).port}/`;
    close = () => new Promise((resolve) => server.close(resolve));
  });
  afterEach(() => close());

  const options = { headers: {}, body: '', timeLimit: 20_000, signal: new AbortController().signal };
  /** A DNS lookup that returns these results in order, and then the last one again. */
  const resolving = (answers: string[][], onAsked = () => {}): typeof lookup =>
    ((_: string, __: object, callback: (error: null, found: object[]) => void) => {
      const next = answers.length > 1 ? answers.shift() : answers[0];
      onAsked();
      callback(
        null,
        (next ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    }) as unknown as typeof lookup;

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.0.0.1', '169.254.169.254'])(
    'a name that resolves to %s is rejected without a connection',
    async (address) => {
      const addresses = createAddresses(false, resolving([[address]]));
      await expect(post({ ...options, url, addresses })).rejects.toMatchObject({ reason: 'address_refused' });
      expect(hits).toBe(0);
    },
  );

  test.each(['localhost', 'LOCALHOST', 'localhost.'])(
    '%s is rejected by default, and reached when private networks are allowed',
    async (name) => {
      const local = url.replace('name.example', name);
      const refused = post({
        ...options,
        url: local,
        addresses: createAddresses(false, resolving([['127.0.0.1']])),
      });
      await expect(refused).rejects.toMatchObject({ reason: 'address_refused' });
      expect(hits).toBe(0);
      const addresses = createAddresses(true, resolving([['127.0.0.1']]));
      expect(await post({ ...options, url: local, addresses })).toMatchObject({ status: 200 });
      expect(hits).toBe(1);
    },
  );

  test('open and closed ports of a forbidden address cause the same error', async () => {
    const addresses = createAddresses(false, resolving([['127.0.0.1']]));
    const failures = await Promise.all(
      [url, 'http://name.example:1/', url.replace('name.example', '127.0.0.1'), 'http://[::1]:1/'].map(
        (target) =>
          post({ ...options, url: target, addresses }).catch(({ name, message, reason, status }) => ({
            ...{ name, message, reason, status },
          })),
      ),
    );
    expect(new Set(failures.map((failure) => JSON.stringify(failure))).size).toBe(1);
    expect(failures[0]).toMatchObject({ reason: 'address_refused' });
  });

  test('a name that changes from a public address to loopback never reaches loopback', async () => {
    // The public address is not connected to either: the request ends when the name has been resolved.
    const controller = new AbortController();
    let lookups = 0;
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const addresses = createAddresses(
      false,
      resolving(answers, () => {
        lookups += 1;
        controller.abort(new Error('stopped'));
      }),
    );
    await expect(post({ ...options, url, addresses, signal: controller.signal })).rejects.toThrow('stopped');
    // One request resolves the name once, so a second DNS response cannot redirect it.
    expect(lookups).toBe(1);
    const again = post({ ...options, url, addresses });
    await expect(again).rejects.toMatchObject({ reason: 'address_refused' });
    expect([lookups, hits]).toEqual([2, 0]);
  });

  test('only the allowed addresses of a name are used', async () => {
    const found = await new Promise((resolve) =>
      createAddresses(false, resolving([['127.0.0.1', '93.184.216.34', '::1', '2606:4700::1']])).lookup(
        'name.example',
        { all: true },
        (_, addresses) => resolve(addresses),
      ),
    );
    expect(found).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ]);
  });

  test.each([301, 302, 303, 307, 308])('webhook request: a redirect (%i) is not followed', async (status) => {
    const hidden = url.replace('name.example', '127.0.0.1');
    const redirecting = createServer((_, response) => response.writeHead(status, { location: hidden }).end());
    await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
    const from = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`;
    expect(await post({ ...options, url: from, addresses: createAddresses(true) })).toEqual({
      status,
      retryAfter: undefined,
      answer: undefined,
    });
    expect(hits).toBe(0);
    await new Promise((resolve) => redirecting.close(resolve));
  });
});
