// The HTTP server below the application: how many connections there may be, and how slow each. It answers only what
// is not a request that the application could answer.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { ApiError, errorResponse } from '../api/errors.ts';
import { networkOf } from '../limits/client-address.ts';
import { createNetworkSlots } from '../limits/network-slots.ts';
import { defaultHeaders } from './security-headers.ts';

/** Milliseconds that a client may take. */
export interface ConnectionTimeouts {
  /** For the head of a request: who sends it slower only wants to hold a connection. */
  head: number;
  /** For the body of a request, but for the bytes of a file: 1 GB may take hours. */
  body: number;
  /** Without a byte in either direction, after which a connection is cut. Streams ping every 30 s. */
  silence: number;
}

const defaultTimeouts: ConnectionTimeouts = { head: 60_000, body: 120_000, silence: 120_000 };
/** Milliseconds that a client has to send the rest of a request that is answered already. */
const lingering = 2_000;
/** Bytes of the head of a request. */
const headBytes = 16_384;
/** Header fields of a request. Browsers send some twenty; Node alone would forget those beyond its limit in silence. */
const headFields = 100;

export interface ConnectionOptions {
  /** Connections at a time. */
  max: number;
  /** Connections of one IPv4 address or IPv6 /64, and four times as many of a /48; undefined where a proxy opens all of them. */
  maxPerAddress: number | undefined;
  /** The beginning of the paths whose bodies may take as long as they come. */
  uploads: RegExp;
}

/** A server that does not listen yet. Connections beyond the limits are closed at once, without a word. */
export function createHttpServer(
  fetch: Parameters<typeof getRequestListener>[0],
  { max, maxPerAddress, uploads }: ConnectionOptions,
  timeouts: ConnectionTimeouts = defaultTimeouts,
): Server {
  const answer = getRequestListener(fetch, {
    overrideGlobalObjects: false,
    errorHandler: () =>
      errorResponse(new ApiError('InvalidDataFormat', 'The request could not be read.'), headers),
  });
  const options = {
    requestTimeout: 0,
    headersTimeout: timeouts.head,
    connectionsCheckingInterval: Math.min(timeouts.head, 30_000),
    maxHeaderSize: headBytes,
    // Node's own refusal of a request without Host has no body: the listener refuses it in words.
    requireHostHeader: false,
  };
  const server = createServer(options, (request, response) => {
    if (request.rawHeaders.length / 2 > headFields) return refuseHead(request, response);
    if (!uploads.test(request.url ?? '')) limitBody(request, timeouts.body);
    void answer(request, response);
  });
  // Node keeps a list of its own, and drops what is beyond it without telling.
  server.maxHeadersCount = 0;
  server.maxConnections = max;
  server.timeout = timeouts.silence;
  server.on('clientError', refuse);
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1); Node would refuse it without a word.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.prependListener('request', closeInStages);
  if (maxPerAddress !== undefined) limitAddresses(server, maxPerAddress);
  return server;
}

function limitAddresses(server: Server, max: number): void {
  const slots = createNetworkSlots(max);
  server.on('connection', (socket) => {
    const release = slots.acquire(networkOf(socket.remoteAddress ?? '') ?? '');
    if (release) socket.once('close', release);
    else socket.destroy();
  });
}

/** Cuts a request whose body takes too long; uploads are only bound not to fall silent. */
function limitBody(request: IncomingMessage, milliseconds: number): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, milliseconds).unref();
  request.once('close', () => clearTimeout(timer));
}

/**
 * Where a request is answered before all of it is there, and the connection is to be closed: says the end, and goes on
 * reading (RFC 9112, 9.6). To close at once resets the connection, and the client loses the answer with it.
 */
function closeInStages(request: IncomingMessage): void {
  const { socket } = request;
  const close = () => Socket.prototype.destroySoon.call(socket);
  socket.destroySoon = () => {
    if (request.complete) return close();
    // Once is enough: others who want it closed have to wait too.
    socket.destroySoon = () => {};
    socket.end();
    const timer = setTimeout(close, lingering).unref();
    request.once('close', () => {
      clearTimeout(timer);
      close();
    });
  };
}

function refuseHead(request: IncomingMessage, response: ServerResponse): void {
  const refusal = refusals.HPE_HEADER_OVERFLOW;
  response.shouldKeepAlive = false;
  response.writeHead(refusal.code, headers).end(bodyOf(refusal));
  request.resume();
}

/** What Node finds wrong below HTTP, and its answer: 431 is RFC 6585, 5. */
const refusals = {
  HPE_HEADER_OVERFLOW: {
    code: 431,
    status: 'Request Header Fields Too Large',
    message: 'The headers of the request are too large, or too many.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 408,
    status: 'Request Timeout',
    message: 'The head of the request took too long.',
  },
  other: { code: 400, status: 'Bad Request', message: 'The request is not valid HTTP.' },
};

const headers = { ...defaultHeaders, 'content-type': 'application/json' };

const bodyOf = ({ code, message }: { code: number; message: string }): string =>
  JSON.stringify({ ...new ApiError('InvalidDataFormat', message).body(), code });

/** Answers what is not HTTP with the same five fields as all else. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const known = refusals as Record<string, (typeof refusals)['other']>;
  const refusal = known[error.code ?? ''] ?? refusals.other;
  const body = bodyOf(refusal);
  const all = { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.code} ${refusal.status}\r\n${lines.join('')}\r\n${body}`);
}
