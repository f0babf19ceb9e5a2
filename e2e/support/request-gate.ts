// A gate on loopback: whoever asks for its address gets no answer before it is opened. With it a test looks at what is
// on its way for as long as it likes (the puppet bot stops at it in an answer), instead of being quick enough.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Gate {
  url: string;
  /** Resolves when somebody stands before it. */
  reached: Promise<void>;
  /** Lets through who waits, and all who come later. */
  open(): void;
}

/** A gate that is shut. It keeps no process alive. */
export async function startGate(): Promise<Gate> {
  const waiting = new Set<ServerResponse>();
  let isOpen = false;
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const server = createServer((_, response) => {
    reach();
    response.setHeader('connection', 'close');
    if (isOpen) return void response.end();
    waiting.add(response);
    response.on('close', () => waiting.delete(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    reached,
    open() {
      isOpen = true;
      for (const response of waiting) response.end();
    },
  };
}
