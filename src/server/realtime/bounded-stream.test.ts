// Tests the queue of a stream over a real connection, where Node's response is its reader, and over a web stream.
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { pollOptions } from '../testing.ts';
import { type BoundedStream, createBoundedStream, sendDirectly } from './bounded-stream.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const megabyte = new Uint8Array(1_000_000).fill(126);

let server: Server | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
  server = undefined;
});

/** A stream that a client of a real connection reads, or leaves unread. */
async function open({ reads = true, early = '' } = {}) {
  const backlog = { bytes: 0 };
  const onEnd = vi.fn();
  const stream = createBoundedStream(backlog, onEnd);
  if (early) stream.send(bytes(early));
  let outgoing: ServerResponse | undefined;
  server = createServer((_, response) => {
    outgoing = response;
    const headers = { 'content-type': 'text/event-stream', 'last-event-id': '7' };
    expect(sendDirectly(new Response(stream.readable, { headers }), response)).toBe(true);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'));
  sockets.push(socket);
  let received = '';
  if (reads) socket.on('data', (data) => (received += data.toString('latin1')));
  socket.on('error', () => {});
  await expect.poll(() => outgoing, pollOptions).toBeDefined();
  return { stream, backlog, onEnd, socket, received: () => received, outgoing: outgoing as ServerResponse };
}

describe('over a connection', () => {
  test('sends the head, what was queued before, and each frame in order', async () => {
    const { stream, received, backlog } = await open({ early: 'first' });
    stream.send(bytes('second'));
    await expect.poll(received, pollOptions).toContain('second');
    expect(received()).toMatch(
      /^HTTP\/1.1 200 OK\r\ncontent-type: text\/event-stream\r\nlast-event-id: 7\r\n/,
    );
    expect(received().indexOf('first')).toBeLessThan(received().indexOf('second'));
    expect(backlog.bytes).toBe(0);
  });

  test('ends after the queued bytes when it is closed, once', async () => {
    const { stream, received, onEnd, backlog } = await open();
    for (let n = 0; n < 3; n += 1) stream.send(megabyte);
    stream.close();
    stream.close();
    stream.send(bytes('too late'));
    await expect.poll(() => received().endsWith('\r\n0\r\n\r\n'), pollOptions).toBe(true);
    expect(received().match(/~+/g)?.join('')).toHaveLength(3 * megabyte.length);
    expect(received()).not.toContain('too late');
    expect(onEnd).toHaveBeenCalledTimes(1);
    expect(backlog.bytes).toBe(0);
  });

  test('a client that does not read is disconnected when its queue is full, and nothing of it is counted any more', async () => {
    const { stream, onEnd, backlog } = await open({ reads: false });
    let sent = 0;
    await expect
      .poll(() => {
        stream.send(megabyte);
        sent += 1;
        return onEnd.mock.calls.length;
      }, pollOptions)
      .toBe(1);
    expect(sent).toBeGreaterThan(2);
    expect(backlog.bytes).toBe(0);
    stream.send(megabyte);
    expect(backlog.bytes).toBe(0);
  });

  test('a client that reads slowly gets every byte in order', async () => {
    const { stream, socket, received, backlog } = await open();
    socket.pause();
    for (let n = 0; n < 20; n += 1) stream.send(bytes(`${String(n).padStart(2, '0')}${'-'.repeat(50_000)}`));
    expect(backlog.bytes).toBeGreaterThan(0);
    socket.resume();
    const numbers = Array.from({ length: 20 }, (_, n) => String(n).padStart(2, '0'));
    await expect.poll(() => received().match(/\d\d(?=--)/g), pollOptions).toEqual(numbers);
    await expect.poll(() => backlog.bytes, pollOptions).toBe(0);
  });

  test('a client that goes away ends it once, and frames that are sent at this moment do no harm', async () => {
    const { stream, socket, outgoing, onEnd, backlog } = await open();
    stream.send(bytes('one'));
    // As the connection fails: Node reports it later.
    outgoing.destroy();
    for (let n = 0; n < 5; n += 1) stream.send(megabyte);
    socket.destroy();
    await expect.poll(() => onEnd.mock.calls.length, pollOptions).toBe(1);
    expect(backlog.bytes).toBe(0);
    stream.close();
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  test('a client that was gone before ends it', async () => {
    const onEnd = vi.fn();
    const stream = createBoundedStream({ bytes: 0 }, onEnd);
    stream.send(bytes('unread'));
    let isSent = false;
    server = createServer((_, response) => {
      response.on('close', () => {
        sendDirectly(new Response(stream.readable), response);
        isSent = true;
      });
      response.destroy();
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () =>
      socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
    );
    sockets.push(socket);
    socket.on('error', () => {});
    await expect.poll(() => isSent, pollOptions).toBe(true);
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  test('sends each cookie, also when other headers were set before', async () => {
    const stream = createBoundedStream({ bytes: 0 }, () => {});
    server = createServer((_, response) => {
      response.setHeader('connection', 'close');
      const headers = new Headers({ 'content-type': 'text/event-stream' });
      for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie);
      sendDirectly(new Response(stream.readable, { headers }), response);
      stream.close();
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(response.headers.get('connection')).toBe('close');
  });

  test('another response is not sent', () => {
    const outgoing = {} as ServerResponse;
    expect(sendDirectly(new Response('text'), outgoing)).toBe(false);
    expect(sendDirectly(new Response(null), outgoing)).toBe(false);
  });
});

describe('over a web stream', () => {
  const openWeb = () => {
    const [backlog, onEnd] = [{ bytes: 0 }, vi.fn()];
    const stream: BoundedStream = createBoundedStream(backlog, onEnd);
    return { stream, backlog, onEnd };
  };

  test('sends every byte in order, and ends when it is closed', async () => {
    const { stream, backlog, onEnd } = openWeb();
    for (const text of ['a', 'b', 'c']) stream.send(bytes(text));
    stream.close();
    expect(await new Response(stream.readable).text()).toBe('abc');
    expect([backlog.bytes, onEnd.mock.calls.length]).toEqual([0, 1]);
  });

  test('ends when its reader leaves', async () => {
    const { stream, backlog, onEnd } = openWeb();
    stream.send(bytes('a'));
    await stream.readable.cancel();
    expect([backlog.bytes, onEnd.mock.calls.length]).toEqual([0, 1]);
    stream.send(bytes('b'));
    expect(backlog.bytes).toBe(0);
  });
});
