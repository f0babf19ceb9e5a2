// A TCP proxy that cuts its connections, refuses new ones, or leads to another port: between the server and its database.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Ends all connections at once and accepts no data of new ones until `restore`. */
  cut(): void;
  restore(): void;
  /** Leads new connections to another port, and ends the others. */
  lead(port: number): void;
  close(): Promise<void>;
}

export async function startTcpProxy(target: number): Promise<TcpProxy> {
  let to = target;
  let isCut = false;
  const sockets = new Set<Socket>();
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy();
    const outgoing = connect(to, '127.0.0.1');
    for (const [one, other] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      sockets.add(one);
      one.on('error', () => {});
      one.once('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      endAll();
    },
    restore() {
      isCut = false;
    },
    lead(port) {
      to = port;
      endAll();
    },
    async close() {
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
