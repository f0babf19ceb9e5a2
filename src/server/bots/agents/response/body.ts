// The events in the body of a response. The content type is a hint only: servers that ignore `stream` send JSON, and some send
// events as a text or as a page.
import { createSseParser } from '../../../../protocol/sse.ts';
import { AgentFailure } from '../failure.ts';
import type { ServerEvent } from '../protocol.ts';

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
function separated({ event, data: given }: ServerEvent): ServerEvent[] {
  const data = given.replace(/^(?:data:\s*)+/gm, '');
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
