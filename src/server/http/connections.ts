// The HTTP server below the application: limits the number of connections and their duration. Responds itself only to
// requests that never reach the application.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ApiError, errorResponse } from '../api/errors.ts';
import { networkOf } from '../limits/client-address.ts';
import { createNetworkSlots } from '../limits/slots.ts';
import { sendDirectly } from '../realtime/bounded-stream.ts';
import { defaultHeaders } from './security-headers.ts';

/** Time limits of a client in milliseconds. */
export interface ConnectionTimeouts {
  /** To send the head of a request. A slower client only occupies a connection. */
  head: number;
  /** To send the body of a request, except for the bytes of a file: 1 GB can take hours. */
  body: number;
  /** Without a byte in either direction; then the connection is closed. Streams ping every 30 s. */
  silence: number;
}

const defaultTimeouts: ConnectionTimeouts = { head: 60_000, body: 120_000, silence: 120_000 };
/** Milliseconds that a client has to send the rest of a request that has already received its response. */
const lingerMs = 2_000;
/** The maximum number of bytes of the head of a request. */
const headBytes = 16_384;
/**
 * The maximum number of header fields of a request. Browsers send about twenty. Node would silently drop fields beyond
 * its own limit.
 */
const headFields = 100;

export interface ConnectionOptions {
  /** The maximum number of connections. */
  max: number;
  /**
   * The maximum number of connections of one IPv4 address or IPv6 /64; a /48 has four times as many. Undefined if a
   * proxy opens all connections.
   */
  maxPerAddress: number | undefined;
  /** Matches the paths whose bodies have no time limit. */
  uploads: RegExp;
}

/** Creates a server that does not listen yet. Connections beyond the limits are closed at once without a response. */
export function createHttpServer(
  fetch: Fetch,
  { max, maxPerAddress, uploads }: ConnectionOptions,
  timeouts: ConnectionTimeouts = defaultTimeouts,
): Server {
  const answer = getRequestListener(directly(fetch), {
    overrideGlobalObjects: false,
    errorHandler: unreadable,
  });
  const options = {
    requestTimeout: 0,
    ...headLimits(timeouts.head),
    maxHeaderSize: headBytes,
    // Node's own response to a request without Host has no body, so the listener rejects such a request.
    requireHostHeader: false,
  };
  const server = createServer(options, (request, response) => {
    if (request.rawHeaders.length / 2 > headFields) return refuseHead(request, response);
    if (!uploads.test(request.url ?? '')) limitBody(request, timeouts.body);
    void answer(request, response);
  });
  // Node would silently drop header fields beyond its own limit.
  server.maxHeadersCount = 0;
  server.maxConnections = max;
  server.timeout = timeouts.silence;
  server.on('clientError', refuse);
  // An unknown expectation may be ignored (RFC 9110, 10.1.1); Node would reject it without a body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.prependListener('request', closeInStages);
  server.prependListener('request', closeWithConnection);
  if (maxPerAddress !== undefined) limitAddresses(server, maxPerAddress);
  return server;
}

type Fetch = Parameters<typeof getRequestListener>[0];

/** Sends the streams of the application without a web stream between them and the connection. */
const directly =
  (fetch: Fetch): Fetch =>
  async (request, env) => {
    // The listener does not parse addresses with a common host. A later error could follow a write.
    if (!URL.canParse(request.url)) return unreadable();
    const response = await fetch(request, env);
    const isSent = response instanceof Response && sendDirectly(response, env.outgoing as ServerResponse);
    return isSent ? RESPONSE_ALREADY_SENT : response;
  };

/**
 * Node looks for slow heads from time to time, so that a head is cut up to one interval after its limit. Returns both times
 * for a head that is cut within `milliseconds`.
 */
function headLimits(milliseconds: number): { headersTimeout: number; connectionsCheckingInterval: number } {
  const interval = Math.ceil(milliseconds / 12);
  return { headersTimeout: milliseconds - interval, connectionsCheckingInterval: interval };
}

function limitAddresses(server: Server, max: number): void {
  const slots = createNetworkSlots(max);
  server.on('connection', (socket) => {
    const release = slots.acquire(networkOf(socket.remoteAddress ?? '') ?? '');
    if (release) socket.once('close', release);
    else socket.destroy();
  });
}

/** Closes the connection of a request whose body takes too long. Uploads have only the limit of inactivity. */
function limitBody(request: IncomingMessage, milliseconds: number): void {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, milliseconds).unref();
  request.once('close', () => clearTimeout(timer));
}

/**
 * Closes a connection whose response is sent before the request is complete: closes the sending side first and
 * continues to read (RFC 9112, 9.6). Closing at once would reset the connection, and the client could lose the
 * response.
 */
function closeInStages(request: IncomingMessage): void {
  const { socket } = request;
  const close = () => Socket.prototype.destroySoon.call(socket);
  socket.destroySoon = () => {
    if (request.complete) return close();
    // Further calls have no effect, because the connection is closing already.
    socket.destroySoon = () => {};
    socket.end();
    const timer = setTimeout(close, lingerMs).unref();
    request.once('close', () => {
      clearTimeout(timer);
      close();
    });
  };
}

/**
 * Closes the response of a pipelined request with its connection. Node tells only the response that it sends at the moment
 * that the client has gone: a stream or a file that waits for its turn would stay open.
 */
function closeWithConnection({ socket }: IncomingMessage, response: ServerResponse): void {
  if (response.socket) return;
  const close = () => {
    response.destroy();
    response.emit('close');
  };
  // As many as there are requests, which Node limits by the bytes of their responses.
  socket.setMaxListeners(0);
  socket.once('close', close);
  response.once('socket', () => socket.off('close', close));
}

function refuseHead(request: IncomingMessage, response: ServerResponse): void {
  const refusal = refusals.HPE_HEADER_OVERFLOW;
  response.shouldKeepAlive = false;
  response.writeHead(refusal.code, headers).end(bodyOf(refusal));
  request.resume();
}

/** Errors that Node detects below HTTP, and their responses: 431 is RFC 6585, 5. */
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

const unreadable = (): Response =>
  errorResponse(new ApiError('InvalidDataFormat', 'The request could not be read.'), headers);

const bodyOf = ({ code, message }: { code: number; message: string }): string =>
  JSON.stringify({ ...new ApiError('InvalidDataFormat', message).body(), code });

/** Responds to input that is not HTTP with the same five fields as all other errors. */
function refuse(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const refusalsByCode = refusals as Record<string, (typeof refusals)['other']>;
  const refusal = refusalsByCode[error.code ?? ''] ?? refusals.other;
  const body = bodyOf(refusal);
  const all = { ...headers, connection: 'close', 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${refusal.code} ${refusal.status}\r\n${lines.join('')}\r\n${body}`);
}
