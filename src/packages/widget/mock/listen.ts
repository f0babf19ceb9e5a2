// Serves the fetch handler of the mock over HTTP in Node, for tests whose browser is another process.

/** A mock that listens. */
export interface Listening {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  url: string;
  chatUrl: string;
  port: number;
  close(): Promise<void>;
}

/** @throws Error (as a rejection) in a browser, and if the port is in use. */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  path: string,
  { port = 0, host = '127.0.0.1' }: { port?: number; host?: string },
): Promise<Listening> {
  const { createServer } = await nodeHttp();
  const server = createServer(async (incoming, outgoing) => {
    const disconnection = new AbortController();
    outgoing.on('close', () => disconnection.abort());
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
    const body = new Blob(chunks as Uint8Array<ArrayBuffer>[]);
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
    const { method = 'GET', url = '/' } = incoming;
    try {
      const hasBody = !['GET', 'HEAD'].includes(method) && body.size > 0;
      const init = { method, headers, signal: disconnection.signal, ...(hasBody ? { body } : {}) };
      const response = await fetch(
        new Request(new URL(url, `http://${incoming.headers.host ?? host}`), init),
      );
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      // Also before the first piece of a stream.
      outgoing.flushHeaders();
      if (response.body) for await (const piece of response.body) outgoing.write(piece);
      outgoing.end();
    } catch {
      // Offline, or a stream that was cut: the connection breaks.
      incoming.socket.destroy();
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const { port: taken } = server.address() as { port: number };
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
  return {
    url,
    chatUrl: `${url}${path}`,
    port: taken,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function nodeHttp(): Promise<typeof import('node:http')> {
  // Not a literal, so that bundlers for browsers do not look for the module.
  const name = 'node:http';
  try {
    return (await import(/* @vite-ignore */ name)) as typeof import('node:http');
  } catch (cause) {
    throw new Error('listen() works in Node only; in a browser use install() or fetch.', { cause });
  }
}
