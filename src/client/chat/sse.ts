// A parser of server-sent events (WHATWG HTML, 9.2.6). Pure: text in, frames out; it opens nothing and waits for nothing.

export interface Frame {
  /** The event name; `message` when the frame names none. */
  event: string;
  data: string;
  /** The last id seen on the stream, '' when none. */
  id: string;
}

/** Characters one frame may have before the stream counts as broken: eight times the largest payload. */
const frameLimit = 1_000_000;

/**
 * Makes a parser for one response. Feed it decoded text in any split; it calls `onFrame` for every frame with data.
 * @throws RangeError from `feed` when a frame grows past one million characters.
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
      data = [];
      size = 0;
      event = '';
      return;
    }
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (name === 'data') {
      data.push(value);
      // The line and its end: lines without a value take memory too.
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
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    // A CR at the very end has ended its line already; an LF that follows in the next piece belongs to it.
    if (text.endsWith('\r')) skipLineFeed = true;
    if (rest.length + size > frameLimit) throw new RangeError('A frame of the stream is too long.');
  };
}
