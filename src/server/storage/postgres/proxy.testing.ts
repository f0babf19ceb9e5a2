// A proxy between a server and its PostgreSQL for tests, which cuts and holds connections.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Returns what is passed on to the database, and whether the connection is then cut. */
export type Filter = (sent: Buffer) => { pass: boolean; cut: boolean };

export interface DatabaseProxy {
  /** The address of the database through the proxy. */
  url: string;
  filter: Filter;
  /** True: the database does not notice that a connection was cut. */
  isUnnoticed: boolean;
  /** `refused`: connections are closed at once; `silent`: nothing passes in either direction, and nothing is closed. */
  state: 'open' | 'refused' | 'silent';
  /** Cuts all connections, or those to the server only. */
  cutAll(): void;
  cutClients(): void;
  /** Cuts the first connection that sends this text, before or after the database receives it. */
  cutAt(text: string, when: 'before' | 'after'): { count(): number };
  close(): Promise<void>;
}

export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  const address = new URL(target);
  const database = { host: address.hostname, port: Number(address.port) };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    if (proxy.state === 'refused') return void client.destroy();
    const upstream = connect(database);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => {
        client.destroy();
        if (!proxy.isUnnoticed) upstream.destroy();
        sockets.delete(socket);
      });
    }
    upstream.on('data', (bytes) => {
      if (proxy.state !== 'silent') client.write(bytes);
    });
    client.on('data', (bytes) => {
      if (proxy.state === 'silent') return;
      const { pass, cut } = proxy.filter(bytes);
      if (pass) upstream.write(bytes);
      // The database executes what it has received.
      if (cut) client.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  address.port = String((server.address() as AddressInfo).port);
  const proxy: DatabaseProxy = {
    url: address.href,
    filter: () => ({ pass: true, cut: false }),
    isUnnoticed: false,
    state: 'open',
    cutAll() {
      for (const socket of sockets) socket.destroy();
    },
    cutClients() {
      for (const socket of sockets) if (`${socket.localPort}` === address.port) socket.destroy();
    },
    cutAt(text, when) {
      let cuts = 0;
      proxy.filter = (sent) => {
        const cut = cuts === 0 && sent.includes(`${text}${text === 'COMMIT' ? '\0' : ''}`);
        if (cut) cuts += 1;
        return { pass: !cut || when === 'after', cut };
      };
      return { count: () => cuts };
    },
    async close() {
      proxy.cutAll();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
