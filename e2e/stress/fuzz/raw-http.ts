// Sends bytes on a new socket and parses the response strictly as HTTP/1.1 (RFC 9112), without repairing anything.
import { connect } from 'node:net';

/** Milliseconds without a response after which the client half-closes the connection. */
const nudgeMs = 2_000;
/** Milliseconds after which a request without a response and without an end has failed. */
const deadlineMs = 30_000;
/** The same for a request that is kept open: the server waits two minutes for a body and checks every 30 s. */
const holdMs = 240_000;

export interface RawResponse {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

export interface Exchange {
  /**
   * `closed`: by the server, without a response; `left`: by the client, intentionally; `refused` and `silent` are
   * faults.
   */
  outcome: 'answered' | 'closed' | 'left' | 'refused' | 'silent';
  answers: RawResponse[];
  /** The error in the received bytes. */
  malformed?: string;
}

export interface RawRequest {
  /** The parts of the request, one character per byte. */
  pieces: readonly string[];
  method: string;
  /** After sending: `wait` for the response, half-close (`end`), disconnect (`reset`), or keep the request open (`hold`). */
  ending: 'wait' | 'end' | 'reset' | 'hold';
}

export function sendRaw(port: number, { pieces, method, ending }: RawRequest): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let got = '';
    let isDone = false;
    const nudge = setTimeout(() => ending !== 'hold' && socket.end(), nudgeMs);
    const deadline = setTimeout(() => finish('silent'), ending === 'hold' ? holdMs : deadlineMs);

    function finish(outcome: Exchange['outcome'], isOver = false): void {
      if (isDone) return;
      const read = readAnswers(got, method, isOver);
      isDone = true;
      clearTimeout(nudge);
      clearTimeout(deadline);
      socket.destroy();
      resolve(read.answers.length > 0 ? { ...read, outcome: 'answered' } : { ...read, outcome });
    }

    socket.on('data', (chunk) => {
      got += chunk.toString('latin1');
      const { answers, malformed } = readAnswers(got, method, false);
      if (answers.length > 0 || malformed !== undefined) finish('answered');
    });
    socket.on('end', () => finish('closed', true));
    socket.on('close', () => finish('closed', true));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      finish(error.code === 'ECONNREFUSED' ? 'refused' : 'closed', true),
    );
    const send = async (): Promise<void> => {
      for (const piece of pieces) {
        await new Promise((written) => socket.write(Buffer.from(piece, 'latin1'), written));
      }
      if (ending === 'end') socket.end();
      if (ending === 'reset') finish('left');
    };
    socket.on('connect', () => void send());
  });
}

const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) [\t\x20-\x7e]*$/;
const headerLine = /^([!#$%&'*+.^_`|~\w-]+): ?([\t\x20-\x7e\x80-\xff]*)$/;

interface Read {
  answers: RawResponse[];
  malformed?: string;
}

/** Returns the first final response in the bytes if it is complete; `isOver`: the connection has ended. */
function readAnswers(got: string, method: string, isOver: boolean): Read {
  const end = got.indexOf('\r\n\r\n');
  if (end < 0)
    return isOver && got !== '' ? bad(`an end in the head: ${got.slice(0, 200)}`) : { answers: [] };
  const [first = '', ...lines] = got.slice(0, end).split('\r\n');
  const status = Number(statusLine.exec(first)?.[1]);
  if (Number.isNaN(status)) return bad(`the status line ${first.slice(0, 200)}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value = ''] = headerLine.exec(line) ?? [];
    if (name === undefined) return bad(`the header ${line.slice(0, 200)}`);
    headers.set(name.toLowerCase(), value);
  }
  const rest = got.slice(end + 4);
  if (status < 200) return readAnswers(rest, method, isOver);
  const whole = (body: string): Read => ({ answers: [{ status, headers, body }] });
  // An event stream has no end.
  if (headers.get('content-type') === 'text/event-stream') return whole(rest);
  // The response to a request that could not be parsed has a body, for any method.
  const isRefusedUnread = headers.get('connection') === 'close' && (status === 400 || status === 431);
  if (status === 204 || status === 304 || (method === 'HEAD' && !isRefusedUnread)) return whole('');
  const length = headers.get('content-length');
  if (length !== undefined) {
    if (rest.length >= Number(length)) return whole(rest.slice(0, Number(length)));
    if (isOver && method !== 'HEAD') return bad(`${rest.length} of ${length} bytes of a ${status}`);
    return isOver ? whole('') : { answers: [] };
  }
  if (headers.get('transfer-encoding') === 'chunked') {
    const body = readChunks(rest);
    if (body !== undefined) return whole(body);
    return isOver ? bad(`a cut body of a ${status}`) : { answers: [] };
  }
  return isOver ? whole(rest) : { answers: [] };
}

/** The decoded chunked body, if it is complete. */
function readChunks(text: string): string | undefined {
  let body = '';
  for (let position = 0; ; ) {
    const line = text.indexOf('\r\n', position);
    if (line < 0) return undefined;
    const size = Number.parseInt(text.slice(position, line), 16);
    if (size === 0) return text.startsWith('\r\n', line + 2) ? body : undefined;
    position = line + 2 + size + 2;
    if (position > text.length) return undefined;
    body += text.slice(line + 2, line + 2 + size);
  }
}

const bad = (malformed: string): Read => ({ answers: [], malformed });
