// One request through a fault proxy: forwards it to the server, and sends the response to the client.
import { once } from 'node:events';
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http';

/** An event stream that a browser is reading. */
export interface OpenStream {
  cut(): void;
  /** Keeps the stream open without delivering further data. */
  silence(): void;
}

interface OwnResponse {
  status: number;
  type?: string;
  body: string;
  headers?: OutgoingHttpHeaders;
  /** Whether a page of another origin can read it. Error pages of real proxies are often unreadable. */
  cors?: boolean;
}

export class ProxyExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The body, if it was read before the request is forwarded. */
  #body: Buffer | undefined;
  readonly #target: string;
  readonly #streams: Set<OpenStream>;

  constructor(request: IncomingMessage, response: ServerResponse, target: string, streams: Set<OpenStream>) {
    this.request = request;
    this.response = response;
    this.#target = target;
    this.#streams = streams;
  }

  /** Reads the whole body, so that the request can be forwarded later, or several times. */
  async readRequest(): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.request as AsyncIterable<Buffer>) chunks.push(chunk);
    this.#body = Buffer.concat(chunks);
  }

  /** Sends the request to the server, whose body is passed on as it arrives if it was not read. @throws when the server cannot be reached. */
  async forward(): Promise<IncomingMessage> {
    const { method, headers, url } = this.request;
    const upstream = send(this.#target + url, { method, headers, agent: false });
    this.response.once('close', () => upstream.destroy());
    upstream.on('error', () => {});
    if (this.#body) upstream.end(this.#body);
    else this.request.pipe(upstream);
    const [answer] = (await Promise.race([
      once(upstream, 'response'),
      once(upstream, 'close').then(() => Promise.reject(new Error('The server cannot be reached.'))),
    ])) as [IncomingMessage];
    answer.on('error', () => {});
    return answer;
  }

  /** Writes status and headers of the server's response; headers that are changed to undefined are omitted. */
  writeHead(answer: IncomingMessage, changes: OutgoingHttpHeaders = {}, status = answer.statusCode): void {
    const { connection: _, 'transfer-encoding': __, 'keep-alive': ___, ...headers } = answer.headers;
    const all = Object.entries({ ...headers, ...changes }).filter(([, value]) => value !== undefined);
    this.response.writeHead(status ?? 502, Object.fromEntries(all));
  }

  /** Delivers the response as it arrives; after `limit` bytes it is cut, or becomes silent. */
  async pipe(answer: IncomingMessage, limit?: number, atLimit?: keyof OpenStream): Promise<void> {
    this.writeHead(answer);
    await this.pipeBody(answer, limit, atLimit);
  }

  /** As `pipe`, for a response whose status and headers are written. */
  async pipeBody(
    answer: IncomingMessage,
    limit = Number.POSITIVE_INFINITY,
    atLimit: keyof OpenStream = 'cut',
  ): Promise<void> {
    this.response.flushHeaders();
    let remaining = limit;
    let isSilent = false;
    const stream: OpenStream = {
      cut: () => this.reset(),
      silence: () => {
        isSilent = true;
        this.#streams.delete(stream);
      },
    };
    if (isEventStream(answer)) this.#streams.add(stream);
    this.response.once('close', () => this.#streams.delete(stream));
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        // The server must not notice, so its data is read and dropped.
        if (isSilent) continue;
        const part = chunk.subarray(0, remaining);
        remaining -= chunk.length;
        if (remaining > 0) {
          this.response.write(part);
          continue;
        }
        // The client gets all bytes before the cut.
        if (atLimit === 'cut') return void this.response.write(part, () => this.reset());
        this.response.write(part);
        stream.silence();
      }
      if (!isSilent) this.response.end();
    } catch {
      // The server was killed, or the browser has disconnected.
      if (!isSilent) this.reset();
    }
  }

  /** Writes a response that does not come from the server. */
  respond({ status, type, body, headers, cors }: OwnResponse): void {
    this.response.writeHead(status, {
      ...(type && { 'content-type': type }),
      ...(cors && {
        'access-control-allow-origin': this.request.headers.origin ?? '*',
        'access-control-expose-headers': 'retry-after, last-event-id',
      }),
      ...headers,
    });
    this.response.end(body);
  }

  /** Ends the connection with RST, as a crashed peer does. */
  reset(): void {
    this.response.socket?.resetAndDestroy();
  }
}

/** Returns the body of a response that the browser does not receive unchanged; for a stream its first chunk. */
export async function readBody(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (isEventStream(answer)) break;
    }
  } catch {
    // An incomplete body is sufficient, because the response is corrupted anyway.
  }
  return Buffer.concat(chunks);
}

const isEventStream = (answer: IncomingMessage) =>
  answer.headers['content-type']?.startsWith('text/event-stream') ?? false;
