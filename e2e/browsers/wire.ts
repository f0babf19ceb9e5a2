// The way between the browsers and the server: a relay on loopback that can be cut and mended. It changes nothing.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Wire {
  /** The server's address, as the browsers see it. */
  url: string;
  /** Ends every connection and lets no new one through. */
  cut(): void;
  mend(): void;
  /** How many connections carry a stream of events. */
  readonly streams: number;
  close(): Promise<void>;
}

export async function startWire(target: string): Promise<Wire> {
  const sockets = new Set<Socket>();
  const streams = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(new URL(target).port), '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        other.destroy();
        sockets.delete(near);
        streams.delete(near);
      });
    }
    sockets.add(near);
    far.on('data', (bytes) => {
      if (bytes.includes('content-type: text/event-stream')) streams.add(near);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    mend() {
      isCut = false;
    },
    get streams() {
      return streams.size;
    },
    close() {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
