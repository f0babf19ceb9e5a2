// The events in the body of a response. The content type is a hint only: servers that ignore `stream` send JSON, and some send
// events as a text or as a page.
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { createSseParser } from '../../../protocol/sse.ts';
import type { ServerEvent } from './protocol.ts';

export interface BodyReader {
  /** Returns the events that a piece of the body completes. Throws AgentFailure, and RangeError for one that is too long. */
  read(text: string): ServerEvent[];
  /** Returns the rest, when the body has ended as its server wanted. Throws AgentFailure for a body without events. */
  end(): ServerEvent[];
}

/** Characters of a response that is not a stream. */
const maxJsonLength = 1_000_000;

/** The end of a stream, which a whole JSON document does not need. */
const done: ServerEvent = { event: 'message', data: '[DONE]' };

const eventOf = (data: string): ServerEvent => ({ event: 'message', data });

/** `type`: the header `Content-Type`. Throws AgentFailure for one that cannot be an answer. */
export function createBodyReader(type = ''): BodyReader {
  if (type !== '' && !/^(?:text\/|application\/(?:[^;]*json|octet-stream|event-stream))/i.test(type.trim()))
    throw new AgentFailure('content_type');
  const isDeclared = /^text\/event-stream\b/i.test(type);
  let reader: BodyReader | undefined;
  let beginning = '';

  /** The reader for a body that begins with a text; undefined while this is not known. */
  function readerFor(text: string): BodyReader | undefined {
    const start = text.trimStart();
    if (start === '') return undefined;
    // A page of a proxy, or of a server that has failed.
    if (start.startsWith('<')) throw new AgentFailure('content_type');
    const isStream = /^(?::|(?:data|event|id|retry)\s*:)/.test(start);
    const isJson = /^[[{]/.test(start) || (/json\b/i.test(type) && !isStream);
    return isJson ? createJsonReader() : createStreamReader(isDeclared || type === '');
  }

  return {
    read(text) {
      if (reader) return reader.read(text);
      beginning += text;
      reader = readerFor(beginning);
      return reader?.read(beginning) ?? [];
    },
    end: () => reader?.end() ?? [],
  };
}

/** `isDeclared`: a body without events is a stream all the same. */
function createStreamReader(isDeclared: boolean): BodyReader {
  let hasEvents = isDeclared;
  let events: ServerEvent[] = [];
  const feed = createSseParser(({ event, data }) => {
    if (event !== '') events.push(...separated({ event, data }));
  });
  const read = (text: string): ServerEvent[] => {
    feed(text);
    const found = events;
    events = [];
    hasEvents ||= found.length > 0;
    return found;
  };
  return {
    read,
    end() {
      // The last event is whole, also without an empty line after it.
      const rest = read('\n\n');
      if (!hasEvents) throw new AgentFailure('content_type');
      return rest;
    },
  };
}

/**
 * Some servers write no empty lines between events, so that the data of several becomes one, or pass on the line of another server
 * as data. The end has several forms.
 */
function separated({ event, data: rawData }: ServerEvent): ServerEvent[] {
  const data = rawData.replace(/^(?:data:\s*)+/gm, '');
  if (/^\s*"?\[done\]"?\s*$/i.test(data)) return [done];
  if (!data.includes('\n')) return [{ event, data }];
  const lines = data.split('\n').filter((line) => line.trim() !== '');
  const areEvents = lines.length > 1 && lines.every((line) => line.trim() === '[DONE]' || isJson(line));
  return areEvents ? lines.map((line) => ({ event, data: line })) : [{ event, data }];
}

/** Reads one JSON document, a list of events, or a JSON document in each line. */
function createJsonReader(): BodyReader {
  let text = '';
  let lines = 0;
  let isOneDocument = false;

  function readLines(): ServerEvent[] {
    const complete = text.split('\n');
    const rest = complete.pop() ?? '';
    // A document that is formatted in several lines.
    if (lines === 0 && complete.some((line) => line.trim() !== '' && !isJson(line))) isOneDocument = true;
    if (isOneDocument) return [];
    text = rest;
    const found = complete.filter((line) => line.trim() !== '').flatMap(eventsOf);
    lines += found.length;
    return found;
  }

  return {
    read(more) {
      text += more;
      if (text.length > maxJsonLength) throw new AgentFailure('too_large');
      return isOneDocument || !more.includes('\n') ? [] : readLines();
    },
    end() {
      const rest = text.trim() === '' ? [] : eventsOf(text);
      return lines + rest.length === 1 || lines === 0 ? [...rest, done] : rest;
    },
  };
}

/** The events of a JSON document: of a list, its items. */
function eventsOf(json: string): ServerEvent[] {
  if (!json.trimStart().startsWith('[')) return [eventOf(json)];
  try {
    const list = JSON.parse(json) as unknown[];
    return list.map((item) => eventOf(JSON.stringify(item)));
  } catch {
    return [eventOf(json)];
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The failure of a run: the agent gave no answer, or only a part of one. It has a code of this server, and never text of the
 * agent.
 */
export class AgentFailure extends Error {
  override name = 'AgentFailure';
  /** A code of this server, such as `timeout` or `incomplete`, or Node's code for a failed connection. */
  readonly code: string;
  /** The status of the response, if it is the reason. */
  readonly status: number | undefined;
  /** Whether the visitor has the beginning of the answer, so that no message about the failure is sent. */
  readonly isAnswered: boolean;

  constructor(
    code: string,
    { status, isAnswered = false }: { status?: number | undefined; isAnswered?: boolean } = {},
  ) {
    super(status === undefined ? code : `${code} ${status}`);
    this.code = code;
    this.status = status;
    this.isAnswered = isAnswered;
  }
}

/** Each piece is passed on at once, and what a broken connection has cut is not an error of the format. */
const gzip = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
const brotli = {
  flush: zlib.constants.BROTLI_OPERATION_FLUSH,
  finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
};

/**
 * Yields the bytes as they arrive. `onBytes` is called for received bytes. Throws AgentFailure for an unknown or broken
 * compression, and the error of the connection. Some servers and proxies compress although the request does not accept it.
 */
export async function* bytesOf(
  response: IncomingMessage,
  onBytes: (received: Buffer) => void,
): AsyncGenerator<Buffer> {
  const chunks = receivedBytes(response, onBytes);
  const { value: first } = await chunks.next();
  if (!first) return;
  const decoder = decoderOf(response.headers['content-encoding'], first);
  if (!decoder) {
    yield first;
    yield* chunks;
    return;
  }
  // The generator below passes the error on.
  pipeline(Readable.from(joined(first, chunks)), decoder, () => {});
  try {
    yield* decoder as AsyncIterable<Buffer>;
  } catch (error) {
    throw /^(?:Z_|ERR_BROTLI|ERR_ZSTD|ERR__ERROR)/.test(String((error as { code?: unknown }).code))
      ? new AgentFailure('content_encoding')
      : error;
  }
}

async function* receivedBytes(
  response: IncomingMessage,
  onBytes: (received: Buffer) => void,
): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of response as AsyncIterable<Buffer>) {
    onBytes(chunk);
    if (chunk.length > 0) yield chunk;
  }
  return undefined;
}

async function* joined(first: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** The decompression for a `Content-Encoding` (RFC 9110, 8.4); undefined for none. `first`: the first bytes. */
function decoderOf(header: string | undefined, first: Buffer): Transform | undefined {
  const names = (header ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  const isGzip = first[0] === 0x1f && (first.length === 1 || first[1] === 0x8b);
  // No text begins with these bytes. Some proxies send one without the other.
  if (names.length === 0) return isGzip ? zlib.createGunzip(gzip) : undefined;
  if (names.length > 1) throw new AgentFailure('content_encoding');
  switch (names[0]) {
    case 'gzip':
    case 'x-gzip':
      return isGzip ? zlib.createGunzip(gzip) : undefined;
    case 'deflate':
      // Some servers leave out the header of zlib (RFC 1950), whose first four bits are 8.
      return ((first[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate(gzip) : zlib.createInflateRaw(gzip);
    case 'br':
      return zlib.createBrotliDecompress(brotli);
    default:
      throw new AgentFailure('content_encoding');
  }
}
