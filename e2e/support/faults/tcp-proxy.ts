// The fault proxy for TCP on loopback: between a server and its database, or between a client and a server. It cuts
// connections, refuses or silences them, cuts at a certain byte or text, and leads to another address.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Bytes that are passed on, and whether and when the connection is then cut. */
export interface Passed {
  bytes: Buffer;
  /**
   * `now`: the target executes what it has received. `whenRead`: when the target has read everything and has closed its side;
   * an earlier cut could let the next request of the client overtake the bytes.
   */
  cut?: 'now' | 'whenRead';
}

export interface TcpProxy {
  /** The address of the target with the port of the proxy. */
  url: string;
  /** `refused`: connections are closed at once; `silent`: nothing passes in either direction, and nothing is closed. */
  state: 'open' | 'refused' | 'silent';
  /** Called with what clients send. */
  filter: (sent: Buffer) => Passed;
  /** Bytes of a client after which its connection is cut, one entry for each cut; empty: nothing is cut. */
  cuts: number[];
  /** True: the target does not notice that a connection was cut. */
  isUnnoticed: boolean;
  /** Cuts all connections, or those to the clients only. */
  cutAll(): void;
  cutClients(): void;
  /** Cuts the first connection that sends this text, before or after the target receives it. */
  cutAt(text: string, when: 'before' | 'after'): { count(): number };
  /** Cuts all connections and refuses new ones until `reconnect`. */
  disconnect(): void;
  reconnect(): void;
  /** Leads new connections to another port, and cuts the others. */
  lead(port: number): void;
  close(): Promise<void>;
}

export const passAll = (bytes: Buffer): Passed => ({ bytes });

/** @param target the address of a server, of any protocol. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const address = new URL(target);
  const { hostname } = address;
  let to = Number(address.port);
  const clients = new Set<Socket>();
  const targets = new Set<Socket>();
  const cut = (...sockets: Socket[]) => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((client) => {
    if (proxy.state === 'refused') return void client.destroy();
    const upstream = connect(to, hostname);
    let isCut = false;
    for (const [socket, all] of [
      [client, clients],
      [upstream, targets],
    ] as const) {
      all.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => all.delete(socket));
    }
    client.once('close', () => proxy.isUnnoticed || upstream.destroy());
    upstream.once('close', () => (isCut ? client.resetAndDestroy() : client.destroy()));
    client.on('data', (sent) => {
      if (proxy.state === 'silent' || isCut) return;
      const passed = proxy.filter(sent);
      if (passed.bytes.length > 0) upstream.write(passed.bytes);
      isCut = passed.cut !== undefined;
      if (passed.cut === 'now') client.destroy();
      if (passed.cut === 'whenRead') upstream.end();
    });
    upstream.on('data', (bytes) => {
      if (proxy.state !== 'silent' && !isCut) client.write(bytes);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address.port = String((server.address() as AddressInfo).port);

  const proxy: TcpProxy = {
    url: address.href,
    state: 'open',
    filter(sent) {
      const [left] = proxy.cuts;
      if (left === undefined) return { bytes: sent };
      proxy.cuts[0] = left - sent.length;
      if (sent.length <= left) return { bytes: sent };
      proxy.cuts.shift();
      return { bytes: sent.subarray(0, left), cut: 'whenRead' };
    },
    cuts: [],
    isUnnoticed: false,
    cutAll: () => cut(...clients, ...targets),
    cutClients: () => cut(...clients),
    cutAt(text, when) {
      // In the protocol of PostgreSQL a text ends with a zero byte. COMMIT is also the beginning of COMMIT PREPARED.
      const searched = text === 'COMMIT' ? 'COMMIT\0' : text;
      let cuts = 0;
      proxy.filter = (sent) => {
        if (cuts > 0 || !sent.includes(searched)) return { bytes: sent };
        cuts += 1;
        return { bytes: when === 'after' ? sent : Buffer.alloc(0), cut: 'now' };
      };
      return { count: () => cuts };
    },
    disconnect() {
      proxy.state = 'refused';
      proxy.cutAll();
    },
    reconnect() {
      proxy.state = 'open';
    },
    lead(port) {
      to = port;
      proxy.cutAll();
    },
    async close() {
      proxy.cutAll();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
