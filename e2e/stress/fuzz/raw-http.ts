// Sends bytes on a socket of their own and reads what comes back as HTTP/1.1 (RFC 9112). It is as strict as a reader can
// be, and mends nothing.
import { connect } from 'node:net';

/** Milliseconds without an answer after which the sender says that nothing more comes. */
const nudgeMs = 2_000;
/** Milliseconds after which a request without answer and without end has failed. */
const deadlineMs = 30_000;
/** The same for one that is held open: the server waits two minutes for a body, and looks every half. */
const holdMs = 240_000;

export interface Answer {
  status: number;
  headers: ReadonlyMap<string, string>;
  body: string;
}

export interface Exchange {
  /** `answered`; `closed`: by the server, without an answer; `left`: by us, as was meant; else a fault. */
  outcome: 'answered' | 'closed' | 'left' | 'refused' | 'silent';
  answers: Answer[];
  /** What is wrong with the bytes that came. */
  malformed?: string;
}

export interface Sending {
  /** The pieces of the request, each a byte a character. */
  pieces: readonly string[];
  method: string;
  /** `wait` for the answer, say at once that nothing more comes (`end`), go away (`reset`), or say nothing (`hold`). */
  ending: 'wait' | 'end' | 'reset' | 'hold';
}

export function exchange(port: number, { pieces, method, ending }: Sending): Promise<Exchange> {
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
  answers: Answer[];
  malformed?: string;
}

/** The first final answer in the bytes, when it is whole; `isOver`: nothing more comes. */
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
  // The stream of a conversation has no end.
  if (headers.get('content-type') === 'text/event-stream') return whole(rest);
  // A request that was not understood is answered with a body, whatever its method was meant to be.
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

/** The body in chunks, when all are there. */
function readChunks(text: string): string | undefined {
  let body = '';
  for (let place = 0; ; ) {
    const line = text.indexOf('\r\n', place);
    if (line < 0) return undefined;
    const size = Number.parseInt(text.slice(place, line), 16);
    if (size === 0) return text.startsWith('\r\n', line + 2) ? body : undefined;
    place = line + 2 + size + 2;
    if (place > text.length) return undefined;
    body += text.slice(line + 2, line + 2 + size);
  }
}

const bad = (malformed: string): Read => ({ answers: [], malformed });
