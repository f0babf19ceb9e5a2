// A parser of server-sent events (WHATWG HTML, 9.2.6). It converts text to frames and does no I/O.
// Why not `eventsource-parser`: it costs 1.5 KB in the window, and does not limit the size of a frame (decision 20).
export interface Frame {
  /** The event name; `message` if the frame does not contain a name, '' if it contains only an id. */
  event: string;
  data: string;
  /** The id of this frame; '' without one. */
  id: string;
}

/** The maximum number of characters of one frame, eight times the largest payload. A longer frame is an error. */
const frameLimit = 1_000_000;

/**
 * Creates a parser for one response. The decoded text can be split anywhere; calls `onFrame` for every frame with data or
 * an id.
 * @throws RangeError from `feed` if a frame is longer than one million characters.
 */
export function createSseParser(onFrame: (frame: Frame) => void): (text: string) => void {
  let rest = '';
  let started = false;
  let skipLineFeed = false;
  let data: string[] = [];
  let size = 0;
  let event = '';
  let id = '';

  const onLine = (line: string) => {
    if (line === '') {
      if (data.length > 0) onFrame({ event: event || 'message', data: data.join('\n'), id });
      // A frame without data is not an event, but its id is the position of the stream (WHATWG).
      else if (id) onFrame({ event: '', data: '', id });
      data = [];
      size = 0;
      event = id = '';
      return;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') {
      data.push(value);
      // Includes the line end, because lines without a value use memory too.
      size += line.length + 1;
    } else if (name === 'event') event = value;
    else if (name === 'id' && !value.includes('\0')) id = value;
  };

  return (text) => {
    if (!started && text) {
      started = true;
      if (text.startsWith('\uFEFF')) text = text.slice(1);
    }
    if (skipLineFeed && text) {
      skipLineFeed = false;
      if (text.startsWith('\n')) text = text.slice(1);
    }
    // A long line in many pieces is not searched again with each of them.
    const lines = text.split(/\r\n|\n|\r/);
    lines[0] = rest + lines[0];
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    // A CR at the very end has already ended its line; an LF at the start of the next piece belongs to it.
    if (text.endsWith('\r')) skipLineFeed = true;
    if (rest.length + size > frameLimit) throw new RangeError('A frame of the stream is too long.');
  };
}
